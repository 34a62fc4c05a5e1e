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
        let hashes = stride(from: 0, to: bytes.count, by: MerkleHash.byteCount).compactMap {
            MerkleHash(bytes: bytes[$0..<$0 + MerkleHash.byteCount])
        }
        self.init(size: size, hashes: hashes)
    }

    /// The hashes one behind the other, as they are stored.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for hash in hashes { hash.append(to: &bytes) }
        return bytes
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
    package var root: MerkleRoot {
        guard var hash = hashes.last else { return .empty }
        for larger in hashes.dropLast().reversed() { hash = .node(larger, hash) }
        return MerkleRoot(size: size, hash: hash)
    }
}
