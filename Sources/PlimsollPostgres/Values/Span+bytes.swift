import Glibc

// What goes many bytes at a time and would go one at a time in safe code. Bounds are checked once.
extension Span<UInt8> {
    /// Whether the literal stands there.
    package func has(_ literal: StaticString, at index: Int) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard index >= 0, length <= count - index else { return false }
        return unsafe withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return length == 0 }
            return unsafe memcmp(base + index, literal.utf8Start, length) == 0
        }
    }

    /// Whether these are the bytes that stand there in an array.
    package func equals(_ bytes: [UInt8], from index: Int) -> Bool {
        guard index >= 0, count <= bytes.count - index else { return false }
        return unsafe withUnsafeBufferPointer { own in
            unsafe bytes.withUnsafeBufferPointer { others in
                guard let base = own.baseAddress, let other = others.baseAddress else {
                    return own.isEmpty
                }
                return unsafe memcmp(base, other + index, own.count) == 0
            }
        }
    }

    /// Eight bytes as a number, the first as the least significant.
    @inlinable package func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index <= count - 8, "a word lies within the bytes")
        return unsafe UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
        )
    }
}

extension [UInt8] {
    package init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }
}
