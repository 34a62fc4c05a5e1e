/// A whole tree, from which roots and proofs of every size up to its own are made.
///
/// It keeps the root of every perfect subtree, about two hashes for an entry, so a proof costs a
/// few hashes instead of one for each entry.
package struct MerkleTree: Sendable {
    /// `levels[l][i]` is the root over the leaves from `i · 2ˡ` to before `(i + 1) · 2ˡ`.
    private var levels: [[MerkleHash]] = [[]]

    package init(leaves: some Sequence<MerkleHash> = []) {
        for leaf in leaves { append(leaf: leaf) }
    }

    package var size: Int { levels[0].count }

    package mutating func append(leaf: MerkleHash) {
        var level = 0
        levels[0].append(leaf)
        while levels[level].count.isMultiple(of: 2) {
            let count = levels[level].count
            let parent = MerkleHash.node(levels[level][count - 2], levels[level][count - 1])
            level += 1
            if level == levels.count { levels.append([]) }
            levels[level].append(parent)
        }
    }

    package var root: MerkleRoot { root(size: size) }

    /// The root over the first entries.
    package func root(size: Int) -> MerkleRoot {
        precondition((0...self.size).contains(size), "a tree has no root beyond its entries")
        return MerkleRoot(size: size, hash: .over(0..<size, reading: hash))
    }

    /// Proves that an entry stands at an index of the tree of a size.
    package func inclusionProof(of index: Int, size: Int) -> InclusionProof {
        precondition((0...self.size).contains(size), "a tree proves nothing beyond its entries")
        return InclusionProof(of: index, in: size, reading: hash)
    }

    /// Proves that the tree of one size is the beginning of the tree of another.
    package func consistencyProof(from old: Int, to new: Int) -> ConsistencyProof {
        precondition((0...size).contains(new), "a tree proves nothing beyond its entries")
        return ConsistencyProof(from: old, to: new, reading: hash)
    }

    /// The root of a perfect subtree that the tree has.
    package func hash(of subtree: PerfectSubtree) -> MerkleHash {
        precondition(subtree.leaves.upperBound <= size, "a tree has no hashes beyond its entries")
        return levels[subtree.level][subtree.index]
    }
}
