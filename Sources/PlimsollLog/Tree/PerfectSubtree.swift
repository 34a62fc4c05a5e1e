/// The leaves from `index · 2ˡ` to before `(index + 1) · 2ˡ`, with `l` the level.
///
/// Once its last leaf is there its root never changes. So these roots are what is stored of a
/// tree, and every other hash in it is folded from some of them.
package struct PerfectSubtree: Hashable, Sendable {
    package let level: Int
    package let index: Int

    package init(level: Int, index: Int) {
        precondition((0..<Int.bitWidth - 1).contains(level) && index >= 0, "a subtree has leaves")
        self.level = level
        self.index = index
    }

    package var leaves: Range<Int> { index << level..<(index + 1) << level }

    /// The fewest that have just these leaves, from left to right, largest first.
    ///
    /// The leaves have to begin where the largest of them can, as those of every node do.
    package static func covering(_ leaves: Range<Int>) -> [PerfectSubtree] {
        var subtrees: [PerfectSubtree] = []
        var begin = leaves.lowerBound
        while begin < leaves.upperBound {
            let level = Int.bitWidth - 1 - (leaves.upperBound - begin).leadingZeroBitCount
            precondition(begin.trailingZeroBitCount >= level, "a node begins at its own width")
            subtrees.append(PerfectSubtree(level: level, index: begin >> level))
            begin += 1 << level
        }
        return subtrees
    }
}
