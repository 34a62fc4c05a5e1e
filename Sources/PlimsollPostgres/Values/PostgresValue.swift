import Glibc

/// A value that travels to PostgreSQL and back in its binary form.
package protocol PostgresValue: Sendable {
    /// The type a parameter is declared with.
    static var postgresType: PostgresType { get }

    /// Whether a result column of that type can be read as this.
    static func accepts(_ type: PostgresType) -> Bool

    /// What `NULL` is read as. Only optionals have an answer.
    static func null() throws(ValueRefusal) -> Self

    init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal)

    var isNull: Bool { get }

    func write(to output: inout ValueWriter)
}

/// A value that PostgreSQL keeps in one-dimensional arrays.
///
/// The two functions are there for `UInt8` alone, whose array is a `bytea`.
package protocol PostgresArrayElement: PostgresValue {
    static var postgresArrayType: PostgresType { get }

    static func acceptsArray(_ type: PostgresType) -> Bool
    static func readArray(_ bytes: RawSpan) throws(ValueRefusal) -> [Self]
    static func writeArray(_ elements: [Self], to output: inout ValueWriter)
}

extension PostgresValue {
    package static func accepts(_ type: PostgresType) -> Bool { type == postgresType }
    package static func null() throws(ValueRefusal) -> Self { throw .null }
    package var isNull: Bool { false }
}

/// Why bytes from the server are not the value that was asked for.
package enum ValueRefusal: Error, Sendable, Hashable {
    case null
    case length(Int)
    case unreadable(StaticReason)

    /// A fixed phrase, so that no value can slip into it.
    package enum StaticReason: String, Sendable, Hashable {
        case infinity = "it is infinite"
        case outOfRange = "it is out of range"
        case notUTF8 = "it is not UTF-8"
        case arrayShape = "it is not a one-dimensional array"
        case arrayElement = "its elements have another type"
    }
}

extension ValueRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null: "it is NULL"
        case .length(let count): "it has \(count) bytes"
        case .unreadable(let reason): reason.rawValue
        }
    }
}

/// The number by which PostgreSQL knows a type.
package struct PostgresType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
    init(_ rawValue: UInt32) { self.rawValue = rawValue }

    package static let bool = PostgresType(16)
    package static let bytea = PostgresType(17)
    package static let name = PostgresType(19)
    package static let bigint = PostgresType(20)
    package static let smallint = PostgresType(21)
    package static let integer = PostgresType(23)
    package static let text = PostgresType(25)
    package static let oid = PostgresType(26)
    package static let json = PostgresType(114)
    package static let real = PostgresType(700)
    package static let double = PostgresType(701)
    package static let unknown = PostgresType(705)
    package static let character = PostgresType(1042)
    package static let varchar = PostgresType(1043)
    package static let timestamptz = PostgresType(1184)
    package static let uuid = PostgresType(2950)

    package static let boolArray = PostgresType(1000)
    package static let byteaArray = PostgresType(1001)
    package static let nameArray = PostgresType(1003)
    package static let integerArray = PostgresType(1007)
    package static let textArray = PostgresType(1009)
    package static let varcharArray = PostgresType(1015)
    package static let bigintArray = PostgresType(1016)
    package static let doubleArray = PostgresType(1022)
    package static let timestamptzArray = PostgresType(1185)
    package static let uuidArray = PostgresType(2951)
}

extension PostgresType: CustomStringConvertible {
    package var description: String { "type \(rawValue)" }
}

/// Collects the binary form of parameters, one after the other.
package struct ValueWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(bytes.count + count)
    }

    package mutating func append(_ integer: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: integer.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func append(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    /// Appends a value after its length, as arrays and `COPY` have it; -1 stands for `NULL`.
    package mutating func appendMeasured(_ value: some PostgresValue) {
        guard !value.isNull else {
            append(Int32(-1))
            return
        }
        let start = bytes.count
        append(Int32(0))
        value.write(to: &self)
        let length = Int32(bytes.count - start - 4).bigEndian
        unsafe withUnsafeBytes(of: length) { length in
            unsafe bytes.replaceSubrange(start..<start + 4, with: length)
        }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }
}

extension RawSpan {
    /// Reads an integer in network order that must be all there is.
    func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        as type: Value.Type = Value.self
    ) throws(ValueRefusal) -> Value {
        guard byteCount == MemoryLayout<Value>.size else { throw .length(byteCount) }
        return unsafe Value(bigEndian: unsafeLoadUnaligned(as: Value.self))
    }

    /// Reads an integer in network order that begins at `offset`.
    func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int,
        as type: Value.Type = Value.self
    ) throws(ValueRefusal) -> Value {
        guard offset >= 0, offset + MemoryLayout<Value>.size <= byteCount else {
            throw .length(byteCount)
        }
        return unsafe Value(
            bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self)
        )
    }
}

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
