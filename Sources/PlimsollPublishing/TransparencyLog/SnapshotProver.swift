import Metrics
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollLog
import PlimsollStore
import PlimsollSystem
import Synchronization

/// Writes the proofs of snapshots once a checkpoint covers what the log was told of them.
///
/// It follows the log, and nobody who publishes documents waits for it. What lies beside a current
/// snapshot is looked at after a start and at each scrub, and written anew where it is missing or
/// damaged. A proof is replaced by one alone whose checkpoint more witnesses have cosigned.
struct SnapshotProver {
    /// A current snapshot and the proof that lies beside it.
    private struct Proven {
        let proof: SnapshotProof
        let cosignatures: Int
    }

    private let log: PublicLog
    private let tiles: TileStore
    private let lead: Leadership
    private let disk: Disk
    private let latest: LatestProofs
    private var current: [AppSlug: Proven] = [:]
    /// Up to where publications were looked for.
    private var seen: Int?
    private var round: Int?
    /// What failed first of a look, which the others did not wait for.
    private var failure: (any Error)?

    /// How far back a new leader looks for what another one did not come to.
    private static let eventsBefore = 1000
    /// How many snapshots in a row may have been told without being the current one.
    private static let publicationsMaximum = 100

    init(_ log: PublicLog, _ tiles: TileStore, lead: Leadership, _ latest: LatestProofs) {
        self.log = log
        self.tiles = tiles
        self.lead = lead
        disk = Disk()
        self.latest = latest
    }

    /// Whether something is to be looked at though the log did not grow.
    func isDue(in round: Int, upTo size: Int) -> Bool {
        self.round != round || seen != size
    }

    /// Proves what a checkpoint with its lines covers.
    mutating func prove(under note: [UInt8], by key: VerifierKey, in round: Int) async throws {
        let checkpoint = try SignedCheckpoint(parsing: note)
        let files = ProofFiles(
            tiles: tiles,
            trust: LogTrust(logKeys: [key], witnesses: log.witnesses),
            term: ExportTerm(try lead.confirm().epoch, in: tiles.folder)
        )
        failure = nil
        if self.round != round { try await takeUp(checkpoint, files) }
        try await follow(checkpoint, files)
        if let failure { throw failure }
        self.round = round
        seen = checkpoint.checkpoint.root.size
        if !log.witnesses.isEmpty { try await improve(files, by: key) }
    }

    /// Looks at what lies beside everything current.
    private mutating func takeUp(_ checkpoint: SignedCheckpoint, _ files: ProofFiles) async throws {
        let apps = try await disk.run { () throws in try files.apps() }
        for app in apps {
            guard let found = await found(app, under: checkpoint, files) else { continue }
            if let proof = found.proof {
                take(proof, files)
                continue
            }
            let size = checkpoint.checkpoint.root.size
            let told = try await log.checkpoints.publications(
                of: app,
                upTo: size,
                limit: Self.publicationsMaximum
            )
            // The log hears of it in a moment, if it is not among them.
            if let publication = told.first(where: found.isRecorded) {
                await prove(publication, under: checkpoint, files)
            }
        }
    }

