import PlimsollJSON

extension ClientValue {
    /// Reads a document as a client does; `nil` where its reader gives up.
    init?(reading bytes: [UInt8], as dialect: ClientDialect) {
        let text =
            dialect.forgivesEncoding
            ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
        guard let text else { return nil }
        var reader = ClientReader(bytes: Array(text.utf8), dialect: dialect)
        do throws(ClientReader.Unreadable) {
            self = try reader.document()
        } catch {
            return nil
        }
    }
}

/// Reads JSON with the leniencies of one dialect; what is forgiven beyond those is not known.
struct ClientReader {
    struct Unreadable: Error {}

    /// No client's document is nested deeper, and nobody's stack shall depend on what is sent.
    private static let depthMaximum = 128

    let bytes: [UInt8]
    let dialect: ClientDialect
    private var index = 0

    init(bytes: [UInt8], dialect: ClientDialect) {
        (self.bytes, self.dialect) = (bytes, dialect)
    }

    mutating func document() throws(Unreadable) -> ClientValue {
        if dialect.forgivesByteOrderMark, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        let value = try value(depth: 0)
        skipBlanks()
        guard dialect.forgivesRest || index == bytes.count else { throw Unreadable() }
        return value
    }

    private mutating func value(depth: Int) throws(Unreadable) -> ClientValue {
        skipBlanks()
        switch peek {
        case UInt8(ascii: "{"): return .object(try object(depth: try deeper(depth)))
        case UInt8(ascii: "["): return .array(try array(depth: try deeper(depth)))
        case UInt8(ascii: "\""): return .string(try string())
        default: return try word()
        }
    }

    private func deeper(_ depth: Int) throws(Unreadable) -> Int {
        guard depth < Self.depthMaximum else { throw Unreadable() }
        return depth + 1
    }

    private mutating func object(depth: Int) throws(Unreadable) -> ClientObject {
        index += 1
        var object = ClientObject()
        if take("}") { return object }
        while true {
            skipBlanks()
            let key = try string()
            guard take(":") else { throw Unreadable() }
            let value = try value(depth: depth)
            switch (dialect.duplicates, object[key]) {
            case (_, nil): object.set(key, value)
            case (.first, _?): break
            case (.last, _?): object.set(key, value)
            case (.refused, _?): throw Unreadable()
            }
            if take("}") { return object }
            guard take(",") else { throw Unreadable() }
            if take("}") {
                guard dialect.commaInObject == .nothing else { throw Unreadable() }
                return object
            }
        }
    }

    private mutating func array(depth: Int) throws(Unreadable) -> [ClientValue] {
        index += 1
        var values: [ClientValue] = []
        if take("]") { return values }
        while true {
            values.append(try value(depth: depth))
            if take("]") { return values }
            guard take(",") else { throw Unreadable() }
            if take("]") {
                switch dialect.commaInArray {
                case .nothing: return values
                case .null: return values + [.null]
                case .refused: throw Unreadable()
                }
            }
        }
    }

    /// Escapes are left to our own reader, which takes no null character and no half of a pair of
    /// surrogates; the readers of clients may.
    private mutating func string() throws(Unreadable) -> String {
        guard peek == UInt8(ascii: "\"") else { throw Unreadable() }
        let start = index
        index += 1
        while let byte = peek, byte != UInt8(ascii: "\"") {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard peek != nil else { throw Unreadable() }
        index += 1
        let limits = JSONLimits(sizeMaximum: bytes.count)
        // What is wrong with it does not matter: a client says no more than that it cannot read.
        let value = try? JSONValue(parsing: Array(bytes[start..<index]), limits: limits)
        guard let text = value?.string else { throw Unreadable() }
        return text
    }

    private mutating func word() throws(Unreadable) -> ClientValue {
        let start = index
        while let byte = peek, Self.isOfWord(byte) { index += 1 }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default:
            guard Self.isNumber(bytes[start..<index]) else { throw Unreadable() }
            return .number(word)
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// As RFC 8259, 6, has it.
    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        var rest = word.first == UInt8(ascii: "-") ? word.dropFirst() : word
        func digits() -> Int {
            let count = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        let startsWithZero = rest.first == 0x30
        let whole = digits()
        guard whole > 0, !startsWithZero || whole == 1 else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Goes past the next mark, if it is this one.
    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard peek == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }
}
