import Foundation

/// Reads JSON strictly, once, from the front: no name twice, nothing behind the end.
///
/// Foundation's readers accept a name that stands twice, and differ in which of the two counts; a
/// document must not mean one thing to this client and another to the next.
struct JSONReader {
    private let bytes: [UInt8]
    private var index = 0

    /// As deep as the service reads: a proof has whatever a change has that somebody signed.
    private static let depthMaximum = 32
    private static let fewNames = 32

    static func object(in data: Data) throws(JSONFault) -> JSONObject {
        // Once for the whole: between two quotes a valid text is valid too.
        guard String(data: data, encoding: .utf8) != nil else {
            throw JSONFault("The document is not UTF-8.", at: 0)
        }
        var reader = JSONReader(bytes: Array(data))
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

    /// The text whose first quote lies there, in bytes that were read before.
    fileprivate static func text(in bytes: [UInt8], at quote: Int) -> String {
        var reader = JSONReader(bytes: bytes)
        reader.index = quote
        // Whoever read it went through all of it.
        return (try? reader.string()) ?? ""
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            index += 1
        }
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
        case UInt8(ascii: "\""):
            let text = JSONText.written(bytes, quote: index)
            var unread: String?
            try readString(into: &unread)
            return .text(text)
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
        var others: Set<String> = []
        skipBlanks()
        if take("}") { return JSONObject(members: []) }
        repeat {
            skipBlanks()
            let start = index
            guard peek == UInt8(ascii: "\"") else {
                throw JSONFault("A name in quotes is needed here.", at: index)
            }
            let key = try string()
            // Few names are compared sooner than hashed; of many, comparing would take for ever.
            guard
                !members.prefix(Self.fewNames).contains(where: { $0.key == key }),
                members.count < Self.fewNames || others.insert(key).inserted
            else {
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
        var text: String? = ""
        try readString(into: &text)
        return text ?? ""
    }

    /// Goes to the end of a text, and adds it to what is given, unless that is `nil`.
    private mutating func readString(into text: inout String?) throws(JSONFault) {
        index += 1
        let start = index
        var isEscaped = false
        while true {
            let piece = index
            skipPlain()
            text?.append(String(decoding: bytes[piece..<index], as: UTF8.self))
            guard let byte = peek else {
                throw JSONFault("A text has no end.", at: isEscaped ? index : start)
            }
            guard byte >= 0x20 else { throw JSONFault("A control character.", at: index) }
            index += 1
            if byte == UInt8(ascii: "\"") { return }
            isEscaped = true
            let scalar = try escaped()
            text?.unicodeScalars.append(scalar)
        }
    }

    /// Goes to what ends a text or stands for something else in it.
    ///
    /// As long as a block has nothing of the kind, the processor looks at many bytes at once.
    private mutating func skipPlain() {
        var place = index
        while place <= bytes.count - Self.block,
            bytes[place..<place + Self.block].reduce(0, { $0 | Self.mark($1) }) == 0
        {
            place += Self.block
        }
        while place < bytes.count, Self.mark(bytes[place]) == 0 { place += 1 }
        index = place
    }

    private static let block = 32

    /// Not 0 for whatever cannot stand for itself in a text, without a branch.
    private static func mark(_ byte: UInt8) -> UInt8 {
        (byte < 0x20 ? 1 : 0) | (byte == UInt8(ascii: "\"") ? 1 : 0)
            | (byte == UInt8(ascii: "\\") ? 1 : 0)
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

extension Date {
    /// Reads a time in UTC as the service writes it: `2026-11-21T10:22:06.714Z`, with or without
    /// a fraction of the second.
    init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard (20...30).contains(bytes.count), bytes.last == UInt8(ascii: "Z") else { return nil }
        for (place, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
            as [(Int, Character)]
        {
            guard bytes[place] == mark.asciiValue else { return nil }
        }
        func number(_ places: Range<Int>) -> Int? {
            var sum = 0
            for byte in bytes[places] {
                guard (0x30...0x39).contains(byte) else { return nil }
                sum = sum * 10 + Int(byte - 0x30)
            }
            return sum
        }
        guard
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction = 0.0
        if bytes.count > 20 {
            let digits = 20..<(bytes.count - 1)
            guard bytes[19] == UInt8(ascii: "."), !digits.isEmpty, let count = number(digits) else {
                return nil
            }
            fraction = Double(count) / pow(10, Double(digits.count))
        }
        let days = daysSince1970(year: year, month: month, day: day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
        self.init(timeIntervalSince1970: Double(seconds) + fraction)
    }
}

/// Counts years from March, so that the leap day is the last of its year.
private func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
}

/// A value of a document.
package enum JSONValue: Hashable, Sendable {
    case object(JSONObject)
    case array([JSONValue])
    case text(JSONText)
    /// A whole number within 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    case bool(Bool)
    case null

    package static func string(_ text: String) -> JSONValue { .text(.read(text)) }

    /// The text; `nil` where it is none.
    package var string: String? {
        if case .text(let text) = self { text.string } else { nil }
    }
}

/// A text, read when it is asked for: most of a document's are in languages that nobody reads.
package enum JSONText: Sendable {
    case read(String)
    /// As it stands in the document, whose reader has been there.
    case written([UInt8], quote: Int)

    var string: String {
        switch self {
        case .read(let text): text
        case .written(let bytes, let quote): JSONReader.text(in: bytes, at: quote)
        }
    }
}

extension JSONText: Hashable {
    package static func == (one: JSONText, other: JSONText) -> Bool { one.string == other.string }

    package func hash(into hasher: inout Hasher) { hasher.combine(string) }
}

extension JSONText: CustomDebugStringConvertible {
    package var debugDescription: String { string.debugDescription }
}

/// The members of an object in their order; no name stands twice.
package struct JSONObject: Hashable, Sendable {
    /// A name and its value.
    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONValue
    }

    package let members: [Member]

    package subscript(key: String) -> JSONValue? {
        members.first { $0.key == key }?.value
    }
}

/// Why some bytes are no JSON, as a sentence.
struct JSONFault: Error, CustomStringConvertible {
    let description: String
    let offset: Int

    init(_ sentence: String, at offset: Int) {
        description = "\(sentence) (byte \(offset))"
        self.offset = offset
    }
}
