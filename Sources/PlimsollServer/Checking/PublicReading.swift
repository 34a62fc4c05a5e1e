import PlimsollSystem
import PlimsollLog

/// Reads what is published under a name such as `manifest.json` or `tile/0/000`; `nil` where there
/// is nothing of that name.
package typealias PublicReading = @Sendable (_ name: String) async throws -> [UInt8]?

/// Reads the files of a folder, by its absolute path.
package func publicReading(ofFolder folder: String) -> PublicReading {
    publicReading(of: Path(folder))
}

func publicReading(of folder: Path) -> PublicReading {
    { name in
        let parts = name.split(separator: "/")
        let file = parts.reduce(folder) { $0 / String($1) }
        return try file.readIfPresent(sizeMaximum: 64 << 20)
    }
}

/// The tiles of a published log, fetched as they are needed.
struct PublishedTiles {
    let read: PublicReading

    /// The tile, or the full one where a partial one is gone already.
    func tile(_ address: TileAddress) async throws -> HashTile? {
        if let bytes = try await read(address.path) { return HashTile(address, bytes: bytes) }
        guard !address.isFull, let bytes = try await read(address.full.path) else { return nil }
        return HashTile(address.full, bytes: bytes)?.narrowed(to: address.width)
    }

    /// The hashes that a proof is made of.
    func hashes(of outline: ProofOutline, size: Int) async throws -> TileHashes? {
        var hashes = TileHashes()
        for address in outline.tiles(size: size) {
            guard let tile = try await tile(address) else { return nil }
            hashes.insert(tile)
        }
        return hashes
    }

    /// The leaves of the tree of so many, if all of them are there and lead to its root.
    func leaves(of root: MerkleRoot) async throws -> [MerkleHash]? {
        var frontier = MerkleFrontier()
        var leaves: [MerkleHash] = []
        while leaves.count < root.size {
            let width = min(TileAddress.fullWidth, root.size - leaves.count)
            let index = leaves.count / TileAddress.fullWidth
            guard
                let address = TileAddress(.hashes(level: 0), index: index, width: width),
                let tile = try await tile(address)
            else { return nil }
            for leaf in tile.hashes { frontier.append(leaf: leaf) }
            leaves += tile.hashes
        }
        return frontier.root == root ? leaves : nil
    }
}
