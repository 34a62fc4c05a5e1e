package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollLog
import PlimsollPostgres
package import PlimsollStore
package import PlimsollSystem
import ServiceLifecycle

/// Publishes the log's newest checkpoint with the tiles under it.
///
/// The order, and why it holds whatever dies between two lines:
///
/// 1. The tiles are on the disk for good. They follow from the events alone and events are never
///    taken back, so what a killed process wrote is what the next one would write.
/// 2. The checkpoint is signed and becomes a row of `log.checkpoint`, which allows one root for
///    each size, for ever. From here on it is the log's word; nobody has seen it yet.
/// 3. `checkpoint` is renamed into place, unless another instance leads by now. A start finds the
///    row if this was not reached, and makes up for it.
/// 4. Partial tiles that full ones have replaced are removed.
///
/// Events are hashed from their entries; the hashes that the database keeps are not believed.
package struct LogPublisher: Sendable {
    private let log: PublicLog
    private let tiles: TileStore
    private let lead: Leadership
    private let memory: LogMemory?
    private let disk = Disk()

    private var checkpoints: Checkpoints { log.checkpoints }
    private var cosignatures: Cosignatures { log.cosignatures }
    private var key: LogKeyFile { log.key }

    /// Whether a checkpoint may get lines after it was published.
    var isWitnessed: Bool { !cosignatures.isEmpty }

    /// Signs nothing that this process has not read as a whole, where it says what it has.
    package init(
        _ log: PublicLog,
        _ folder: ExportFolder,
        lead: Leadership,
        memory: LogMemory? = nil
    ) {
        self.memory = memory
        self.log = log
        tiles = TileStore(folder)
        self.lead = lead
    }

    /// What the tree grows from, and who signs it; known in one term of the leader, since in between
    /// another one may have published more.
    package struct Edge: Sendable {
        let term: Fence
        let signer: LogSigner
        var builder: TileBuilder
        /// The checkpoint that is published, with the lines it has there.
        var note: [UInt8]?
        /// Whether every folder above the tiles is known to last.
        var isSettled = false
    }

    /// Proves snapshots by what is published here.
    func prover(_ latest: LatestProofs) -> SnapshotProver {
        SnapshotProver(log, tiles, lead: lead, latest)
    }

    /// Looks at what lies on the disk, from a tile of the lowest level on, and writes again what is
    /// not as it was published; answers which files that were, and the tile to go on with.
    package func scrub(
        _ edge: Edge,
        from start: Int = 0
    ) async throws -> (mended: [Path], next: Int) {
        let term = ExportTerm(try lead.confirm(edge.term).epoch, in: tiles.folder)
        return try await TileScrubber(
            tiles: tiles,
            files: checkpoints.files,
            disk: disk,
            term: term
        )
        .run(edge, from: start)
    }

    /// The room for tiles and checkpoints, as of now.
    var room: DiskRoom { DiskRoom(at: tiles.folder.root) }

    /// Takes up what is published, and finishes what a killed exporter began.
    package func begin() async throws -> Edge {
        let term = try lead.confirm()
        let latest = try await checkpoints.newest()
        let signer = try await signer(isFirst: latest == nil)
        var newest = try await checkpoints.newest(signedBy: signer.verifierKey)
        let tiles = tiles
        let published = try await disk.run {
            try tiles.prepare()
            try tiles.publish(signer.verifierKey)
            return try tiles.checkpoint()
        }
        if let published {
            try signer.check(published, at: tiles.folder)
            newest = try await recorded(published, newest, by: signer, in: term)
        } else if newest == nil, let latest {
            // Nothing shows that this is the log's key.
            try signer.check(latest)
        }
        var edge = Edge(
            term: term,
            signer: signer,
            builder: try await builder(of: newest?.root ?? .empty),
            note: published?.bytes
        )
        if let newest, published?.checkpoint.root != newest.root {
            try await publish(newest, &edge)
        }
        return edge
    }

    /// Publishes a checkpoint over all that the log has; answers its root.
    ///
    /// Where the log has not grown, the last one is published with the lines that witnesses have
    /// added since.
    package func publish(_ edge: inout Edge) async throws -> MerkleRoot {
        let tiles = tiles
        if try await disk.run({ try tiles.isEmptied() }) { edge = try await begin() }
        let size = edge.builder.size
        let full = try await grow(&edge.builder, to: memory.map { Int($0.tip.position.rawValue) })
        guard edge.builder.size > size else {
            if !cosignatures.isEmpty, let stored = try await checkpoints.checkpoint(size: size) {
                try await publish(try await cosignatures.note(of: stored), &edge)
            }
            return edge.builder.root
        }
        let signed = try edge.signer.signed(edge.builder.root)
        try await store(edge.builder.partialTiles, settlingWith: full, &edge)
        try FaultPoint.reached("export.log.tiles")
        let stored = try await checkpoints.add(
            StoredCheckpoint(frontier: edge.builder.frontier, note: signed.bytes),
            as: try lead.confirm(edge.term)
        )
        try edge.signer.check(stored)
        try FaultPoint.reached("export.log.recorded")
        try await publish(stored, &edge)
        try await disk.run { try tiles.removePartials(of: full) }
        return stored.root
    }
}

