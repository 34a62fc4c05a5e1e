import Foundation

@testable import PlimsollClient

/// What the client's reader is held against: the former one, which read every text at once.
struct EagerReader {
    private let bytes: [UInt8]
    private var index = 0

    private static let depthMaximum = 32

    static func object(in data: Data) throws(JSONFault) -> JSONObject {
        // Once for the whole: between two quotes a valid text is valid too.
        guard String(data: data, encoding: .utf8) != nil else {
            throw JSONFault("The document is not UTF-8.", at: 0)
        }
        var reader = EagerReader(bytes: Array(data))
        reader.skipBlanks()
        guard reader.peek == UInt8(ascii: "{") else {
            throw JSONFault("The document is not an object.", at: reader.index)
        }
        let object = try reader.object(depth: 1)
        reader.skipBlanks()
        guard reader.index == reader.bytes.count else {
            throw JSONFault("Something follows the document.", at: reader.index)
        }
        return object
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
        guard depth <= Self.depthMaximum else {
            throw JSONFault("Values lie in one another too deep.", at: index)
        }
        switch peek {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(
        _ word: StaticString,
        _ value: JSONValue
    ) throws(JSONFault) -> JSONValue {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[index..<end].elementsEqual("\(word)".utf8) else {
            throw JSONFault("A value is needed here.", at: index)
        }
        index = end
        return value
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSONObject {
        index += 1
        var members: [JSONObject.Member] = []
        skipBlanks()
        if take("}") { return JSONObject(members: []) }
        repeat {
            skipBlanks()
            let start = index
            guard peek == UInt8(ascii: "\"") else {
                throw JSONFault("A name in quotes is needed here.", at: index)
            }
            let key = try string()
            guard !members.contains(where: { $0.key == key }) else {
                throw JSONFault("The name “\(key.prefix(40))” stands twice.", at: start)
            }
            skipBlanks()
            guard take(":") else { throw JSONFault("A colon is needed here.", at: index) }
            skipBlanks()
            members.append(.init(key: key, value: try value(depth: depth + 1)))
            skipBlanks()
        } while take(",")
        guard take("}") else { throw JSONFault("“,” or “}” is needed here.", at: index) }
        return JSONObject(members: members)
    }

    private mutating func array(depth: Int) throws(JSONFault) -> [JSONValue] {
        index += 1
        var values: [JSONValue] = []
        skipBlanks()
        if take("]") { return [] }
        repeat {
            skipBlanks()
            values.append(try value(depth: depth + 1))
            skipBlanks()
        } while take(",")
        guard take("]") else { throw JSONFault("“,” or “]” is needed here.", at: index) }
        return values
    }

    /// RFC 8259, 6: no plus, no leading zero, no point without digits on both sides.
    private mutating func number() throws(JSONFault) -> JSONValue {
        let start = index
        func fault() -> JSONFault { JSONFault("A value is needed here.", at: start) }
        _ = take("-")
        if !take("0") { guard skipDigits() else { throw fault() } }
        var isWhole = true
        if take(".") {
            isWhole = false
            guard skipDigits() else { throw fault() }
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            guard skipDigits() else { throw fault() }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw fault() }
        return .number(number)
    }

    private mutating func skipDigits() -> Bool {
        let start = index
        while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
        return index > start
    }

    private mutating func string() throws(JSONFault) -> String {
        index += 1
        let start = index
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else { throw JSONFault("A control character.", at: index) }
            index += 1
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if take("\"") { return text }
        guard peek != nil else { throw JSONFault("A text has no end.", at: start) }
        return try escapedString(beginning: text)
    }

    private mutating func escapedString(beginning: String) throws(JSONFault) -> String {
        var text = beginning
        while !take("\"") {
            guard let byte = peek else { throw JSONFault("A text has no end.", at: index) }
            guard byte >= 0x20 else { throw JSONFault("A control character.", at: index) }
            if take("\\") {
                text.unicodeScalars.append(try escaped())
                continue
            }
            let start = index
            while let byte = peek, byte >= 0x20, byte != 0x22, byte != 0x5C { index += 1 }
            text += String(decoding: bytes[start..<index], as: UTF8.self)
        }
        return text
    }

    private mutating func escaped() throws(JSONFault) -> Unicode.Scalar {
        let start = index
        defer { index += 1 }
        switch peek {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try scalar()
        default: throw JSONFault("An escape that JSON does not know.", at: start)
        }
    }

    /// One `\uXXXX`, or a pair of them for what lies above U+FFFF; ends on its last digit.
    private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
        let start = index
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        index += 1
        guard unit < 0xDC00, take("\\"), peek == UInt8(ascii: "u") else {
            throw JSONFault("Half of a pair of surrogates.", at: start)
        }
        let low = try codeUnit()
        guard
            (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF))
        else { throw JSONFault("Half of a pair of surrogates.", at: start) }
        return scalar
    }

    private mutating func codeUnit() throws(JSONFault) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            index += 1
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw JSONFault("Four hexadecimal digits are needed here.", at: index)
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
