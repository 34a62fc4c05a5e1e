/// Values written and read as ``PlainEncoder`` says.
package enum PlainForm {
    package static func bytes(of value: some Encodable) throws -> [UInt8] {
        let encoder = PlainEncoder()
        try encoder.write(value)
        return encoder.output.bytes
    }

    /// Reads a value that takes all of the bytes.
    package static func value<Value: Decodable>(
        _ type: Value.Type = Value.self,
        of bytes: [UInt8]
    ) throws -> Value {
        let decoder = PlainDecoder(input: PlainInput(bytes))
        let value: Value = try decoder.read()
        guard decoder.input.isAtEnd else { throw PlainDamage() }
        return value
    }
}

/// Writes a value as the members of its members, one behind the other, without names.
///
/// Only the very program that has written it can read it: what a byte means follows from the types
/// alone, which the compiler walks. A case of an enumeration is named, an optional says whether it is
/// there, a list how long it is. What a dictionary holds stands in the order in which it is met,
/// which another process meets otherwise, so two texts of one value need not be the same.
struct PlainEncoder: Encoder {
    fileprivate let output = PlainOutput()
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(PlainMembers(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { PlainList(self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { PlainValue(encoder: self) }

    fileprivate func write<Value: Encodable>(_ value: Value) throws {
        // Most of what there is; a cast is tried only where it will do.
        if Value.self == String.self, let text = value as? String {
            output.write(text)
        } else if Value.self == [UInt8].self, let bytes = value as? [UInt8] {
            output.write(bytes)
        } else {
            try value.encode(to: self)
        }
    }

    fileprivate func writeIfPresent(_ value: (some Encodable)?) throws {
        output.write(value != nil)
        if let value { try write(value) }
    }
}

/// What stands in a value that is not written so: fractions, and dictionaries by text or numbers.
package struct NotPlain: Error {}

/// What has been written so far.
private final class PlainOutput {
    private(set) var bytes: [UInt8] = []

    /// Of either sign; small ones take few bytes.
    func write(_ number: some SignedInteger & FixedWidthInteger) {
        let wide = Int64(number)
        write(UInt64(bitPattern: wide << 1 ^ wide >> 63))
    }

    func write(_ count: some UnsignedInteger & FixedWidthInteger) {
        var rest = UInt64(count)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    func write(_ text: String) {
        write(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    func write(_ list: [UInt8]) {
        write(UInt64(list.count))
        bytes += list
    }

    func write(_ isSo: Bool) { bytes.append(isSo ? 1 : 0) }

    /// Makes room for a length that is not known yet; answers where.
    func reserveLength() -> Int {
        bytes.append(contentsOf: [0, 0, 0, 0])
        return bytes.count - 4
    }

    func write(length: Int, at place: Int) {
        for index in 0..<4 {
            bytes[place + index] = UInt8(truncatingIfNeeded: length >> (8 * index))
        }
    }
}

/// Writes members in the order in which a type has them.
private struct PlainMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: PlainEncoder
    var codingPath: [any CodingKey] { [] }
    private var output: PlainOutput { encoder.output }

    func encodeNil(forKey key: Key) throws { throw NotPlain() }
    func encode(_ value: Double, forKey key: Key) throws { throw NotPlain() }
    func encode(_ value: Float, forKey key: Key) throws { throw NotPlain() }
    func encode(_ value: Bool, forKey key: Key) { output.write(value) }
    func encode(_ value: String, forKey key: Key) { output.write(value) }
    func encode(_ value: Int, forKey key: Key) { output.write(value) }
    func encode(_ value: Int8, forKey key: Key) { output.write(value) }
    func encode(_ value: Int16, forKey key: Key) { output.write(value) }
    func encode(_ value: Int32, forKey key: Key) { output.write(value) }
    func encode(_ value: Int64, forKey key: Key) { output.write(value) }
    func encode(_ value: UInt, forKey key: Key) { output.write(value) }
    func encode(_ value: UInt8, forKey key: Key) { output.write(value) }
    func encode(_ value: UInt16, forKey key: Key) { output.write(value) }
    func encode(_ value: UInt32, forKey key: Key) { output.write(value) }
    func encode(_ value: UInt64, forKey key: Key) { output.write(value) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.write(value) }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
        try encoder.writeIfPresent(value)
    }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws {
        try encoder.writeIfPresent(value)
    }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
        try encoder.writeIfPresent(value)
    }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
        try encoder.writeIfPresent(value)
    }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
        try encoder.writeIfPresent(value)
    }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
        try encoder.writeIfPresent(value)
    }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
        try encoder.writeIfPresent(value)
    }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
        try encoder.writeIfPresent(value)
    }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
        try encoder.writeIfPresent(value)
    }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
        try encoder.writeIfPresent(value)
    }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
        try encoder.writeIfPresent(value)
    }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
        try encoder.writeIfPresent(value)
    }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try encoder.writeIfPresent(value)
    }

    /// A case of an enumeration, with what belongs to it.
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        output.write(key.stringValue)
        return encoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder }
    func superEncoder(forKey key: Key) -> any Encoder { encoder }
}

