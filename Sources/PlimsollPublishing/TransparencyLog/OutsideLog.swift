import PlimsollAPI
package import PlimsollLog
package import PlimsollStore
package import PlimsollSystem

/// What was signed over the log and lies outside the database, held against it.
///
/// It is the only place where a backup that was restored, or a history that was rewritten, shows
/// before it does harm. The events are hashed anew; the database's own records are not asked.
package struct OutsideLog: Sendable {
    private let checkpoints: Checkpoints
    private let tiles: TileStore
    private let key: LogKeyFile
    private let others: [CheckpointPlace]

    /// Takes checkpoints that lie elsewhere too.
    package init(_ log: PublicLog, _ folder: ExportFolder, others: [CheckpointPlace]) {
        checkpoints = log.checkpoints
        tiles = TileStore(folder)
        key = log.key
        self.others = others
    }

    /// Whether the database holds all that was signed, except what an operator gave up.
    ///
    /// Of events that are known by their tree nothing is hashed: of what was signed over fewer, the
    /// database's own record is believed, if it has one.
    package func consistency(after known: MerkleFrontier? = nil) async throws -> LogConsistency {
        // First: the log may grow meanwhile, and be signed.
        let found = try await found()
        if found.isEmpty, let root = try await unseen() { return .unseen(root) }
        let size = try await checkpoints.size()
        for (root, source) in found where try await !isGivenUp(root) {
            guard root.size <= size else { return .behind(root, source, size: size) }
            guard try await holds(root, after: known) else { return .forked(root, source) }
        }
        return .sound
    }

    /// What the database says was signed last, where nothing of that is here: it may be older than what
    /// was published, and nobody could tell.
    ///
    /// The first one may never have been published, and a log without its key is not published. Where
    /// an operator gave one up, the log that begins with what was left is not there yet.
    private func unseen() async throws -> MerkleRoot? {
        guard let key = key.verifierKeyIfUsable,
            let newest = try await checkpoints.newest(signedBy: key), newest.root.size > 0,
            try await checkpoints.newest(upTo: newest.root.size - 1, signedBy: key) != nil
        else { return nil }
        let kept = try renunciations.all(signedBy: [key]).map(\.kept).max()
        return kept.map { newest.root.size <= $0 } ?? false ? nil : newest.root
    }

    private func holds(
        _ root: MerkleRoot,
        after known: MerkleFrontier?
    ) async throws(LogError) -> Bool {
        if let known, root.size >= known.size {
            return try await checkpoints.root(size: root.size, after: known) == root
        }
        if known != nil, try await checkpoints.checkpoint(size: root.size)?.root == root {
            return true
        }
        return try await checkpoints.root(size: root.size) == root
    }

    /// Records that an operator goes on without what was signed there: in the database, and first
    /// in a note outside it that only the holder of the log's key can sign.
    package func giveUp(_ root: MerkleRoot) async throws {
        guard let signer = try key.signer() else { throw LogKeyError.missing(key.path) }
        let note = try signer.giveUp(root, keeping: try await checkpoints.size())
        try renunciations.add(note, of: root)
        try await checkpoints.overrule(root)
    }

    /// Whether an operator has given it up; neither the database is believed nor what lies beside
    /// the published log, where its key is anybody's who can write there.
    private func isGivenUp(_ root: MerkleRoot) async throws(LogError) -> Bool {
        guard
            let signer = try? key.signer(),
            renunciations.find(root, signedBy: [signer.verifierKey]) != nil
        else { return false }
        return try await checkpoints.isOverruled(root)
    }

    private var renunciations: CheckpointOverrides { CheckpointOverrides(tiles.folder) }

    /// Keeps a published log that was given up beside the one that begins, as evidence; answers
    /// where, if there was one.
    package func setAside() async throws -> Path? {
        let folder = tiles.folder
        // What is no checkpoint was not given up; the exporter complains of it, and the service
        // runs.
        guard
            let root = try? tiles.checkpoint()?.checkpoint.root,
            try await isGivenUp(root)
        else { return nil }
        var place = folder.logSetAside(root)
        // An export folder that is put back over this one brings once more what was given up.
        while try place.status() != nil { place = folder.root / "\(place.name)-again" }
        try folder.log.rename(to: place)
        try folder.root.synchronizeFolder()
        return place
    }

    /// The checkpoints of this log, the longest first.
    private func found() async throws -> [(root: MerkleRoot, source: String)] {
        let published = PublishedCheckpoint(tiles, key)
        let trust = published.trust
        var found: [(root: MerkleRoot, source: String)] = []
        if let root = published.root { found.append((root, published.source)) }
        for other in others {
            found.append((try await root(of: other, by: trust), other.name))
        }
        return found.sorted { $0.root.size > $1.root.size }
    }

    private func root(
        of other: CheckpointPlace,
        by trust: LogTrust
    ) async throws -> MerkleRoot {
        let bytes = try await other.read()
        let signed: SignedCheckpoint
        do throws(CheckpointError) {
            signed = try SignedCheckpoint(parsing: bytes)
        } catch {
            throw OutsideCheckpointUnusable(place: other.name, reason: "\(error)")
        }
        if case .refused(let refusal) = signed.verification(by: trust) {
            throw OutsideCheckpointUnusable(place: other.name, reason: "\(refusal)")
        }
        return signed.checkpoint.root
    }
}