// MARK: - Steps

extension LogPublisher {
    /// The log's key; a log that was never signed gets one.
    private func signer(isFirst: Bool) async throws(PublicLogFailure) -> LogSigner {
        let (key, folder) = (key, tiles.folder)
        return try await disk.run { () throws(PublicLogFailure) in
            do {
                if let signer = try key.signer() { return signer }
                guard isFirst, try folder.logKey.status() == nil else {
                    throw LogKeyError.missing(key.path)
                }
                return try key.make()
            } catch let error as LogKeyError {
                throw .key(error)
            } catch let error as FileError {
                throw .disk(error)
            } catch {
                preconditionFailure("a key's file throws nothing else")
            }
        }
    }

    /// The newest record, now that of what is published: a failover may have lost the row alone, and
    /// it is there again where the log still has every event under it.
    private func recorded(
        _ published: SignedCheckpoint,
        _ newest: StoredCheckpoint?,
        by signer: LogSigner,
        in term: Fence
    ) async throws -> StoredCheckpoint? {
        let (root, known) = (published.checkpoint.root, newest?.frontier ?? MerkleFrontier())
        guard root.size > known.size else {
            guard root.size < known.size || root == newest?.root else {
                throw PublicLogFailure.forked(size: root.size)
            }
            return newest
        }
        let frontier = try await checkpoints.frontier(size: root.size, after: known)
        guard frontier.size == root.size else {
            throw PublicLogFailure.behind(published: root.size, recorded: known.size)
        }
        guard frontier.root == root else { throw PublicLogFailure.forked(size: root.size) }
        let stored = try await checkpoints.add(
            StoredCheckpoint(frontier: frontier, note: try signer.signed(root).bytes),
            as: try lead.confirm(term)
        )
        try signer.check(stored)
        // The lines of witnesses were lost with it. Those of others are not kept.
        _ = try await cosignatures.keep(published.bytes)
        return stored
    }

    /// The tree as it was signed: from its tiles, or from the events where tiles are missing.
    private func builder(of root: MerkleRoot) async throws -> TileBuilder {
        let tiles = tiles
        let stored = try await disk.run { () throws -> [HashTile] in
            guard try tiles.hasFullTiles(size: root.size) else { return [] }
            return try TileAddress.partial(size: root.size).compactMap { try tiles.tile($0) }
        }
        if let builder = TileBuilder(size: root.size, tiles: stored), builder.root == root {
            return builder
        }
        // No tile is written from events that do not lead to what was signed.
        guard try await checkpoints.root(size: root.size) == root else {
            throw PublicLogFailure.forked(size: root.size)
        }
        var builder = TileBuilder()
        _ = try await grow(&builder, to: root.size)
        guard builder.root == root else { throw PublicLogFailure.forked(size: root.size) }
        try await add(builder.partialTiles)
        return builder
    }

    /// Takes in the events behind those it has, and writes the tiles that become full; answers
    /// these.
    ///
    /// A stop of the service waits for one page, and then it is as if nothing had been asked.
    private func grow(_ builder: inout TileBuilder, to size: Int?) async throws -> [HashTile] {
        var full: [HashTile] = []
        while true {
            let limit = min(EventLog.pageMaximum, (size ?? .max) - builder.size)
            guard limit > 0 else { return full }
            let leaves = try await checkpoints.leaves(after: builder.size, limit: limit)
            guard !leaves.isEmpty else { return full }
            var page: [HashTile] = []
            for leaf in leaves { page += builder.append(leaf: leaf) }
            try await add(page)
            full += page
            if leaves.count == limit, builder.size != size, Task.isShuttingDownGracefully {
                throw CancellationError()
            }
        }
    }

    private func publish(_ checkpoint: StoredCheckpoint, _ edge: inout Edge) async throws {
        try await store(edge.builder.partialTiles, settlingWith: [], &edge)
        try await publish(try await cosignatures.note(of: checkpoint), &edge)
    }

    private func publish(_ note: [UInt8], _ edge: inout Edge) async throws {
        guard note != edge.note else { return }
        let (tiles, epoch) = (tiles, try lead.confirm(edge.term).epoch)
        try await disk.run { try tiles.publish(note, in: ExportTerm(epoch, in: tiles.folder)) }
        edge.note = note
    }

