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
