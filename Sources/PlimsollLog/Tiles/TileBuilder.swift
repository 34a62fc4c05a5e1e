/// The right edge of a growing tree: what is not yet part of a full tile, level by level.
///
/// It is all that has to be kept to go on, a few thousand bytes whatever the size. Write full
/// tiles as they come, then ``partialTiles``, all durable, and only then sign ``root``.
package struct TileBuilder: Hashable, Sendable {
    package private(set) var size: Int
    /// The hashes of the partial tile of each level, of which the highest may be empty.
    private var levels: [[MerkleHash]]

    /// The tree without entries.
    package init() {
        size = 0
        levels = [[]]
    }

    /// Goes on from tiles that were stored, the partial ones of a size or wider ones.
    ///
    /// `nil` if one of them is missing. Compare ``root`` with the one that was signed, which tells
    /// whether they are the right ones.
    package init?(size: Int, tiles: [HashTile]) {
        precondition(size >= 0, "the size of a tree counts its entries")
        self.size = size
        levels = [[]]
        for address in TileAddress.partial(size: size) {
            let stored = tiles.first {
                $0.address.full == address.full && $0.address.width >= address.width
            }
            guard let stored else { return nil }
            while levels.count <= address.level { levels.append([]) }
            levels[address.level] = Array(stored.hashes.prefix(address.width))
        }
    }

    /// Adds a leaf, and gives back the tiles that became full by it, lowest level first.
    package mutating func append(leaf: MerkleHash) -> [HashTile] {
        size += 1
        levels[0].append(leaf)
        var full: [HashTile] = []
        while levels[full.count].count == TileAddress.fullWidth,
            let tile = tile(level: full.count)
        {
            full.append(tile)
            levels[full.count - 1] = []
            if full.count == levels.count { levels.append([]) }
            levels[full.count].append(tile.root)
        }
        return full
    }

    /// The tiles at the right edge that are not full, lowest level first; none is empty.
    package var partialTiles: [HashTile] { levels.indices.compactMap(tile(level:)) }

    package var root: MerkleRoot { frontier.root }

    /// The same edge as a list of subtrees.
    package var frontier: MerkleFrontier {
        MerkleFrontier(size: size) { subtree in
            guard let hash = tile(level: subtree.level / 8)?.hash(of: subtree) else {
                preconditionFailure("the edge has the hash of every subtree that ends at it")
            }
            return hash
        }
    }

    private func tile(level: Int) -> HashTile? {
        guard level < levels.count else { return nil }
        let hashes = levels[level]
        let index = ((size >> (8 * level)) - hashes.count) / TileAddress.fullWidth
        let address = TileAddress(.hashes(level: level), index: index, width: hashes.count)
        return address.flatMap { HashTile($0, hashes: hashes) }
    }
}

extension TileAddress {
    /// The partial tiles of hashes of a tree, lowest level first.
    package static func partial(size: Int) -> [TileAddress] {
        var tiles: [TileAddress] = []
        var (level, count) = (0, size)
        while count > 0 {
            let (index, width) = count.quotientAndRemainder(dividingBy: fullWidth)
            if let tile = TileAddress(.hashes(level: level), index: index, width: width) {
                tiles.append(tile)
            }
            (level, count) = (level + 1, count >> 8)
        }
        return tiles
    }
}
