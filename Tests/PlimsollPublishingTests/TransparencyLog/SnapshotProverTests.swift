import FoundationEssentials
import Metrics
import PlimsollDocuments
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollPublishing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct SnapshotProverTests {
    @Test func `a snapshot is proven once a checkpoint covers the record of it`() async throws {
        try await LogHouse.with { house in
            try await house.append(3)
            try house.place(5)
            try await house.proving { exporter in
                try await exporter.prove()
                #expect(try house.proof(5) == nil)
                try await house.tell(5)
                try await exporter.prove()
                let proof = try #require(try house.proof(5))
                #expect(proof.position == Position(4))
                #expect(proof.app == harbour)
                #expect(proof.record.sequence == SnapshotSequence(rawValue: 5))
                #expect(proof.record.manifestDigest == ContentDigest(of: house.manifest(5)).hex)
                #expect(try house.isSigned(proof))
                #expect(exporter.latest.proof(of: harbour, proof.record) == proof)
            }
        }
    }

    @Test func `snapshots that follow each other fast are all proven`() async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await LogHouse.with { house in
                try await house.proving { exporter in
                    for sequence in 1...5 as ClosedRange<Int64> {
                        try house.place(sequence)
                        try await house.tell(sequence)
                    }
                    try await exporter.prove()
                    for sequence in 1...5 as ClosedRange<Int64> {
                        #expect(try house.isSigned(try #require(try house.proof(sequence))))
                    }
                }
            }
        }
        #expect(notebook["plimsoll.snapshots.proven"] == 5)
    }

    @Test func `a proof is not written twice, and what is damaged is written anew`() async throws {
        try await LogHouse.with { house in
            try house.place(5)
            try await house.tell(5)
            try await house.proving { exporter in try await exporter.prove() }
            let first = try house.bytes(5)
            let identity = try house.path(5).identity()
            try await house.append(1)
            try await house.proving { exporter in try await exporter.prove() }
            #expect(try house.path(5).identity() == identity)
            var damaged = first
            damaged[40] ^= 1
            for wrong in [damaged, [], Array("{}".utf8), Array(first.dropLast())] {
                try house.path(5).writeDurably(wrong)
                try await house.proving { exporter in try await exporter.prove() }
                #expect(try house.isSigned(try #require(try house.proof(5))))
            }
            try house.path(5).writeDurably(damaged)
            try await house.proving { exporter in
                try await exporter.prove()
                try house.path(5).writeDurably(damaged)
                try await exporter.scrub()
                #expect(try house.isSigned(try #require(try house.proof(5))))
            }
        }
    }

    @Test func `the proof of another manifest is replaced`() async throws {
        try await LogHouse.with { house in
            try house.place(5)
            try house.place(6)
            try await house.tell(5)
            try await house.tell(6)
            try await house.proving { exporter in try await exporter.prove() }
            try house.path(6).writeDurably(try house.bytes(5))
            try await house.proving { exporter in try await exporter.prove() }
            #expect(try house.proof(6)?.record.sequence == SnapshotSequence(rawValue: 6))
        }
    }

    @Test func `one snapshot that cannot be proven keeps no other one back`() async throws {
        try await LogHouse.with { house in
            for sequence in 5...7 as ClosedRange<Int64> {
                try house.place(sequence)
                try await house.tell(sequence)
            }
            let obstacle = try house.path(5) / "file"
            try house.path(5).createFolder()
            try obstacle.writeDurably([1])
            try await house.proving { exporter in
                for _ in 1...2 {
                    await #expect(throws: FileError.self) { try await exporter.prove() }
                    #expect(try house.proof(6) != nil)
                    #expect(try house.proof(7) != nil)
                }
                try house.path(5).removeTree()
                try await exporter.prove()
                #expect(try house.proof(5) != nil)
            }
        }
    }

    // Goal: a log that was given up leaves proofs that nobody can hold against the log there is.
    @Test func `the proof under another history is replaced, whoever signed it`() async throws {
        try await LogHouse.with { house in
            try house.place(5)
            try await house.append(2)
            try await house.tell(5)
            try await house.proving { exporter in try await exporter.prove() }
            let honest = try #require(try house.proof(5))
            for size in [3, 9] {
                try house.path(5).writeDurably(try house.forked(honest, size: size).bytes)
                try await house.append(1)
                try await house.proving { exporter in
                    try await exporter.prove()
                    let proof = try #require(try house.proof(5))
                    #expect(proof.proof.proof.checkpoint == (try house.publishedCheckpoint()))
                }
            }
        }
    }

    // Goal: what was lost and signed anew has another manifest under its number; only the last
    // record stands beside it.
    @Test func `what the log was told of another manifest proves nothing`() async throws {
        try await LogHouse.with { house in
            try house.place(5)
            try await house.tell(5, of: Array("another".utf8))
            try await house.proving { exporter in
                try await exporter.prove()
                #expect(try house.proof(5) == nil)
                try await house.tell(5)
                try await exporter.prove()
                #expect(try house.proof(5)?.position == Position(2))
            }
        }
    }

    @Test
    func `what a person recorded, or gave a reason for, is not published and keeps nothing back`()
        async throws
    {
        try await LogHouse.with { house in
            try house.place(5)
            try await house.tell(5, by: alice)
            try await house.proving { exporter in
                try await exporter.prove()
                #expect(try house.proof(5) == nil)
                try await house.tell(5)
                try await exporter.prove()
                #expect(try house.proof(5)?.position == Position(2))
            }
        }
    }

    @Test func `a leader that comes late proves nothing`() async throws {
        try await LogHouse.with { house in
            try house.place(5)
            try await house.tell(5)
            try await house.proving { exporter in
                let later = ExportTerm(
                    try #require(Epoch(rawValue: 99)),
                    in: house.folder,
                    of: UUID()
                )
                try later.begin()
                await #expect(throws: ExportSuperseded.self) { try await exporter.prove() }
                #expect(try house.proof(5) == nil)
            }
        }
    }

    @Test func `tiles that do not lead to what was signed prove nothing`() async throws {
        try await LogHouse.with { house in
            try house.place(5)
            try await house.append(2)
            try await house.tell(5)
            try await house.proving { exporter in
                try await exporter.publish()
                let address = try #require(TileAddress(.hashes(level: 0), index: 0, width: 3))
                let wrong = [UInt8](repeating: 7, count: 3 * MerkleHash.byteCount)
                try house.folder.tile(address).writeDurably(wrong)
                await #expect(throws: ProofNotMade.self) { try await exporter.proveOnly() }
                #expect(try house.proof(5) == nil)
            }
        }
    }

    @Test func `a full disk keeps the proof back, and nothing half is left`() async throws {
        try await LogHouse.with { house in
            try house.place(5)
            try await house.tell(5)
            try await house.proving { exporter in
                await #expect(throws: FileError.self) {
                    try await withFault(at: "export.proof.made", code: 28) {
                        try await exporter.prove()
                    }
                }
                #expect(try house.proof(5) == nil)
                try await exporter.prove()
                #expect(try house.proof(5) != nil)
                #expect(
                    try house.folder.snapshot(try house.sequence(5), of: harbour).entries().count
                        == 2
                )
            }
        }
    }
}