    private mutating func found(
        _ app: AppSlug,
        under checkpoint: SignedCheckpoint,
        _ files: ProofFiles
    ) async -> ProofFiles.Found? {
        do {
            return try await disk.run { () throws in try files.found(app, under: checkpoint) }
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    /// Proves what the log was told since the last checkpoint.
    private mutating func follow(_ checkpoint: SignedCheckpoint, _ files: ProofFiles) async throws {
        let size = checkpoint.checkpoint.root.size
        var start = seen ?? max(0, size - Self.eventsBefore)
        while start < size {
            let told = try await log.checkpoints.publications(after: start, upTo: size)
            for publication in told { await prove(publication, under: checkpoint, files) }
            guard told.count == EventLog.pageMaximum, let last = told.last else { return }
            start = Int(last.position.rawValue)
        }
    }

    /// Puts a checkpoint that more witnesses have cosigned under what is current.
    private mutating func improve(_ files: ProofFiles, by key: VerifierKey) async throws {
        let wanting = current.values.filter { $0.cosignatures < log.witnesses.count }
        guard let first = wanting.map(\.proof.position.rawValue).min(),
            let least = wanting.map(\.cosignatures).min(),
            let (stored, lines) = try await log.checkpoints.cosigned(
                from: Int(first),
                signedBy: key
            ),
            lines > least
        else { return }
        let note = try await log.cosignatures.note(of: stored)
        let checkpoint = try SignedCheckpoint(parsing: note)
        for known in wanting where known.proof.position.rawValue <= Int64(stored.root.size) {
            guard known.cosignatures < files.cosignatures(of: checkpoint) else { continue }
            let publication = Checkpoints.PublicationEntry(
                position: known.proof.position,
                entry: known.proof.proof.entry
            )
            await prove(publication, under: checkpoint, files)
        }
        if let failure { throw failure }
    }

    private mutating func prove(
        _ publication: Checkpoints.PublicationEntry,
        under checkpoint: SignedCheckpoint,
        _ files: ProofFiles
    ) async {
        do {
            let signed = try await signedChanges(in: publication)
            let written = try await disk.run { () throws in
                try files.prove(publication, signed, under: checkpoint)
            }
            if let written { take(written, files) }
        } catch {
            failure = failure ?? error
        }
    }

    /// What persons signed of what is live in the snapshot, as JSON: of too much the newest.
    private func signedChanges(
        in publication: Checkpoints.PublicationEntry
    ) async throws -> [JSONValue] {
        let event = try? EventCodec.decode(publication.entry, at: publication.position)
        guard case .export(let app)? = event?.stream,
            case .export(.snapshotPublished(let record))? = event?.event
        else { return [] }
        var (size, changes): (Int, [JSONValue]) = (0, [])
        for change in try await log.signedChanges(app, record.position) {
            let json = JSONValue.object(change.json)
            let grown = size + json.canonicalBytes().count
            guard grown <= ChangeProof.sizeMaximum else { continue }
            size = grown
            changes.append(json)
        }
        return changes.reversed()
    }

    /// Hands what lies beside a current snapshot to whoever tells others of it.
    private mutating func take(_ proof: SnapshotProof, _ files: ProofFiles) {
        let cosignatures = files.cosignatures(of: proof.proof.proof.checkpoint)
        current[proof.app] = Proven(proof: proof, cosignatures: cosignatures)
        latest.put(proof)
    }
}

/// The newest proof of each app, for the queues that tell readers and sinks of it.
final class LatestProofs: Sendable {
    private let proofs = Mutex<[AppSlug: SnapshotProof]>([:])

    func put(_ proof: SnapshotProof) { proofs.withLock { $0[proof.app] = proof } }

    /// The proof of exactly that snapshot; `nil` while there is none.
    func proof(of app: AppSlug, _ record: PublicationRecord) -> SnapshotProof? {
        proofs.withLock { $0[app] }.flatMap { $0.record == record ? $0 : nil }
    }
}

/// What is done at the disk: it finds proofs, makes them from tiles, and writes them.
private struct ProofFiles: Sendable {
    let tiles: TileStore
    let trust: LogTrust
    let term: ExportTerm

    private var folder: ExportFolder { tiles.folder }

    /// The manifest of a current snapshot, and its proof if that is one.
    struct Found: Sendable {
        let digest: ContentDigest
        let proof: SnapshotProof?

        func isRecorded(by publication: Checkpoints.PublicationEntry) -> Bool {
            let event = try? EventCodec.decode(publication.entry, at: publication.position)
            guard case .export(.snapshotPublished(let record)) = event?.event else { return false }
            return record.manifestDigest == digest.hex
        }
    }

    func apps() throws -> [AppSlug] {
        try folder.currents.entries().compactMap(AppSlug.init).sorted()
    }

    func found(_ app: AppSlug, under checkpoint: SignedCheckpoint) throws -> Found? {
        guard let sequence = try SnapshotStore(folder).current(of: app),
            let digest = try digest(sequence, of: app)
        else { return nil }
        let proof = try proof(sequence, of: app, digest, under: checkpoint)
        return Found(digest: digest, proof: proof)
    }

    /// How many of the known witnesses cosigned it.
    func cosignatures(of checkpoint: SignedCheckpoint) -> Int {
        guard case .verified(let verified) = checkpoint.verification(by: trust) else { return 0 }
        return verified.cosignatures.count
    }

    /// Writes the proof unless one as good is there; `nil` where nothing of it is current.
    func prove(
        _ publication: Checkpoints.PublicationEntry,
        _ signed: [JSONValue],
        under checkpoint: SignedCheckpoint
    ) throws -> SnapshotProof? {
        let new: SnapshotProof
        do {
            new = try proof(of: publication, signed, under: checkpoint)
        } catch is SnapshotProofRefusal {
            // Whoever slipped it into the log must not keep others from being proven.
            Counter(label: "plimsoll.snapshot.proofs.refused").increment()
            return nil
        }
        let (app, sequence) = (new.app, new.record.sequence)
        // What was put aside or lost has no place for a proof; of what was lost and signed anew,
        // the last record counts.
        guard let digest = try digest(sequence, of: app), digest.hex == new.record.manifestDigest
        else { return nil }
        let isCurrent = try SnapshotStore(folder).current(of: app) == sequence
        if let known = try proof(sequence, of: app, digest, under: checkpoint),
            cosignatures(of: known.proof.proof.checkpoint) >= cosignatures(of: checkpoint)
        {
            return isCurrent ? known : nil
        }
        try FaultPoint.reached("export.proof.made")
        try term.write(new.proof.bytes, to: folder.proof(sequence, of: app))
        try FaultPoint.reached("export.proof.written")
        Counter(label: "plimsoll.snapshots.proven").increment()
        return isCurrent ? new : nil
    }

    private func proof(
        of publication: Checkpoints.PublicationEntry,
        _ signed: [JSONValue],
        under checkpoint: SignedCheckpoint
    ) throws -> SnapshotProof {
        let (index, size) = (
            Int(publication.position.rawValue) - 1, checkpoint.checkpoint.root.size
        )
        let hashes = try hashes(of: ProofOutline(of: index, in: size), size: size)
        let proof = EntryProof(
            entry: publication.entry,
            inclusion: try InclusionProof(of: index, in: size, reading: hashes.hash),
            checkpoint: checkpoint,
            changes: signed
        )
        guard case .verified = proof.verification(by: trust) else {
            throw ProofNotMade(position: publication.position, size: size)
        }
        return try SnapshotProof(proof)
    }

    private func digest(
        _ sequence: SnapshotSequence,
        of app: AppSlug
    ) throws(FileError) -> ContentDigest? {
        let path = folder.snapshot(sequence, of: app) / Manifest.fileName
        return try path.readIfPresent(sizeMaximum: SnapshotStore.fileSizeMaximum)
            .map { ContentDigest(of: $0) }
    }

    /// What lies there, if it proves that manifest in this log; whatever else it is, is replaced.
    private func proof(
        _ sequence: SnapshotSequence,
        of app: AppSlug,
        _ digest: ContentDigest,
        under checkpoint: SignedCheckpoint
    ) throws -> SnapshotProof? {
        let path = folder.proof(sequence, of: app)
        guard let bytes = try? path.readIfPresent(sizeMaximum: EntryProof.sizeMaximum),
            let proof = try? SnapshotProof(parsing: bytes), proof.app == app,
            proof.record.sequence == sequence, proof.record.manifestDigest == digest.hex,
            case .verified = proof.proof.verification(by: trust),
            try isOfOneLog(proof.proof.proof.checkpoint, checkpoint)
        else { return nil }
        return proof
    }

    /// Whether the larger of two checkpoints goes on from the other.
    private func isOfOneLog(_ one: SignedCheckpoint, _ other: SignedCheckpoint) throws -> Bool {
        let roots = [one, other].map(\.checkpoint.root).sorted { $0.size < $1.size }
        guard roots[0].size < roots[1].size else { return roots[0] == roots[1] }
        let outline = ProofOutline(from: roots[0].size, to: roots[1].size)
        // Of a history that was given up the tiles are not here any more.
        guard let hashes = try? hashes(of: outline, size: roots[1].size) else { return false }
        let proof = try ConsistencyProof(
            from: roots[0].size,
            to: roots[1].size,
            reading: hashes.hash
        )
        return proof.proves(roots[1], extends: roots[0])
    }

    private func hashes(of outline: ProofOutline, size: Int) throws -> TileHashes {
        var hashes = TileHashes()
        for address in outline.tiles(size: size) {
            guard let tile = try tiles.tile(address) else { throw TileMissing(address: address) }
            hashes.insert(tile)
        }
        return hashes
    }
}

/// The tiles on the disk do not lead from an entry of the log to what was signed.
struct ProofNotMade: Error, Equatable, CustomStringConvertible {
    let position: Position
    let size: Int

    var description: String {
        "the tiles do not prove that event \(position) is under the checkpoint over \(size) events;"
            + " run plimsoll verify log"
    }
}
