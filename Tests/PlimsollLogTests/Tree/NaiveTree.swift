import PlimsollLog

/// The definitions of RFC 6962, 2.1, written down as they stand there, to test against.
struct NaiveTree {
    let leaves: [MerkleHash]
    /// Each root is computed once, so that every proof of many trees takes a moment.
    private var roots: [Range<Int>: MerkleHash] = [:]

    init(leaves: [MerkleHash]) {
        self.leaves = leaves
    }

    mutating func root(_ range: Range<Int>) -> MerkleHash {
        switch range.count {
        case 0: return .emptyTree
        case 1: return leaves[range.lowerBound]
        default:
            if let known = roots[range] { return known }
            let middle = range.lowerBound + half(range.count)
            let left = root(range.lowerBound..<middle)
            let hash = MerkleHash.node(left, root(middle..<range.upperBound))
            roots[range] = hash
            return hash
        }
    }

    mutating func path(_ index: Int, _ range: Range<Int>) -> [MerkleHash] {
        guard range.count > 1 else { return [] }
        let middle = range.lowerBound + half(range.count)
        return index < middle
            ? path(index, range.lowerBound..<middle) + [root(middle..<range.upperBound)]
            : path(index, middle..<range.upperBound) + [root(range.lowerBound..<middle)]
    }

    mutating func proof(_ old: Int, _ range: Range<Int>, whole: Bool = true) -> [MerkleHash] {
        if old == range.count { return whole ? [] : [root(range)] }
        let count = half(range.count)
        let middle = range.lowerBound + count
        return old <= count
            ? proof(old, range.lowerBound..<middle, whole: whole)
                + [root(middle..<range.upperBound)]
            : proof(old - count, middle..<range.upperBound, whole: false)
                + [root(range.lowerBound..<middle)]
    }

    /// The largest power of two smaller than the count.
    private func half(_ count: Int) -> Int {
        var power = 1
        while power * 2 < count { power *= 2 }
        return power
    }
}

func leaves(_ count: Int) -> [MerkleHash] {
    (0..<count).map { .leaf(Array("entry \($0)".utf8)) }
}

extension MerkleHash {
    /// The same hash with one bit turned over, counted from the first.
    func turning(bit: Int) -> MerkleHash {
        var changed = bytes
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        return MerkleHash(bytes: changed) ?? .emptyTree
    }
}
