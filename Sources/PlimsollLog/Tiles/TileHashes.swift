/// Tiles that were fetched, as the source of proofs.
///
/// Whoever does not trust where they came from makes a proof from them and checks it against a
/// root that was signed: a wrong hash leads to another root.
package struct TileHashes: Sendable {
    private var tiles: [Place: HashTile] = [:]

    private struct Place: Hashable {
        let level: Int
        let index: Int
    }

    package init(_ tiles: some Sequence<HashTile> = []) {
        for tile in tiles { insert(tile) }
    }

    /// Adds a tile; of two with the same place the wider stays.
    package mutating func insert(_ tile: HashTile) {
        let place = Place(level: tile.address.level, index: tile.address.index)
        if let known = tiles[place], known.hashes.count >= tile.hashes.count { return }
        tiles[place] = tile
    }

    /// The root of a perfect subtree.
    package func hash(of subtree: PerfectSubtree) throws(TileMissing) -> MerkleHash {
        let address = TileAddress(with: subtree, in: subtree.leaves.upperBound)
        let tile = tiles[Place(level: address.level, index: address.index)]
        guard let hash = tile?.hash(of: subtree) else { throw TileMissing(address: address) }
        return hash
    }
}

/// A tile was not fetched, or is narrower than its tree.
package struct TileMissing: Error, Equatable, Sendable {
    /// The narrowest that would do.
    package let address: TileAddress

    package init(address: TileAddress) {
        self.address = address
    }
}

extension TileMissing: CustomStringConvertible {
    package var description: String {
        "The tile \(address) is missing; fetch it, or the full tile \(address.full)."
    }
}

extension ProofOutline {
    /// The tiles of a tree of a size that the proof is made from, each once, in no order.
    ///
    /// The size is that of a checkpoint, for which the partial tiles are sure to exist.
    package func tiles(size: Int) -> Set<TileAddress> {
        Set(subtrees.map { TileAddress(with: $0, in: size) })
    }
}
