/// Reads what ``PlainEncoder`` of the same program has written.
///
/// What is cut off or damaged throws, wherever that is.
struct PlainDecoder: Decoder {
    let input: PlainInput
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeptMembers(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try KeptList(self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { KeptValue(decoder: self) }

    func read<Value: Decodable>() throws -> Value {
        if Value.self == String.self, let text = try input.text() as? Value { return text }
        if Value.self == [UInt8].self, let bytes = try input.list() as? Value { return bytes }
        return try Value(from: self)
    }
}

/// These bytes are not what was written.
struct PlainDamage: Error {}

/// What is still to be read.
final class PlainInput {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    func byte() throws -> UInt8 {
        guard offset < bytes.count else { throw PlainDamage() }
        defer { offset += 1 }
        return bytes[offset]
    }

    func isSo() throws -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw PlainDamage()
        }
    }

    func count() throws -> UInt64 {
        var count: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try byte()
            count |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return count }
        }
        throw PlainDamage()
    }

    func signed<Number: FixedWidthInteger>() throws -> Number {
        let count = try count()
        let wide = Int64(bitPattern: count >> 1) ^ -Int64(bitPattern: count & 1)
        guard let number = Number(exactly: wide) else { throw PlainDamage() }
        return number
    }

    func unsigned<Number: FixedWidthInteger>() throws -> Number {
        guard let number = Number(exactly: try count()) else { throw PlainDamage() }
        return number
    }

    private func slice() throws -> ArraySlice<UInt8> {
        guard let count = Int(exactly: try count()), count <= bytes.count - offset else {
            throw PlainDamage()
        }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    func text() throws -> String { String(decoding: try slice(), as: UTF8.self) }

    func list() throws -> [UInt8] { Array(try slice()) }

    func length() throws -> Int {
        var length = 0
        for index in 0..<4 { length |= Int(try byte()) << (8 * index) }
        return length
    }

    /// The text that begins there, however much was read since.
    func text(from start: Int) throws -> String {
        offset = start
        return try text()
    }

    /// Takes the mark of an optional that is not there.
    func takeNothing() -> Bool {
        guard offset < bytes.count, bytes[offset] == 0 else { return false }
        offset += 1
        return true
    }
}

private struct KeptMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: PlainDecoder
    private let start: Int
    var codingPath: [any CodingKey] { [] }
    private var input: PlainInput { decoder.input }

    init(decoder: PlainDecoder) {
        self.decoder = decoder
        start = decoder.input.offset
    }

    /// The case that stands here, where an enumeration does; without it whoever asks says what is wrong.
    ///
    /// It is all that is read of a case that nothing belongs to.
    var allKeys: [Key] {
        guard let name = try? input.text(from: start), let key = Key(stringValue: name) else {
            return []
        }
        return [key]
    }

    func contains(_ key: Key) -> Bool { true }
    /// The mark of an optional: what `decodeIfPresent` reads first, of whatever type.
    func decodeNil(forKey key: Key) throws -> Bool { try !input.isSo() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { throw NotPlain() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { throw NotPlain() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try input.isSo() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try input.text() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try input.signed() }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try input.signed() }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try input.signed() }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try input.signed() }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try input.signed() }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try input.unsigned() }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try input.unsigned() }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try input.unsigned() }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try input.unsigned() }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try input.unsigned() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.read()
    }

    // Of those the mark is not written either.
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        throw NotPlain()
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { throw NotPlain() }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        decoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { decoder }
}

private struct KeptList: UnkeyedDecodingContainer {
    private let decoder: PlainDecoder
    private let length: Int
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { length }
    var isAtEnd: Bool { currentIndex >= length }

    init(_ decoder: PlainDecoder) throws {
        self.decoder = decoder
        length = try decoder.input.length()
    }

    private mutating func next() throws -> PlainInput {
        guard !isAtEnd else { throw PlainDamage() }
        currentIndex += 1
        return decoder.input
    }

    mutating func decodeNil() throws -> Bool { throw NotPlain() }
    mutating func decode(_ type: Double.Type) throws -> Double { throw NotPlain() }
    mutating func decode(_ type: Float.Type) throws -> Float { throw NotPlain() }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try next().isSo() }
    mutating func decode(_ type: String.Type) throws -> String { try next().text() }
    mutating func decode(_ type: Int.Type) throws -> Int { try next().signed() }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next().signed() }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next().signed() }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next().signed() }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next().signed() }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next().unsigned() }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next().unsigned() }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next().unsigned() }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next().unsigned() }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next().unsigned() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        _ = try next()
        return try decoder.read()
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        _ = try next()
        return decoder.container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        _ = try next()
        return try decoder.unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        _ = try next()
        return decoder
    }
}

private struct KeptValue: SingleValueDecodingContainer {
    let decoder: PlainDecoder
    var codingPath: [any CodingKey] { [] }
    private var input: PlainInput { decoder.input }

    func decodeNil() -> Bool { input.takeNothing() }
    func decode(_ type: Double.Type) throws -> Double { throw NotPlain() }
    func decode(_ type: Float.Type) throws -> Float { throw NotPlain() }
    func decode(_ type: Bool.Type) throws -> Bool { try input.isSo() }
    func decode(_ type: String.Type) throws -> String { try input.text() }
    func decode(_ type: Int.Type) throws -> Int { try input.signed() }
    func decode(_ type: Int8.Type) throws -> Int8 { try input.signed() }
    func decode(_ type: Int16.Type) throws -> Int16 { try input.signed() }
    func decode(_ type: Int32.Type) throws -> Int32 { try input.signed() }
    func decode(_ type: Int64.Type) throws -> Int64 { try input.signed() }
    func decode(_ type: UInt.Type) throws -> UInt { try input.unsigned() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try input.unsigned() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try input.unsigned() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try input.unsigned() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try input.unsigned() }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard try input.isSo() else { throw PlainDamage() }
        return try decoder.read()
    }
}