    private func store(
        _ partial: [HashTile],
        settlingWith full: [HashTile],
        _ edge: inout Edge
    ) async throws {
        try await add(partial)
        guard !edge.isSettled else { return }
        let tiles = tiles
        try await disk.run { try tiles.settle(partial + full) }
        edge.isSettled = true
    }

    private func add(_ added: [HashTile]) async throws {
        let tiles = tiles
        try await disk.run { try tiles.add(added) }
    }
}

extension LogSigner {
    /// Refuses a record that this key has not signed.
    fileprivate func check(_ stored: StoredCheckpoint) throws(PublicLogFailure) {
        let size = stored.root.size
        do {
            let signed = try SignedCheckpoint(parsing: stored.note)
            guard signed.checkpoint.root == stored.root else {
                let reason = "its note has another root"
                throw PublicLogFailure.foreignRecord(size: size, reason: reason)
            }
            try verify(signed)
        } catch let error as PublicLogFailure {
            throw error
        } catch {
            throw .foreignRecord(size: size, reason: "\(error)")
        }
    }

    fileprivate func signed(_ root: MerkleRoot) throws(PublicLogFailure) -> SignedCheckpoint {
        do throws(SigningFailure) {
            return try sign(root)
        } catch {
            throw .notSigned
        }
    }

    /// Refuses what is published if this key has not signed it.
    fileprivate func check(
        _ published: SignedCheckpoint,
        at folder: ExportFolder
    ) throws(PublicLogFailure) {
        do throws(CheckpointRefusal) {
            try verify(published)
        } catch {
            throw .foreignCheckpoint(folder.logCheckpoint, reason: "\(error)")
        }
    }

    private func verify(_ signed: SignedCheckpoint) throws(CheckpointRefusal) {
        switch signed.verification(by: LogTrust(logKeys: [verifierKey])) {
        case .verified: return
        case .refused(let refusal): throw refusal
        }
    }
}

/// What an exporter needs to publish the transparency log.
package struct PublicLog: Sendable {
    package let checkpoints: Checkpoints
    package let key: LogKeyFile
    let witnesses: [VerifierKey]
    /// What persons signed of what was live of an app at a position.
    let signedChanges: @Sendable (AppSlug, Position) async throws -> [ChangeProof]
    let cosignatures: Cosignatures

    /// Takes the witnesses whose lines are published under a checkpoint.
    package init(
        checkpoints: Checkpoints,
        key: LogKeyFile,
        witnesses: [VerifierKey] = [],
        signedChanges: @escaping @Sendable (AppSlug, Position) async throws -> [ChangeProof] = {
            _,
            _ in []
        }
    ) {
        self.checkpoints = checkpoints
        self.key = key
        self.witnesses = witnesses
        self.signedChanges = signedChanges
        cosignatures = Cosignatures(checkpoints, by: witnesses)
    }

    /// The newest that is recorded and that the log's own key has signed; `nil` without a key.
    package func newestCheckpoint() async throws(LogError) -> StoredCheckpoint? {
        guard let key = key.verifierKeyIfUsable else { return nil }
        return try await checkpoints.newest(signedBy: key)
    }
}

/// Why no checkpoint is published; what was published before stays.
package enum PublicLogFailure: Error, Equatable, Sendable {
    case key(LogKeyError)
    case disk(FileError)
    /// The folder is that of a log with another key.
    case foreignKey(Path)
    /// What lies there under the name of a tile is another one: the log is not what it was.
    case foreignTile(Path)
    /// What lies there is no checkpoint that the log's key has signed.
    case foreignCheckpoint(Path, reason: String)
    /// The database's own record of a checkpoint was not signed by the log's key.
    case foreignRecord(size: Int, reason: String)
    /// More was published than the database has: it is older than the export.
    case behind(published: Int, recorded: Int)
    /// The events have another root than the one that was signed over them.
    case forked(size: Int)
    case notSigned
}

extension PublicLogFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .key(let error): error.description
        case .disk(let error): error.description
        case .foreignKey(let path):
            "\(path) is the key of another log; bring the key back that belongs to it, or export to"
                + " another folder"
        case .foreignTile(let path):
            "the tile \(path) has other hashes than the log; the database was changed or another one"
                + " restored, or the file was. Run plimsoll verify log"
        case .foreignCheckpoint(let path, let reason):
            "\(path) is not a checkpoint of this log: \(reason)"
        case .foreignRecord(let size, let reason):
            "the database's checkpoint over \(size) events is not one of this log's key: \(reason)"
        case .behind(let published, let recorded):
            "a checkpoint over \(published) events is published, and the database's newest is over"
                + " \(recorded): an older database was restored. Restore the right one"
        case .forked(let size):
            "the first \(size) events have another root than the one that was signed; the database"
                + " was changed. Run plimsoll verify log"
        case .notSigned: "the log's key could not sign; it is tried again"
        }
    }
}