/// How the database stands to what was signed over it.
package enum LogConsistency: Equatable, Sendable {
    case sound
    /// More was signed than the database has.
    case behind(MerkleRoot, String, size: Int)
    /// Something else was signed than the database has.
    case forked(MerkleRoot, String)
    /// The database says that this was signed, and nothing of it is here to hold it against.
    case unseen(MerkleRoot)

    /// The checkpoint that the database does not hold.
    package var lost: MerkleRoot? {
        switch self {
        case .sound, .unseen: nil
        case .behind(let root, _, _), .forked(let root, _): root
        }
    }

    /// Why nothing may be appended, and what an operator can do; `nil` where all is well.
    package var prohibition: Prohibition? {
        switch self {
        case .sound:
            nil
        case .behind(let root, let source, let size):
            Prohibition(
                .logBehind,
                "The database has \(size) events, and a checkpoint over \(root.size) was"
                    + " published (\(source)): an older database was restored, or events were lost."
                    + Self.advice(root)
            )
        case .forked(let root, let source):
            Prohibition(
                .logForked,
                "The first \(root.size) events of the database are not those that a checkpoint"
                    + " was published over (\(source)): another database was restored, or this one"
                    + " was changed." + Self.advice(root)
            )
        case .unseen(let root):
            Prohibition(
                .logBehind,
                "The database says that a checkpoint over \(root.size) events was published, and none"
                    + " that can be read is in the export folder: nobody can tell whether more was. Nothing is appended"
                    + " and nothing signed. Restore the export folder that belongs to the database, or"
                    + " name a checkpoint that was kept with --outside-checkpoint, and start again. If"
                    + " there is none, start once with --accept-log \(root.size):\(root.hash)."
            )
        }
    }

    private static func advice(_ root: MerkleRoot) -> String {
        " Nothing is appended and nothing signed; phones get what was published last. Restore the"
            + " right database and start again. If it is lost for good, start once with --accept-log"
            + " \(root.size):\(root.hash), which records that it was given up."
    }
}

/// Where somebody else keeps a checkpoint that the log has to agree with.
package struct CheckpointPlace: Sendable {
    /// Where it is, without secrets.
    package let name: String
    package let read: @Sendable () async throws -> [UInt8]

    package static let sizeMaximum = SignedNote.byteCountMaximum

    /// A file, such as a copy on another machine.
    package init(in file: Path) {
        name = file.description
        read = {
            do throws(FileError) {
                return try file.read(sizeMaximum: Self.sizeMaximum)
            } catch {
                throw OutsideCheckpointUnusable(place: file.description, reason: "\(error)")
            }
        }
    }

    /// An address, such as that of another edge.
    package init(
        at url: String,
        fetch: @escaping @Sendable (_ url: String) async throws -> [UInt8]
    ) {
        let name = ServiceAddress.withoutSecrets(url)
        self.name = name
        read = {
            do {
                return try await fetch(url)
            } catch {
                throw OutsideCheckpointAway(place: name, reason: "\(error)")
            }
        }
    }
}

/// A checkpoint that an operator named cannot be compared with.
package struct OutsideCheckpointUnusable: Error, Equatable, Sendable, CustomStringConvertible {
    package let place: String
    package let reason: String

    package var description: String {
        "The checkpoint \(place) cannot be compared with the log: \(reason). Name another one with"
            + " --outside-checkpoint, or leave the option out."
    }
}

/// A checkpoint that an operator named cannot be fetched now; whoever waits may have it later.
package struct OutsideCheckpointAway: Error, Equatable, Sendable, CustomStringConvertible {
    package let place: String
    package let reason: String

    package var description: String {
        "The checkpoint \(place) cannot be fetched, and nothing is written before it was compared"
            + " with the log: \(reason) It is tried again; to go on without it, start without that"
            + " --outside-checkpoint."
    }
}

/// What was signed and given up: one note for each checkpoint, outside the database.
///
/// Only whoever has the log's key can write one; that the database says the same is not enough.
package struct CheckpointOverrides: Sendable {
    private let folder: ExportFolder

    package init(_ folder: ExportFolder) {
        self.folder = folder
    }

    package func add(_ note: SignedNote, of root: MerkleRoot) throws(FileError) {
        try folder.givenUp.createFolder()
        try folder.givenUp(root).writeDurably(note.bytes)
        try folder.root.synchronizeFolder()
    }

    /// All that somebody with one of the keys has given up.
    package func all(signedBy keys: [VerifierKey]) throws(FileError) -> [CheckpointOverride] {
        try folder.givenUp.entriesIfPresent()
            .compactMap { read(folder.givenUp / $0, signedBy: keys) }
    }

    /// What was said of a checkpoint; `nil` where nobody with one of the keys has given it up.
    package func find(_ root: MerkleRoot, signedBy keys: [VerifierKey]) -> CheckpointOverride? {
        read(folder.givenUp(root), signedBy: keys).flatMap { $0.root == root ? $0 : nil }
    }

    /// What cannot be read permits nothing.
    private func read(_ path: Path, signedBy keys: [VerifierKey]) -> CheckpointOverride? {
        let limit = SignedNote.byteCountMaximum
        return (try? path.readIfPresent(sizeMaximum: limit)).flatMap {
            CheckpointOverride(parsing: $0, signedBy: keys)
        }
    }
}
