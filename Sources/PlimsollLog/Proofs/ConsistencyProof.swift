/// Evidence that one tree is the beginning of another: that nothing was changed or taken away.
package struct ConsistencyProof: Hashable, Sendable {
    package let oldSize: Int
    package let newSize: Int
    package let path: [MerkleHash]

    package init(oldSize: Int, newSize: Int, path: [MerkleHash]) {
        self.oldSize = oldSize
        self.newSize = newSize
        self.path = path
    }

    /// Makes the proof from the roots of perfect subtrees, wherever they are kept.
    package init<Failure>(
        from old: Int,
        to new: Int,
        reading hash: (PerfectSubtree) throws(Failure) -> MerkleHash
    ) throws(Failure) {
        oldSize = old
        newSize = new
        path = try ProofOutline(from: old, to: new).path(reading: hash)
    }

    /// Whether the proof leads to both roots (RFC 9162, 2.1.4.2).
    package func proves(_ new: MerkleRoot, extends old: MerkleRoot) -> Bool {
        guard oldSize == old.size, newSize == new.size, oldSize <= newSize else { return false }
        if oldSize == newSize { return path.isEmpty && old == new }
        if oldSize == 0 { return path.isEmpty && old == .empty }
        guard !path.isEmpty else { return false }
        return leads(from: old, to: new)
    }

    private func leads(from old: MerkleRoot, to new: MerkleRoot) -> Bool {
        // An old tree that is perfect is a node of the new one, so the proof leaves it out.
        var hashes = (oldSize.nonzeroBitCount == 1 ? [old.hash] : []) + path
        let trailing = (~(oldSize - 1)).trailingZeroBitCount
        var node = (oldSize - 1) >> trailing
        var last = (newSize - 1) >> trailing
        let first = hashes.removeFirst()
        var (oldHash, newHash) = (first, first)
        for hash in hashes {
            guard last > 0 else { return false }
            if !node.isMultiple(of: 2) || node == last {
                oldHash = .node(hash, oldHash)
                newHash = .node(hash, newHash)
                while node.isMultiple(of: 2), node > 0 {
                    node >>= 1
                    last >>= 1
                }
            } else {
                newHash = .node(newHash, hash)
            }
            node >>= 1
            last >>= 1
        }
        return last == 0 && oldHash == old.hash && newHash == new.hash
    }
}