// MARK: - Witnesses

extension SnapshotProverTests {
    // Goal: a proof gets the lines of witnesses when they come, though the log has grown since, and
    // is never replaced by one that has fewer.
    @Test func `a proof is replaced by one alone that more witnesses have cosigned`() async throws {
        try await LogHouse.with { house in
            let witnesses = [
                try house.witness("w1.example.com"), try house.witness("w2.example.com"),
            ]
            let keys = witnesses.map(\.verifierKey)
            try house.place(5)
            try await house.tell(5)
            try await house.proving(witnesses: keys) { exporter in
                try await exporter.prove()
                let bare = try house.publishedCheckpoint()
                #expect(try house.cosignatures(5, of: keys) == 0)
                let first = try bare.adding([try house.line(of: witnesses[0], under: bare)])
                try await house.append(2)
                try await exporter.prove()
                try await house.keep(first, by: witnesses[0])
                try await exporter.prove()
                #expect(try house.cosignatures(5, of: keys) == 1)
                #expect(try house.proof(5)?.size == 1)
                let newer = try house.publishedCheckpoint()
                let both = try newer.adding(
                    try witnesses.map { try house.line(of: $0, under: newer) }
                )
                try await house.keep(both, by: witnesses[0], witnesses[1])
                try await house.append(1)
                try await exporter.prove()
                #expect(try house.cosignatures(5, of: keys) == 2)
                #expect(try house.proof(5)?.size == 3)
            }
            try await house.append(1)
            try await house.proving(witnesses: keys) { exporter in
                try await exporter.prove()
                #expect(try house.cosignatures(5, of: keys) == 2)
            }
        }
    }
}

