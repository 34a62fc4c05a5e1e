/// Evidence that an entry stands at an index of a tree, without the other entries.
package struct InclusionProof: Hashable, Sendable {
    /// Counted from 0: the entry at position `n` of the log has index `n − 1`.
    package let index: Int

    /// How many entries the tree has.
    package let size: Int

    /// The subtrees beside the way from the leaf to the root, the leaf's sibling first.
    package let path: [MerkleHash]

    package init(index: Int, size: Int, path: [MerkleHash]) {
        self.index = index
        self.size = size
        self.path = path
    }

    /// Makes the proof from the roots of perfect subtrees, wherever they are kept.
    package init<Failure>(
        of index: Int,
        in size: Int,
        reading hash: (PerfectSubtree) throws(Failure) -> MerkleHash
    ) throws(Failure) {
        self.index = index
        self.size = size
        path = try ProofOutline(of: index, in: size).path(reading: hash)
    }

    /// Whether the proof leads from the leaf to that root (RFC 9162, 2.1.3.2).
    package func proves(_ leaf: MerkleHash, in root: MerkleRoot) -> Bool {
        guard size == root.size, index >= 0, index < size else { return false }
        var node = index
        var last = size - 1
        var hash = leaf
        for sibling in path {
            guard last > 0 else { return false }
            if !node.isMultiple(of: 2) || node == last {
                hash = .node(sibling, hash)
                while node.isMultiple(of: 2), node > 0 {
                    node >>= 1
                    last >>= 1
                }
            } else {
                hash = .node(hash, sibling)
            }
            node >>= 1
            last >>= 1
        }
        return last == 0 && hash == root.hash
    }
}
