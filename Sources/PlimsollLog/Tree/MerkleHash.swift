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
            guard let byte = UInt8(pair, radix: 16), pair.first != "+" else { return nil }
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
