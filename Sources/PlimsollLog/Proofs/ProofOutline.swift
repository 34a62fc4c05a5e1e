/// What a proof is made of, which follows from the sizes alone.
///
/// Where hashes have to be fetched first, ask for ``subtrees``, fetch all of them at once, and
/// make the path from what came.
package struct ProofOutline: Hashable, Sendable {
    /// The leaves under each hash of the path, in its order.
    package let nodes: [Range<Int>]

    /// Outlines the proof that an entry stands at an index (PATH of RFC 6962, 2.1.1).
    package init(of index: Int, in size: Int) {
        precondition((0..<size).contains(index), "only an entry of the tree can be proven")
        var nodes: [Range<Int>] = []
        var leaves = 0..<size
        while leaves.count > 1 {
            let (left, right) = leaves.halves
            let isLeft = left.contains(index)
            nodes.append(isLeft ? right : left)
            leaves = isLeft ? left : right
        }
        self.nodes = nodes.reversed()
    }

    /// Outlines the proof that one tree is the beginning of another (SUBPROOF of RFC 6962, 2.1.2).
    package init(from old: Int, to new: Int) {
        precondition(0 <= old && old <= new, "a tree grows, it never shrinks")
        var nodes: [Range<Int>] = []
        var leaves = old == 0 ? 0..<0 : 0..<new
        var isBeginning = true
        while old < leaves.upperBound {
            let (left, right) = leaves.halves
            let isLeft = old <= left.upperBound
            nodes.append(isLeft ? right : left)
            leaves = isLeft ? left : right
            isBeginning = isBeginning && isLeft
        }
        // The old tree itself needs no proof: whoever checks knows its root.
        if !isBeginning { nodes.append(leaves) }
        self.nodes = nodes.reversed()
    }

    /// Every perfect subtree whose root is needed; none comes twice.
    package var subtrees: [PerfectSubtree] { nodes.flatMap(PerfectSubtree.covering) }

    /// The hashes of the proof from those of ``subtrees``.
    package func path<Failure>(
        reading hash: (PerfectSubtree) throws(Failure) -> MerkleHash
    ) throws(Failure) -> [MerkleHash] {
        var path: [MerkleHash] = []
        path.reserveCapacity(nodes.count)
        for node in nodes { path.append(try MerkleHash.over(node, reading: hash)) }
        return path
    }
}

extension Range<Int> {
    /// What the two children of a node have, split behind the largest power of two that is smaller
    /// than the number of leaves.
    fileprivate var halves: (Range<Int>, Range<Int>) {
        let level = Int.bitWidth - 1 - (count - 1).leadingZeroBitCount
        let middle = lowerBound + 1 << level
        return (lowerBound..<middle, middle..<upperBound)
    }
}
