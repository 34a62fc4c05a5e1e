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
        self.init(bytes)
    }

    private init(_ bytes: some Sequence<UInt8>) {
        var rest = bytes.makeIterator()
        func word() -> UInt64 {
            var word: UInt64 = 0
            for _ in 0..<8 { word = word << 8 | UInt64(rest.next() ?? 0) }
            return word
        }
        words = InlineWords(first: word(), second: word(), third: word(), fourth: word())
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

    package func append(to bytes: inout [UInt8]) {
        for word in [words.first, words.second, words.third, words.fourth] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
    }
}

extension MerkleHash: CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    package var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
