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
    var root: MerkleHash {
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
