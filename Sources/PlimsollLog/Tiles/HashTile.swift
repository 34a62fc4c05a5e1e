/// Hashes that lie side by side at one level of the tree, as one file keeps them.
package struct HashTile: Hashable, Sendable {
    package let address: TileAddress
    package let hashes: [MerkleHash]

    /// Takes the hashes of a tile; `nil` if they are not as many as its address says.
    package init?(_ address: TileAddress, hashes: [MerkleHash]) {
        guard case .hashes = address.content, hashes.count == address.width else { return nil }
        self.address = address
        self.hashes = hashes
    }

    /// Reads a tile from its file.
    package init?(_ address: TileAddress, bytes: [UInt8]) {
        guard bytes.count == address.width * MerkleHash.byteCount else { return nil }
        self.init(address, hashes: [MerkleHash](concatenated: bytes))
    }

    /// What the file holds.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hashes.count * MerkleHash.byteCount)
        for hash in hashes { hash.append(to: &bytes) }
        return bytes
    }

    /// The part that a tree had when the tile was narrower; `nil` if it never was that narrow.
    package func narrowed(to width: Int) -> HashTile? {
        guard
            width <= hashes.count,
            let narrow = TileAddress(address.content, index: address.index, width: width)
        else { return nil }
        return HashTile(narrow, hashes: Array(hashes.prefix(width)))
    }

    /// The root of a perfect subtree whose hashes are in the tile; `nil` if they are not.
    package func hash(of subtree: PerfectSubtree) -> MerkleHash? {
        guard subtree.level / 8 == address.level else { return nil }
        let count = 1 << (subtree.level % 8)
        let begin = subtree.index * count - address.index * TileAddress.fullWidth
        guard begin >= 0, begin + count <= hashes.count else { return nil }
        return Self.root(over: hashes[begin..<begin + count])
    }

    /// The root of a full tile, which is one hash of the level above.
    package var root: MerkleHash {
        precondition(address.isFull, "a partial tile is never hashed upwards")
        return Self.root(over: hashes[...])
    }

    private static func root(over hashes: ArraySlice<MerkleHash>) -> MerkleHash {
        var row = Array(hashes)
        while row.count > 1 {
            row = stride(from: 0, to: row.count, by: 2).map { .node(row[$0], row[$0 + 1]) }
        }
        return row[0]
    }
}

extension [MerkleHash] {
    /// Takes hashes apart that lie one behind the other; what is no whole hash is left out.
    init(concatenated bytes: [UInt8]) {
        let count = MerkleHash.byteCount
        self = stride(from: 0, through: bytes.count - count, by: count).compactMap {
            MerkleHash(bytes: bytes[$0..<$0 + count])
        }
    }
}

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

/// Up to 256 entries side by side as one file keeps them, each behind its length in two bytes.
///
/// Entries are not public: only auditors get them.
package struct EntryBundle: Hashable, Sendable {
    package let address: TileAddress
    package let entries: [[UInt8]]

    package static let entryByteCountMaximum = 65_535

    /// Takes the entries of a tile; `nil` if they are not as many as its address says, or one is
    /// too long.
    package init?(_ address: TileAddress, entries: [[UInt8]]) {
        guard
            case .entries = address.content, entries.count == address.width,
            entries.allSatisfy({ $0.count <= Self.entryByteCountMaximum })
        else { return nil }
        self.address = address
        self.entries = entries
    }

    /// Reads a bundle from its file, to which nothing may be missing or added.
    package init?(_ address: TileAddress, bytes: [UInt8]) {
        var entries: [[UInt8]] = []
        var rest = bytes[...]
        while let high = rest.popFirst() {
            guard entries.count < address.width, let low = rest.popFirst() else { return nil }
            let count = Int(high) << 8 | Int(low)
            guard rest.count >= count else { return nil }
            entries.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        self.init(address, entries: entries)
    }

    /// What the file holds.
    package var bytes: [UInt8] {
        entries.flatMap { entry in
            [UInt8(entry.count >> 8), UInt8(entry.count & 0xFF)] + entry
        }
    }

    /// The tile at level 0 with the hashes of these entries.
    package var leaves: HashTile? {
        TileAddress(.hashes(level: 0), index: address.index, width: address.width).flatMap {
            HashTile($0, hashes: entries.map(MerkleHash.leaf))
        }
    }
}

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