// MARK: - The house

extension LogHouse {
    /// Works as the exporter that leads.
    fileprivate func proving(
        witnesses: [VerifierKey] = [],
        _ body: (ProvingExporter) async throws -> Void
    ) async throws {
        try await publishing(witnesses: witnesses) { publisher, edge, _ in
            try await body(ProvingExporter(publisher, edge))
        }
    }

    fileprivate func sequence(_ number: Int64) throws -> SnapshotSequence {
        try #require(SnapshotSequence(rawValue: number))
    }

    /// A manifest of no app; only its digest is looked at.
    fileprivate func manifest(_ number: Int64) -> [UInt8] { Array("manifest \(number)".utf8) }

    /// Puts a snapshot in its place, and makes it current.
    fileprivate func place(_ number: Int64) throws {
        let sequence = try sequence(number)
        let place = folder.snapshot(sequence, of: harbour)
        try place.createFolder()
        try (place / Manifest.fileName).writeDurably(manifest(number))
        try folder.currents.createFolder()
        try SnapshotStore(folder).makeCurrent(sequence, of: harbour)
    }

    /// Tells the log of a snapshot, as whoever owns the database can too.
    fileprivate func tell(
        _ number: Int64,
        of manifest: [UInt8]? = nil,
        by actor: PrincipalID = .system
    ) async throws {
        let session = try await Session.open(connection)
        let row = try await session.query(
            "SELECT coalesce(max(position), 0)::bigint FROM log.event"
        ).first
        let head = try #require(row).value(at: 0, as: Int64.self)
        await session.close()
        let record = PublicationRecord(
            sequence: try sequence(number),
            position: try #require(Position(rawValue: number)),
            manifestDigest: ContentDigest(of: manifest ?? self.manifest(number)).hex,
            keys: []
        )
        let recorded = RecordedEvent(
            position: Position(Int(head) + 1),
            id: UUID(),
            stream: .export(harbour),
            revision: Revision(Int(head) + 1),
            recordedAt: testNow,
            command: CommandID(UUID()),
            origin: Origin(actor: actor, authentication: .service, correlation: UUID()),
            event: .export(.snapshotPublished(record))
        )
        let entry = try EventCodec.encode(recorded)
        try await asOwner(
            """
            INSERT INTO log.event (
                position, revision, recorded_at, event_id, command_id, shape, stream, type, entry
            ) VALUES (
                \(head + 1), \(head + 1), now(), gen_random_uuid(), gen_random_uuid(), 1,
                \(StreamName.export(harbour).text), \(EventType.snapshotPublished.rawValue), \(entry)
            )
            """
        )
    }

    fileprivate func path(_ number: Int64) throws -> Path {
        folder.proof(try sequence(number), of: harbour)
    }

    fileprivate func bytes(_ number: Int64) throws -> [UInt8] {
        try path(number).read(sizeMaximum: EntryProof.sizeMaximum)
    }

    fileprivate func proof(_ number: Int64) throws -> SnapshotProof? {
        try path(number).readIfPresent(sizeMaximum: EntryProof.sizeMaximum).map {
            try SnapshotProof(parsing: $0)
        }
    }

    /// The same entry in another tree, under the same key.
    fileprivate func forked(_ proof: SnapshotProof, size: Int) throws -> EntryProof {
        let index = proof.proof.proof.inclusion.index
        var leaves = (0..<size).map { MerkleHash.leaf([UInt8($0)]) }
        leaves[index] = .leaf(proof.proof.entry)
        let tree = MerkleTree(leaves: leaves)
        return EntryProof(
            entry: proof.proof.entry,
            inclusion: tree.inclusionProof(of: index, size: size),
            checkpoint: try #require(try key.signer()).sign(tree.root)
        )
    }

    fileprivate func isSigned(_ proof: SnapshotProof) throws -> Bool {
        let key = try #require(try key.signer()).verifierKey
        guard case .verified = proof.proof.verification(by: LogTrust(logKeys: [key])) else {
            return false
        }
        return true
    }

    fileprivate func cosignatures(_ number: Int64, of witnesses: [VerifierKey]) throws -> Int? {
        let key = try #require(try key.signer()).verifierKey
        let trust = LogTrust(logKeys: [key], witnesses: witnesses)
        guard let proof = try proof(number),
            case .verified(let checkpoint) = proof.proof.verification(by: trust)
        else { return nil }
        return checkpoint.cosignatures.count
    }
}
