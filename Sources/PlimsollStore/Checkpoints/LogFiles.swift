package import PlimsollDomain
package import PlimsollLog
import Synchronization

extension Checkpoints {
    /// The files that follow from the log.
    package var files: LogFiles { LogFiles(log) }
}

/// The transparency log as files that are computed from the database, entries among them.
///
/// Any process answers the same bytes, whether it exports or not. Roots of full tiles never change
/// and are kept, 32 bytes each; without them every tile above the lowest level would cost a scan.
package final class LogFiles: Sendable {
    private let checkpoints: Checkpoints
    private let cosignatures: Cosignatures
    private let logKey: @Sendable () -> VerifierKey?
    private let roots = Mutex<[TileAddress: MerkleHash]>([:])
    private let turns = Turns()

    /// Takes the witnesses whose lines are shown under a checkpoint, and the key that has to have signed
    /// it, where that is known.
    package init(
        _ log: EventLog,
        witnesses: [VerifierKey] = [],
        signedBy logKey: @escaping @Sendable () -> VerifierKey? = { nil }
    ) {
        checkpoints = Checkpoints(log)
        self.logKey = logKey
        cosignatures = Cosignatures(checkpoints, by: witnesses)
    }

    /// The key that has to have signed a checkpoint, where it is known by now.
    package var key: VerifierKey? { logKey() }

    /// The newest checkpoint, as it was signed and cosigned; `nil` before the first.
    package func checkpoint() async throws(LogError) -> [UInt8]? {
        guard let newest = try await checkpoints.newest(signedBy: logKey()) else { return nil }
        return try await cosignatures.note(of: newest)
    }

    /// Keeps what witnesses say of a checkpoint.
    package func keep(
        cosigned note: [UInt8]
    ) async throws(LogError) -> Result<[UInt8], Cosignatures.Refusal> {
        try await cosignatures.keep(note)
    }

    /// The file at a path such as `tile/0/x001/234.p/7` or `tile/entries/000`; `nil` if the newest
    /// checkpoint does not cover all of it.
    package func tile(_ path: String) async throws(LogError) -> [UInt8]? {
        guard
            let address = TileAddress(path: path),
            let newest = try await checkpoints.newest(signedBy: logKey()),
            address.isWithin(size: newest.root.size)
        else { return nil }
        switch address.content {
        case .hashes: return try await tile(address).bytes
        case .entries:
            let begin = address.index * TileAddress.fullWidth
            let entries = try await checkpoints.entries(after: begin, limit: address.width)
            guard let bundle = EntryBundle(address, entries: entries) else {
                throw Self.shortened(address, by: entries.count)
            }
            return bundle.bytes
        }
    }

    /// The proof that the event at a position is in the newest checkpoint, as a file of
    /// c2sp.org/tlog-proof; `nil` if that does not cover it.
    package func proof(of position: Position) async throws(LogError) -> [UInt8]? {
        guard let newest = try await checkpoints.newest(signedBy: logKey()) else { return nil }
        let size = newest.root.size
        guard position > .start, position.rawValue <= Int64(size) else { return nil }
        let index = Int(position.rawValue) - 1
        var tiles = TileHashes()
        for address in ProofOutline(of: index, in: size).tiles(size: size) {
            tiles.insert(try await tile(address))
        }
        let note = try await cosignatures.note(of: newest)
        do {
            return LogProof(
                inclusion: try InclusionProof(of: index, in: size, reading: tiles.hash),
                checkpoint: try SignedCheckpoint(parsing: note)
            ).bytes
        } catch {
            throw .contradictoryCheckpoint(size: size)
        }
    }

    private func tile(_ address: TileAddress) async throws(LogError) -> HashTile {
        let begin = address.index * TileAddress.fullWidth
        var hashes: [MerkleHash] = []
        if address.level == 0 {
            hashes = try await checkpoints.leaves(after: begin, limit: address.width)
        } else {
            for index in begin..<begin + address.width {
                guard let below = TileAddress(.hashes(level: address.level - 1), index: index)
                else { preconditionFailure("a tile stands on tiles") }
                hashes.append(try await root(of: below))
            }
        }
        guard let tile = HashTile(address, hashes: hashes) else {
            throw Self.shortened(address, by: hashes.count)
        }
        return tile
    }

    /// Those who ask for it at once get there together: only at the lowest level is the log read, by
    /// one at a time, who leaves the root to the others.
    private func root(of full: TileAddress) async throws(LogError) -> MerkleHash {
        if let known = root(known: full) { return known }
        guard full.level == 0 else { return try await keepRoot(of: full) }
        await turns.begin()
        defer { turns.end() }
        if let known = root(known: full) { return known }
        return try await keepRoot(of: full)
    }

    private func root(known full: TileAddress) -> MerkleHash? {
        roots.withLock { $0[full] }
    }

    private func keepRoot(of full: TileAddress) async throws(LogError) -> MerkleHash {
        let root = MerkleTree(leaves: try await tile(full).hashes).root.hash
        roots.withLock { $0[full] = root }
        return root
    }

    private static func shortened(_ address: TileAddress, by count: Int) -> LogError {
        let begin = address.index * TileAddress.fullWidth
        return .shortened(
            expected: Position(begin + address.width),
            found: Position(begin + count)
        )
    }
}
