package import FoundationEssentials

extension Array: PostgresValue where Element: PostgresArrayElement {
    package static var postgresType: PostgresType { Element.postgresArrayType }

    package static func accepts(_ type: PostgresType) -> Bool { Element.acceptsArray(type) }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        self = try Element.readArray(bytes)
    }

    package func write(to output: inout ValueWriter) { Element.writeArray(self, to: &output) }
}

extension Array: PostgresArrayElement where Element == UInt8 {
    package static var postgresArrayType: PostgresType { .byteaArray }
}

/// `UInt8` is here for the sake of its array, the `bytea`.
extension UInt8: PostgresArrayElement {
    package static var postgresType: PostgresType { .smallint }
    package static var postgresArrayType: PostgresType { .bytea }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        guard let value = UInt8(exactly: try bytes.integer(as: Int16.self)) else {
            throw .unreadable(.outOfRange)
        }
        self = value
    }

    package func write(to output: inout ValueWriter) { output.append(Int16(self)) }

    package static func readArray(_ bytes: RawSpan) throws(ValueRefusal) -> [UInt8] {
        unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
    }

    package static func writeArray(_ elements: [UInt8], to output: inout ValueWriter) {
        output.append(elements)
    }
}

// The form: dimensions, whether there is a NULL, the elements' type; for each dimension its
// length and first index; then each element after its length.
extension PostgresArrayElement {
    package static func acceptsArray(_ type: PostgresType) -> Bool { type == postgresArrayType }

    package static func writeArray(_ elements: [Self], to output: inout ValueWriter) {
        let hasNull = elements.contains(where: \.isNull)
        output.append(Int32(elements.isEmpty ? 0 : 1))
        output.append(Int32(hasNull ? 1 : 0))
        output.append(postgresType.rawValue)
        guard !elements.isEmpty else { return }
        output.append(Int32(elements.count))
        output.append(Int32(1))
        for element in elements { output.appendMeasured(element) }
    }

    package static func readArray(_ bytes: RawSpan) throws(ValueRefusal) -> [Self] {
        let dimensions: Int32 = try bytes.integer(at: 0)
        guard dimensions != 0 else { return [] }
        guard dimensions == 1 else { throw .unreadable(.arrayShape) }
        let type = PostgresType(rawValue: try bytes.integer(at: 8))
        guard accepts(type) else { throw .unreadable(.arrayElement) }
        let count = Int(try bytes.integer(at: 12, as: Int32.self))
        var offset = 20
        // An element takes four bytes at least, so a false count cannot ask for much.
        guard count >= 0, count <= (bytes.byteCount - offset) / 4 else {
            throw .length(bytes.byteCount)
        }
        var elements: [Self] = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
            let length = Int(try bytes.integer(at: offset, as: Int32.self))
            offset += 4
            guard length >= 0 else {
                elements.append(try null())
                continue
            }
            guard length <= bytes.byteCount - offset else { throw .length(bytes.byteCount) }
            let element = bytes.extracting(offset..<offset + length)
            elements.append(try Self(postgres: element, type: type))
            offset += length
        }
        return elements
    }
}

extension Bool: PostgresArrayElement {
    package static var postgresType: PostgresType { .bool }
    package static var postgresArrayType: PostgresType { .boolArray }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        self = try bytes.integer(as: UInt8.self) != 0
    }

    package func write(to output: inout ValueWriter) { output.append(UInt8(self ? 1 : 0)) }
}

extension Double: PostgresArrayElement {
    package static var postgresType: PostgresType { .double }
    package static var postgresArrayType: PostgresType { .doubleArray }

    package static func accepts(_ type: PostgresType) -> Bool { type == .double || type == .real }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        self =
            type == .real
            ? Double(Float(bitPattern: try bytes.integer()))
            : Double(bitPattern: try bytes.integer())
    }

    package func write(to output: inout ValueWriter) { output.append(bitPattern) }
}

extension Int64: PostgresArrayElement {
    package static var postgresType: PostgresType { .bigint }
    package static var postgresArrayType: PostgresType { .bigintArray }

    package static func accepts(_ type: PostgresType) -> Bool {
        type == .bigint || type == .integer || type == .smallint || type == .oid
    }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        switch type {
        case .integer: self = Int64(try bytes.integer(as: Int32.self))
        case .smallint: self = Int64(try bytes.integer(as: Int16.self))
        case .oid: self = Int64(try bytes.integer(as: UInt32.self))
        default: self = try bytes.integer()
        }
    }

    package func write(to output: inout ValueWriter) { output.append(self) }
}

extension Int: PostgresArrayElement {
    package static var postgresType: PostgresType { .bigint }
    package static var postgresArrayType: PostgresType { .bigintArray }

