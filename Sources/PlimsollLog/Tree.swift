import Crypto

/// A SHA-256 hash as the tree of RFC 6962 uses it, for a leaf, a node or a root.
///
/// A leaf and a node begin with different bytes before they are hashed, so neither can be passed
/// off as the other.
package struct MerkleHash: Hashable, Sendable {
    /// Kept as words, so that a million hashes are one block of memory.
    private let words: InlineWords

    private struct InlineWords: Hashable, Sendable {
        let first: UInt64
        let second: UInt64
        let third: UInt64
        let fourth: UInt64
    }

    package static let byteCount = 32

    /// The root of a tree without leaves.
    package static let emptyTree = MerkleHash(SHA256().finalize())

    /// Takes the hash from its 32 bytes; another number of bytes is no hash.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == MerkleHash.byteCount else { return nil }
        self.init(Array(bytes))
    }

    /// Reads the 64 digits of ``description``.
    package init?(hex: some StringProtocol) {
        let digits = Array(hex.utf8)
        guard digits.count == 2 * MerkleHash.byteCount else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
            // By itself, the number could have a sign.
            guard pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        self.init(bytes: bytes)
    }

    private init(_ digest: SHA256Digest) {
        var bytes = digest.makeIterator()
        words = InlineWords(
            first: UInt64(bigEndian: &bytes),
            second: UInt64(bigEndian: &bytes),
            third: UInt64(bigEndian: &bytes),
            fourth: UInt64(bigEndian: &bytes)
        )
    }

    private init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount, "a hash of SHA-256 has 32 bytes")
        var bytes = bytes.makeIterator()
        words = InlineWords(
            first: UInt64(bigEndian: &bytes),
            second: UInt64(bigEndian: &bytes),
            third: UInt64(bigEndian: &bytes),
            fourth: UInt64(bigEndian: &bytes)
        )
    }

    /// The hash of an entry: H(0x00 ‖ entry).
    package static func leaf(_ entry: [UInt8]) -> MerkleHash {
        var hasher = SHA256()
        hasher.update(data: [0x00])
        hasher.update(data: entry)
        return MerkleHash(hasher.finalize())
    }

    /// The hash over two subtrees: H(0x01 ‖ left ‖ right).
    package static func node(_ left: MerkleHash, _ right: MerkleHash) -> MerkleHash {
        var bytes: [UInt8] = [0x01]
        bytes.reserveCapacity(1 + 2 * byteCount)
        left.append(to: &bytes)
        right.append(to: &bytes)
        return MerkleHash(SHA256.hash(data: bytes))
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(MerkleHash.byteCount)
        append(to: &bytes)
        return bytes
    }

    /// Whether these are its 32 bytes.
    package func isEqual(to bytes: Span<UInt8>) -> Bool {
        guard bytes.count == MerkleHash.byteCount else { return false }
        return words.first.isEqual(to: bytes, at: 0) && words.second.isEqual(to: bytes, at: 8)
            && words.third.isEqual(to: bytes, at: 16) && words.fourth.isEqual(to: bytes, at: 24)
    }

    package func append(to bytes: inout [UInt8]) {
        words.first.append(to: &bytes)
        words.second.append(to: &bytes)
        words.third.append(to: &bytes)
        words.fourth.append(to: &bytes)
    }
}

// Proofs are hashed by the million, also in programs that are not optimised, where every range and
// every closure is a call; so these loops count by themselves.
extension UInt64 {
    /// Takes the next eight of the bytes, which are there.
    fileprivate init(bigEndian bytes: inout IndexingIterator<[UInt8]>) {
        self = 0
        var count = 0
        while count < 8, let byte = bytes.next() {
            self = self &<< 8 | UInt64(truncatingIfNeeded: byte)
            count &+= 1
        }
    }

    fileprivate func isEqual(to bytes: Span<UInt8>, at begin: Int) -> Bool {
        var number: UInt64 = 0
        var index = begin
        while index < begin + 8 {
            number = number &<< 8 | UInt64(truncatingIfNeeded: bytes[index])
            index &+= 1
        }
        return number == self
    }

    fileprivate func append(to bytes: inout [UInt8]) {
        var rest = self
        var count = 0
        while count < 8 {
            bytes.append(UInt8(truncatingIfNeeded: rest &>> 56))
            rest = rest &<< 8
            count &+= 1
        }
    }
}

extension MerkleHash: CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    package var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

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

extension MerkleHash {
    /// Takes the hash from the 44 letters of its base64.
    init?(base64 text: some BidirectionalCollection<UInt8>) {
        guard let bytes = Base64.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    var base64: [UInt8] { Base64.encode(bytes) }
}

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

/// What a whole log says of itself at one size.
package struct MerkleRoot: Hashable, Sendable {
    /// How many entries the tree has.
    package let size: Int
    package let hash: MerkleHash

    package init(size: Int, hash: MerkleHash) {
        precondition(size >= 0, "the size of a tree counts its entries")
        self.size = size
        self.hash = hash
    }

    package static let empty = MerkleRoot(size: 0, hash: .emptyTree)
}

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
