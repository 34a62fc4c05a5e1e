extension MerkleHash {
    /// The root over the roots of perfect subtrees that lie side by side, largest first.
    package static func folding(_ hashes: some BidirectionalCollection<MerkleHash>) -> MerkleHash {
        guard var hash = hashes.last else { return .emptyTree }
        for larger in hashes.dropLast().reversed() { hash = .node(larger, hash) }
        return hash
    }

    /// The root over any leaves that one node has, from the roots of its perfect subtrees.
    package static func over<Failure>(
        _ leaves: Range<Int>,
        reading hash: (PerfectSubtree) throws(Failure) -> MerkleHash
    ) throws(Failure) -> MerkleHash {
        folding(try PerfectSubtree.covering(leaves).map(hash))
    }
}