/// Writes how many there are, and each of them.
private struct PlainList: UnkeyedEncodingContainer {
    private let encoder: PlainEncoder
    private let place: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(_ encoder: PlainEncoder) {
        self.encoder = encoder
        place = encoder.output.reserveLength()
    }

    private mutating func counted() -> PlainOutput {
        count += 1
        encoder.output.write(length: count, at: place)
        return encoder.output
    }

    mutating func encodeNil() throws { throw NotPlain() }
    mutating func encode(_ value: Double) throws { throw NotPlain() }
    mutating func encode(_ value: Float) throws { throw NotPlain() }
    mutating func encode(_ value: Bool) { counted().write(value) }
    mutating func encode(_ value: String) { counted().write(value) }
    mutating func encode(_ value: Int) { counted().write(value) }
    mutating func encode(_ value: Int8) { counted().write(value) }
    mutating func encode(_ value: Int16) { counted().write(value) }
    mutating func encode(_ value: Int32) { counted().write(value) }
    mutating func encode(_ value: Int64) { counted().write(value) }
    mutating func encode(_ value: UInt) { counted().write(value) }
    mutating func encode(_ value: UInt8) { counted().write(value) }
    mutating func encode(_ value: UInt16) { counted().write(value) }
    mutating func encode(_ value: UInt32) { counted().write(value) }
    mutating func encode(_ value: UInt64) { counted().write(value) }

    mutating func encode(_ value: some Encodable) throws {
        _ = counted()
        try encoder.write(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        _ = counted()
        return encoder.container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        _ = counted()
        return encoder.unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        _ = counted()
        return encoder
    }
}

/// Writes what has no members: plain values as they are, and what an optional holds behind a mark.
private struct PlainValue: SingleValueEncodingContainer {
    let encoder: PlainEncoder
    var codingPath: [any CodingKey] { [] }
    private var output: PlainOutput { encoder.output }

    func encodeNil() { output.write(false) }
    func encode(_ value: Double) throws { throw NotPlain() }
    func encode(_ value: Float) throws { throw NotPlain() }
    func encode(_ value: Bool) { output.write(value) }
    func encode(_ value: String) { output.write(value) }
    func encode(_ value: Int) { output.write(value) }
    func encode(_ value: Int8) { output.write(value) }
    func encode(_ value: Int16) { output.write(value) }
    func encode(_ value: Int32) { output.write(value) }
    func encode(_ value: Int64) { output.write(value) }
    func encode(_ value: UInt) { output.write(value) }
    func encode(_ value: UInt8) { output.write(value) }
    func encode(_ value: UInt16) { output.write(value) }
    func encode(_ value: UInt32) { output.write(value) }
    func encode(_ value: UInt64) { output.write(value) }

    func encode(_ value: some Encodable) throws {
        output.write(true)
        try encoder.write(value)
    }
}
