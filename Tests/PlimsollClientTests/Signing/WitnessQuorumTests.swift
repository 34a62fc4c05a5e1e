import Crypto
import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollLog
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollClient

/// A log that recorded a snapshot, made by the service's own rooms, and its witnesses.
private struct SeenLog: Sendable {
    let log: LogSigner
    let witnesses: [Cosigner]

    init(witnesses count: Int = 3) throws {
        let name = try #require(KeyName("log.example.com/harbour"))
        log = try LogSigner(SignerKey(name: name, kind: .note))
        witnesses = try (0..<count).map { number in
            let name = try #require(KeyName("witness.example.com/\(number)"))
            return try Cosigner(SignerKey(name: name, kind: .cosignature))
        }
    }

    func quorum(_ needed: Int, of log: LogSigner? = nil) throws -> WitnessQuorum {
        try WitnessQuorum(
            logKey: "\((log ?? self.log).verifierKey)\n",
            witnessKeys: witnesses.map { "\($0.verifierKey)" },
            quorum: needed
        )
    }

    func manifest(of body: Data, app: String = "harbour", sequence: Int = 113) -> Data {
        let digest = Self.hex(body)
        return Data(
            #"""
            {"app":"\#(app)","files":[{"name":"availability-ios","sha256":"\#(digest)"}],"sequence":\#(sequence)}
            """#.utf8
        )
    }

    func entry(
        of manifest: Data,
        actor: String = "system",
        stream: String = "export/harbour",
        type: String = "SnapshotPublished",
        sequence: Int = 113
    ) -> [UInt8] {
        let data = #"{"manifestDigest":"\#(Self.hex(manifest))","sequence":\#(sequence)}"#
        return Array(
            #"{"actor":"\#(actor)","data":\#(data),"stream":"\#(stream)","type":"\#(type)"}"#.utf8
        )
    }

    /// The proof of an entry among others, seen by the first of the witnesses.
    func proof(
        of entry: [UInt8],
        at index: Int = 2,
        in size: Int = 7,
        seenBy count: Int,
        beside changes: [ChangeProof] = []
    ) throws -> Data {
        var leaves = (0..<size).map { MerkleHash.leaf(Array("other \($0)".utf8)) }
        leaves[index] = .leaf(entry)
        let tree = MerkleTree(leaves: leaves)
        let bare = try log.sign(tree.root)
        guard
            case .verified(let verified) = bare.verification(
                by: LogTrust(logKeys: [log.verifierKey])
            )
        else { throw CheckpointRefusal.notByTheLog }
        let lines = try witnesses.prefix(count).map { try $0.cosign(verified, posixSeconds: 7) }
        let proof = EntryProof(
            entry: entry,
            inclusion: tree.inclusionProof(of: index, size: size),
            checkpoint: try bare.adding(lines),
            changes: changes.map { .object($0.json) }
        )
        return Data(proof.bytes)
    }

    func evidence(of body: Data, seenBy count: Int) throws -> WitnessQuorum.Evidence {
        let manifest = manifest(of: body)
        return WitnessQuorum.Evidence(
            manifest: manifest,
            proof: try proof(of: entry(of: manifest), seenBy: count)
        )
    }

    private static func hex(_ bytes: Data) -> String {
        SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
    }
}

/// Documents that count only when enough witnesses have seen the snapshot they are part of.
@Suite(.timeLimit(.minutes(5))) struct WitnessQuorumTests {
    private let body = DocumentDraft().body

    private func code(
        _ quorum: WitnessQuorum,
        _ evidence: WitnessQuorum.Evidence,
        body: Data? = nil
    ) -> AvailabilityError.Code? {
        do {
            try quorum.check(
                body ?? self.body,
                named: "availability-ios",
                of: "harbour",
                by: evidence
            )
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a proof leads to the root from every place in trees of every shape`() throws {
        let seen = try SeenLog()
        let (quorum, manifest) = (try seen.quorum(1), seen.manifest(of: body))
        let entry = seen.entry(of: manifest)
        for size in 1...20 {
            for index in 0..<size {
                let proof = try seen.proof(of: entry, at: index, in: size, seenBy: 1)
                let evidence = WitnessQuorum.Evidence(manifest: manifest, proof: proof)
                #expect(code(quorum, evidence) == nil, "\(index) of \(size)")
            }
        }
    }

    /// What somebody signed of offers with a value as deep as the service takes one.
    private func deepestChange() throws -> ChangeProof {
        var value: PlimsollJSON.JSONValue = 1
        for _ in 0..<OfferValue.depthMaximum { value = [value] }
        #expect(throws: OfferValueFault.tooDeep) { try OfferValue(validating: [value]) }
        let name = try #require(MetadataName("campaign"))
        let offer = Offer(metadata: [name: try OfferValue(validating: value)])
        let field = Field.offers(of: .ios)
        let content = ChangeContent(
            app: harbour,
            operations: [],
            schedule: nil,
            effect: [FieldChange(field: field, before: nil, after: .offers([offer]))]
        )
        let proof = ChangeProof(
            id: change(7),
            content: content,
            digest: ChangeDigest(of: content),
            lastWriting: [field],
            approvals: []
        )
        return try #require(proof)
    }

    @Test func `a proof is read, however deep lies what was signed beside it`() throws {
        let seen = try SeenLog()
        let manifest = seen.manifest(of: body)
        let proof = try seen.proof(
            of: seen.entry(of: manifest),
            seenBy: 1,
            beside: [try deepestChange()]
        )
        #expect(code(try seen.quorum(1), .init(manifest: manifest, proof: proof)) == nil)
    }

    @Test func `so many witnesses are demanded, and no fewer will do`() throws {
        let seen = try SeenLog()
        for needed in 1...3 {
            for count in 0...3 {
                let evidence = try seen.evidence(of: body, seenBy: count)
                let expected = count >= needed ? nil : AvailabilityError.Code.notWitnessed
                #expect(code(try seen.quorum(needed), evidence) == expected)
            }
        }
    }

    @Test func `the proof of anything else is none`() throws {
        let seen = try SeenLog()
        let (quorum, manifest) = (try seen.quorum(2), seen.manifest(of: body))
        let other = seen.manifest(of: body, sequence: 114)
        let good = seen.entry(of: manifest)
        let proof = try seen.proof(of: good, seenBy: 3)
        #expect(code(quorum, .init(manifest: manifest, proof: proof)) == nil)
        #expect(code(quorum, .init(manifest: other, proof: proof)) == .notWitnessed)
        let stranger = try SeenLog()
        #expect(
            code(try seen.quorum(2, of: stranger.log), .init(manifest: manifest, proof: proof))
                == .notWitnessed
        )
        let longer = body + [0x20]
        #expect(
            code(quorum, .init(manifest: manifest, proof: proof), body: longer) == .notWitnessed
        )
        let foreign = seen.manifest(of: body, app: "ferry")
        for (manifest, entry) in [
            (manifest, seen.entry(of: other)), (manifest, seen.entry(of: manifest, actor: "bob")),
            (manifest, seen.entry(of: manifest, stream: "export/ferry")),
            (manifest, seen.entry(of: manifest, type: "PublicationFailed")),
            (manifest, seen.entry(of: manifest, sequence: 112)),
            (foreign, seen.entry(of: foreign)),
        ] {
            let proof = try seen.proof(of: entry, seenBy: 3)
            #expect(code(quorum, .init(manifest: manifest, proof: proof)) == .notWitnessed)
        }
    }

    @Test func `no letter of a proof can be another one`() throws {
        let seen = try SeenLog(witnesses: 1)
        let quorum = try seen.quorum(1)
        let evidence = try seen.evidence(of: body, seenBy: 1)
        for place in evidence.proof.indices {
            var proof = evidence.proof
            proof[place] ^= 1
            let altered = WitnessQuorum.Evidence(manifest: evidence.manifest, proof: proof)
            #expect(code(quorum, altered) == .notWitnessed, "byte \(place)")
        }
    }

    @Test func `keys that cannot be counted are refused`() throws {
        let seen = try SeenLog(witnesses: 1)
        let (log, witness) = ("\(seen.log.verifierKey)", "\(seen.witnesses[0].verifierKey)")
        for (key, witnesses, needed) in [
            (log, [witness], 0), (log, [witness], 2), (log, [], 1), (log, [witness, witness], 1),
            (witness, [witness], 1), (log, [log], 1), ("key", [witness], 1),
            (log + "A", [witness], 1),
        ] {
            #expect(throws: AvailabilityError.self) {
                try WitnessQuorum(logKey: key, witnessKeys: witnesses, quorum: needed)
            }
        }
    }

    // Method: the service is asked for a document, a manifest and a proof, and a store may be asked.
    @Test(arguments: [false, true])
    func `who waits for another call waits as long as that may take`(
        isWitnessed: Bool
    )
        async throws
    {
        try await Harbour.with { harbour in
            let (transport, quorum) = (GatedTransport(), try SeenLog().quorum(2))
            let client = try harbour.client(port: 9) {
                $0.quorum = isWitnessed ? quorum : nil
                $0.transport = transport
                $0.timeLimit = 3600
            }
            async let first = client.refresh()
            await transport.waitForRequest()
            await client.refresh()
            #expect(harbour.clock.pauses == [isWitnessed ? 4 * 3600 : 2 * 3600])
            transport.open()
            #expect(await first.refreshError?.code == .unreachable)
        }
    }

    // Goal: what too few have seen changes nothing, and counts once they have. Method: a service whose
    // proof comes later, over real sockets.
    @Test func `the last good document goes on until witnesses have seen the next`() async throws {
        try await Harbour.with { harbour in
            let seen = try SeenLog()
            let document = DocumentDraft()
            let answers = Mutex<[String: [UInt8]]>([:])
            let publish = { (draft: DocumentDraft, count: Int) in
                let manifest = seen.manifest(of: draft.body, sequence: draft.sequence)
                let entry = seen.entry(of: manifest, sequence: draft.sequence)
                let proof = try seen.proof(of: entry, seenBy: count)
                let fields = ["ETag": "\"\(draft.sequence)\""]
                let signed = try harbour.publisher.answer(draft.body, fields: fields)
                answers.withLock {
                    $0["availability-ios"] = signed
                    $0["manifest.json"] = Publisher.unsigned("200 OK", body: manifest)
                    $0["proof.json"] = Publisher.unsigned("200 OK", body: proof)
                }
            }
            try publish(document, 0)
            answers.withLock { $0["proof.json"] = nil }
            try await ScriptedServer.with { request in
                let path = request.text.split(separator: " ").dropFirst().first ?? ""
                let name = String(path.split(separator: "/").last ?? "")
                return .bytes(
                    answers.withLock { $0[name] } ?? Publisher.unsigned("404 Not Found")
                )
            } _: { _, port in
                let quorum = try seen.quorum(2)
                // What is said beside a document may be longer than that.
                let client = try harbour.client(port: port) {
                    ($0.quorum, $0.bodyMaximum) = (quorum, document.body.count)
                }
                let missing = await client.refresh()
                #expect(missing.refreshError?.code == .notWitnessed && missing.document == nil)
                try publish(document, 1)
                #expect(await client.refresh().refreshError?.code == .notWitnessed)
                #expect(harbour.files.isEmpty)
                try publish(document, 2)
                let first = await client.refresh()
                #expect(first.refreshError == nil && first.document?.stamp.sequence == 113)
                var next = DocumentDraft()
                next.sequence = 114
                try publish(next, 1)
                let waiting = await client.refresh()
                #expect(waiting.refreshError?.code == .notWitnessed)
                #expect(waiting.document == first.document)
                try publish(next, 3)
                #expect(await client.refresh().document?.stamp.sequence == 114)
            }
        }
    }
}
