package import PlimsollLog
package import PlimsollPostgres
package import PlimsollStore
import PlimsollSystem

/// The newest checkpoint that lies in the export folder, whoever of all instances published it.
package struct PublishedCheckpoint: Sendable {
    private let tiles: TileStore
    private let key: LogKeyFile

    init(_ tiles: TileStore, _ key: LogKeyFile) {
        self.tiles = tiles
        self.key = key
    }

    package init(in folder: ExportFolder, signedBy key: LogKeyFile) {
        self.init(TileStore(folder), key)
    }

    var source: String { tiles.folder.logCheckpoint.description }

    /// Of one that is not signed nothing is said; the exporter, who would replace it, complains.
    var root: MerkleRoot? {
        guard let signed = try? tiles.checkpoint(),
            case .verified = signed.verification(by: trust)
        else { return nil }
        return signed.checkpoint.root
    }

    /// The same, where the log's own key has signed it; that which lies beside it is not asked.
    package var ownRoot: MerkleRoot? {
        guard let signed = try? tiles.checkpoint(), let key = ownKey,
            case .verified = signed.verification(by: LogTrust(logKeys: [key]))
        else { return nil }
        return signed.checkpoint.root
    }

    /// The log's key, from its own file.
    package var ownKey: VerifierKey? { key.verifierKeyIfUsable }

    /// The log's key, from its own file or from where it is published.
    var trust: LogTrust {
        var keys = [ownKey].compactMap(\.self)
        if let known = try? tiles.key(), !keys.contains(known) { keys.append(known) }
        return LogTrust(logKeys: keys)
    }

    /// How the database of a session stands to it.
    ///
    /// What was published was recorded there before; only where that is not found, the events are
    /// hashed anew.
    package func consistency(on session: Session) async throws(LogError) -> LogConsistency {
        guard let root else { return .sound }
        let checkpoints = Checkpoints(EventLog(session))
        if try await checkpoints.checkpoint(size: root.size)?.root == root { return .sound }
        let size = try await checkpoints.size()
        guard root.size <= size else { return .behind(root, source, size: size) }
        guard try await checkpoints.root(size: root.size) == root else {
            return .forked(root, source)
        }
        return .sound
    }
}
