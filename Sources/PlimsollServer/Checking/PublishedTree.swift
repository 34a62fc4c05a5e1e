import PlimsollDomain
import PlimsollLog

/// The tiles that are published under a checkpoint, held against the tree that was signed.
struct PublishedTree: Sendable {
    private let tiles: PublishedTiles

    init(_ read: @escaping PublicReading) {
        tiles = PublishedTiles(read: read)
    }

    /// The first tile that is not what the leaves make, or is missing.
    func damage(under leaves: some Sequence<MerkleHash>) async throws -> TileAddress? {
        var builder = TileBuilder()
        for leaf in leaves {
            for tile in builder.append(leaf: leaf) where try await !has(tile) {
                return tile.address
            }
        }
        for tile in builder.partialTiles where try await !has(tile) { return tile.address }
        return nil
    }

    /// Whether every tile is what the checkpoint was signed over, as far as they tell themselves.
    func isWhole(under root: MerkleRoot) async throws -> Bool {
        guard let leaves = try await tiles.leaves(of: root) else { return false }
        return try await damage(under: leaves) == nil
    }

    private func has(_ tile: HashTile) async throws -> Bool {
        try await tiles.tile(tile.address)?.bytes == tile.bytes
    }
}

extension TileAddress {
    /// The first event whose hash the tile is made of.
    var firstEvent: Position {
        Position((index << (8 * (level + 1))) + 1)
    }
}
