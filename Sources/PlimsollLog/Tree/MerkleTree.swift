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
        guard size > 0 else { return .empty }
        return MerkleRoot(size: size, hash: hash(of: 0..<size))
    }

    /// Proves that an entry stands at an index of the tree of a size.
    package func inclusionProof(of index: Int, size: Int) -> InclusionProof {
        precondition((0...self.size).contains(size), "a tree proves nothing beyond its entries")
        precondition((0..<size).contains(index), "only an entry of the tree can be proven")
        return InclusionProof(index: index, size: size, path: path(to: index, in: 0..<size))
    }

    /// Proves that the tree of one size is the beginning of the tree of another.
    package func consistencyProof(from old: Int, to new: Int) -> ConsistencyProof {
        precondition((0...size).contains(new), "a tree proves nothing beyond its entries")
        precondition((0...new).contains(old), "a tree grows, it never shrinks")
        let path = old == 0 ? [] : subproof(of: old, in: 0..<new, isWhole: true)
        return ConsistencyProof(oldSize: old, newSize: new, path: path)
    }

    /// MTH of RFC 6962, 2.1, over leaves that begin where a perfect subtree of their size would.
    private func hash(of leaves: Range<Int>) -> MerkleHash {
        let count = leaves.count
        if count.nonzeroBitCount == 1 {
            let level = count.trailingZeroBitCount
            return levels[level][leaves.lowerBound >> level]
        }
        let middle = split(leaves)
        return .node(hash(of: leaves.lowerBound..<middle), hash(of: middle..<leaves.upperBound))
    }

    /// PATH of RFC 6962, 2.1.1: the sibling of the leaf first.
    private func path(to index: Int, in leaves: Range<Int>) -> [MerkleHash] {
        guard leaves.count > 1 else { return [] }
        let (left, right) = halves(leaves)
        return left.contains(index)
            ? path(to: index, in: left) + [hash(of: right)]
            : path(to: index, in: right) + [hash(of: left)]
    }

    /// SUBPROOF of RFC 6962, 2.1.2; `end` is where the old tree ends.
    private func subproof(of end: Int, in leaves: Range<Int>, isWhole: Bool) -> [MerkleHash] {
        guard end < leaves.upperBound else { return isWhole ? [] : [hash(of: leaves)] }
        let (left, right) = halves(leaves)
        return end <= left.upperBound
            ? subproof(of: end, in: left, isWhole: isWhole) + [hash(of: right)]
            : subproof(of: end, in: right, isWhole: false) + [hash(of: left)]
    }

    private func halves(_ leaves: Range<Int>) -> (Range<Int>, Range<Int>) {
        let middle = split(leaves)
        return (leaves.lowerBound..<middle, middle..<leaves.upperBound)
    }

    /// Behind the largest power of two that is smaller than the number of leaves.
    private func split(_ leaves: Range<Int>) -> Int {
        let power = Int.bitWidth - 1 - (leaves.count - 1).leadingZeroBitCount
        return leaves.lowerBound + 1 << power
    }
}
