/// The least that has to be kept of a tree so that it can grow: the roots of its perfect
/// subtrees, largest first, one for each 1-bit of its size.
///
/// Appending costs about two hashes, whatever the size.
package struct MerkleFrontier: Hashable, Sendable {
    package private(set) var size: Int
    package private(set) var hashes: [MerkleHash]

    /// The tree without entries.
    package init() {
        size = 0
        hashes = []
    }

    /// A frontier as it was stored; `nil` if it cannot be one of that size.
    package init?(size: Int, hashes: [MerkleHash]) {
        guard size >= 0, hashes.count == size.nonzeroBitCount else { return nil }
        self.size = size
        self.hashes = hashes
    }

    /// A frontier from its ``bytes``; `nil` if they cannot be those of that size.
    package init?(size: Int, bytes: [UInt8]) {
        guard bytes.count % MerkleHash.byteCount == 0 else { return nil }
        self.init(size: size, hashes: [MerkleHash](concatenated: bytes))
    }

    /// The hashes one behind the other, as they are stored.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for hash in hashes { hash.append(to: &bytes) }
        return bytes
    }

    /// Makes the frontier of a tree of which the roots of perfect subtrees are stored elsewhere.
    package init<Failure>(
        size: Int,
        reading hash: (PerfectSubtree) throws(Failure) -> MerkleHash
    ) throws(Failure) {
        precondition(size >= 0, "the size of a tree counts its entries")
        self.size = size
        hashes = try PerfectSubtree.covering(0..<size).map(hash)
    }

    package mutating func append(entry: [UInt8]) {
        append(leaf: .leaf(entry))
    }

    /// Adds a leaf; each trailing 1-bit of the size is a subtree that becomes part of a larger.
    package mutating func append(leaf: MerkleHash) {
        var subtree = leaf
        for _ in 0..<(~size).trailingZeroBitCount {
            subtree = .node(hashes.removeLast(), subtree)
        }
        hashes.append(subtree)
        size += 1
    }

    /// The root at this size, folded from the smallest subtree to the largest.
    package var root: MerkleRoot { MerkleRoot(size: size, hash: .folding(hashes)) }
}