    package static func accepts(_ type: PostgresType) -> Bool { Int64.accepts(type) }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        self = Int(try Int64(postgres: bytes, type: type))
    }

    package func write(to output: inout ValueWriter) { output.append(Int64(self)) }
}

extension Int32: PostgresArrayElement {
    package static var postgresType: PostgresType { .integer }
    package static var postgresArrayType: PostgresType { .integerArray }

    package static func accepts(_ type: PostgresType) -> Bool {
        type == .integer || type == .smallint
    }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        self =
            type == .smallint
            ? Int32(try bytes.integer(as: Int16.self)) : try bytes.integer()
    }

    package func write(to output: inout ValueWriter) { output.append(self) }
}

extension Int16: PostgresValue {
    package static var postgresType: PostgresType { .smallint }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        self = try bytes.integer()
    }

    package func write(to output: inout ValueWriter) { output.append(self) }
}

extension Optional: PostgresValue where Wrapped: PostgresValue {
    package static var postgresType: PostgresType { Wrapped.postgresType }

    package static func accepts(_ type: PostgresType) -> Bool { Wrapped.accepts(type) }
    package static func null() throws(ValueRefusal) -> Wrapped? { .none }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        self = .some(try Wrapped(postgres: bytes, type: type))
    }

    package var isNull: Bool { self?.isNull ?? true }

    package func write(to output: inout ValueWriter) { self?.write(to: &output) }
}

extension Optional: PostgresArrayElement where Wrapped: PostgresArrayElement {
    package static var postgresArrayType: PostgresType { Wrapped.postgresArrayType }

    package static func acceptsArray(_ type: PostgresType) -> Bool { Wrapped.acceptsArray(type) }
}

extension String: PostgresArrayElement {
    package static var postgresType: PostgresType { .text }
    package static var postgresArrayType: PostgresType { .textArray }

    package static func accepts(_ type: PostgresType) -> Bool {
        switch type {
        case .text, .varchar, .character, .name, .json, .unknown: true
        default: false
        }
    }

    package static func acceptsArray(_ type: PostgresType) -> Bool {
        type == .textArray || type == .varcharArray || type == .nameArray
    }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        // The session's client_encoding is UTF8, so this fails only for an SQL_ASCII database.
        let text = unsafe bytes.withUnsafeBytes { bytes in
            unsafe String(validating: bytes, as: UTF8.self)
        }
        guard let text else { throw .unreadable(.notUTF8) }
        self = text
    }

    package func write(to output: inout ValueWriter) { output.append(self) }
}

extension UUID: PostgresArrayElement {
    package static var postgresType: PostgresType { .uuid }
    package static var postgresArrayType: PostgresType { .uuidArray }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        guard bytes.byteCount == 16 else { throw .length(bytes.byteCount) }
        self = UUID(uuid: unsafe bytes.unsafeLoadUnaligned(as: uuid_t.self))
    }

    package func write(to output: inout ValueWriter) {
        unsafe withUnsafeBytes(of: uuid) { unsafe output.append([UInt8]($0)) }
    }
}

/// A point in time as PostgreSQL keeps it: microseconds since the beginning of 1970, UTC.
///
/// PostgreSQL's two infinities are no points in time and are refused.
package struct Timestamp: Sendable, Hashable {
    package let microsecondsSince1970: Int64

    package init(microsecondsSince1970: Int64) {
        self.microsecondsSince1970 = microsecondsSince1970
    }

    /// PostgreSQL counts from the beginning of 2000.
    private static let epochOffset: Int64 = 946_684_800_000_000

    /// As the server counts, and sends it.
    package var microsecondsSince2000: Int64 {
        let (difference, isTooEarly) =
            microsecondsSince1970.subtractingReportingOverflow(Self.epochOffset)
        // The smallest number but one is no infinity, and out of the server's range: it says so.
        return isTooEarly ? .min + 1 : difference
    }
}

extension Timestamp: Comparable {
    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microsecondsSince1970 < right.microsecondsSince1970
    }
}

extension Timestamp: PostgresArrayElement {
    package static var postgresType: PostgresType { .timestamptz }
    package static var postgresArrayType: PostgresType { .timestamptzArray }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        let microseconds: Int64 = try bytes.integer()
        guard microseconds != .max, microseconds != .min else { throw .unreadable(.infinity) }
        let (sum, isTooLate) = microseconds.addingReportingOverflow(Self.epochOffset)
        guard !isTooLate else { throw .unreadable(.outOfRange) }
        self.init(microsecondsSince1970: sum)
    }

    package func write(to output: inout ValueWriter) {
        output.append(microsecondsSince2000)
    }
}
