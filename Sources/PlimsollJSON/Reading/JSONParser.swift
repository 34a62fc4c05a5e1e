/// Reads a value from the front of some bytes, once.
///
/// The bytes are handed to each function, because a stored property cannot hold a span yet.
struct JSONParser {
    let limits: JSONLimits
    var index = 0

    mutating func document(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        try refuseOtherEncodings(bytes)
        skipBlanks(bytes)
        guard index < bytes.count else { throw JSONError(.empty, at: index) }
        let value = try value(bytes, depth: 0)
        skipBlanks(bytes)
        guard index == bytes.count else { throw JSONError(.trailingBytes, at: index) }
        return value
    }

    /// A byte order mark is text to some readers and nothing to others; a zero among the first
    /// two bytes means UTF-16 or UTF-32 (RFC 4627, 3).
    private func refuseOtherEncodings(_ bytes: Span<UInt8>) throws(JSONError) {
        guard bytes.count >= 2 else { return }
        let (first, second) = (bytes[0], bytes[1])
        if first == 0xEF, second == 0xBB { throw JSONError(.byteOrderMark, at: 0) }
        if first >= 0xFE || first == 0 || second == 0 { throw JSONError(.notUTF8, at: 0) }
    }

    mutating func skipBlanks(_ bytes: Span<UInt8>) {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    private mutating func value(
        _ bytes: Span<UInt8>,
        depth: Int
    ) throws(JSONError) -> JSONValue {
        guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: index) }
        switch bytes[index] {
        case UInt8(ascii: "\""): return .string(try string(bytes))
        case UInt8(ascii: "{"): return .object(try object(bytes, depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(bytes, depth: depth + 1))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .integer(try integer(bytes))
        case UInt8(ascii: "t"):
            try skip("true", bytes)
            return .bool(true)
        case UInt8(ascii: "f"):
            try skip("false", bytes)
            return .bool(false)
        case UInt8(ascii: "n"):
            try skip("null", bytes)
            return .null
        default:
            throw JSONError(.unexpectedByte(bytes[index], needed: "a JSON value"), at: index)
        }
    }

    private mutating func skip(_ word: StaticString, _ bytes: Span<UInt8>) throws(JSONError) {
        for scalar in "\(word)".utf8 {
            guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: index) }
            guard bytes[index] == scalar else {
                throw JSONError(.unexpectedByte(bytes[index], needed: "\(word)"), at: index)
            }
            index += 1
        }
    }

    private mutating func object(
        _ bytes: Span<UInt8>,
        depth: Int
    ) throws(JSONError) -> JSONObject {
        try begin(depth)
        var members: [JSONObject.Member] = []
        skipBlanks(bytes)
        if index < bytes.count, bytes[index] == UInt8(ascii: "}") {
            index += 1
            return JSONObject()
        }
        let start = index
        members.reserveCapacity(8)
        repeat {
            skipBlanks(bytes)
            members.append(try member(bytes, depth: depth))
        } while try another(bytes, closing: UInt8(ascii: "}"))
        if let duplicate = firstDuplicate(in: members) {
            let key = members[duplicate].key
            throw JSONError(.duplicate(key: key), at: start).inside(key)
        }
        return JSONObject(unique: members)
    }

    private mutating func member(
        _ bytes: Span<UInt8>,
        depth: Int
    ) throws(JSONError) -> JSONObject.Member {
        guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: index) }
        guard bytes[index] == UInt8(ascii: "\"") else {
            throw JSONError(
                .unexpectedByte(bytes[index], needed: "the name of a member in quotes"),
                at: index
            )
        }
        let key = try string(bytes)
        do throws(JSONError) {
            skipBlanks(bytes)
            guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: index) }
            guard bytes[index] == UInt8(ascii: ":") else {
                throw JSONError(.unexpectedByte(bytes[index], needed: "a colon"), at: index)
            }
            index += 1
            skipBlanks(bytes)
            return JSONObject.Member(key: key, value: try value(bytes, depth: depth))
        } catch {
            throw error.inside(key)
        }
    }

    private mutating func array(
        _ bytes: Span<UInt8>,
        depth: Int
    ) throws(JSONError) -> [JSONValue] {
        try begin(depth)
        skipBlanks(bytes)
        if index < bytes.count, bytes[index] == UInt8(ascii: "]") {
            index += 1
            return []
        }
        var values: [JSONValue] = []
        repeat {
            skipBlanks(bytes)
            do throws(JSONError) {
                values.append(try value(bytes, depth: depth))
            } catch {
                throw error.inside(values.count)
            }
        } while try another(bytes, closing: UInt8(ascii: "]"))
        return values
    }

    /// Refuses one level too many before going down, so the stack is bounded by the limit.
    private mutating func begin(_ depth: Int) throws(JSONError) {
        guard depth <= limits.depthMaximum else {
            throw JSONError(.tooDeep(maximum: limits.depthMaximum), at: index)
        }
        index += 1
    }

    /// Whether a comma follows, rather than the end.
    private mutating func another(
        _ bytes: Span<UInt8>,
        closing: UInt8
    ) throws(JSONError) -> Bool {
        skipBlanks(bytes)
        guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: index) }
        let byte = bytes[index]
        guard byte == UInt8(ascii: ",") || byte == closing else {
            let needed = "a comma or “\(Unicode.Scalar(closing))”"
            throw JSONError(.unexpectedByte(byte, needed: needed), at: index)
        }
        index += 1
        return byte != closing
    }
}

extension JSONParser {
    /// A whole number in `Int64`; what JSON also calls a number is refused by name.
    mutating func integer(_ bytes: Span<UInt8>) throws(JSONError) -> Int64 {
        let start = index
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let firstDigit = index
        // Counted downwards, because there is one negative number more.
        var number: Int64 = 0
        var overflows = false
        while index < bytes.count, (0x30...0x39).contains(bytes[index]) {
            let (product, first) = number.multipliedReportingOverflow(by: 10)
            let digit = Int64(bytes[index] - 0x30)
            let (difference, second) = product.subtractingReportingOverflow(digit)
            overflows = overflows || first || second
            number = difference
            index += 1
        }
        guard index > firstDigit else { throw unexpected(bytes, needed: "a digit") }
        if bytes[firstDigit] == 0x30, index > firstDigit + 1 {
            throw JSONError(.leadingZero, at: start)
        }
        if index < bytes.count, [0x2E, 0x45, 0x65].contains(bytes[index]) {
            throw JSONError(.notWhole, at: start)
        }
        if isNegative, number == 0, !overflows { throw JSONError(.negativeZero, at: start) }
        guard !overflows, isNegative || number != .min else {
            throw JSONError(.numberTooLarge, at: start)
        }
        return isNegative ? number : -number
    }

    func unexpected(_ bytes: Span<UInt8>, needed: String) -> JSONError {
        index < bytes.count
            ? JSONError(.unexpectedByte(bytes[index], needed: needed), at: index)
            : JSONError(.unexpectedEnd, at: index)
    }
}

extension JSONParser {
    /// A string between its quotes; nearly all have no escape and are copied whole.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
        index += 1
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                let string = try text(bytes.extracting(start..<index), at: start)
                index += 1
                return string
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(bytes, from: start) }
            guard byte >= 0x20 else { throw JSONError(.controlCharacter(byte), at: index) }
            index += 1
        }
        throw JSONError(.unexpectedEnd, at: index)
    }

    private func text(_ bytes: Span<UInt8>, at offset: Int) throws(JSONError) -> String {
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: bytes))
        } catch {
            throw JSONError(.notUTF8, at: offset + error.byteOffsets.lowerBound)
        }
    }

    /// Goes on at the first backslash, collecting what the string decodes to.
    private mutating func escapedString(
        _ bytes: Span<UInt8>,
        from start: Int
    ) throws(JSONError) -> String {
        var decoded: [UInt8] = []
        for offset in start..<index { decoded.append(bytes[offset]) }
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                index += 1
                // Escapes decode to whole scalars, so a fault lies in the bytes between them.
                return try text(decoded.span, at: start)
            }
            guard byte >= 0x20 else { throw JSONError(.controlCharacter(byte), at: index) }
            if byte == UInt8(ascii: "\\") {
                try escape(bytes, into: &decoded)
            } else {
                decoded.append(byte)
                index += 1
            }
        }
        throw JSONError(.unexpectedEnd, at: index)
    }

    private mutating func escape(
        _ bytes: Span<UInt8>,
        into decoded: inout [UInt8]
    ) throws(JSONError) {
        let start = index
        guard index + 1 < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
        let letter = bytes[index + 1]
        index += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(letter)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"):
            decoded.append(contentsOf: String(try scalar(bytes, from: start)).utf8)
        default: throw JSONError(.badEscape, at: start)
        }
    }

    /// One scalar from one `\uXXXX` or from a pair of them.
    private mutating func scalar(
        _ bytes: Span<UInt8>,
        from start: Int
    ) throws(JSONError) -> Unicode.Scalar {
        let unit = try codeUnit(bytes)
        if unit == 0 { throw JSONError(.nullCharacter, at: start) }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard
            unit < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { throw JSONError(.unpairedSurrogate, at: start) }
        index += 2
        let low = try codeUnit(bytes)
        // Ten bits come from each half, and both fit, so every pair is a scalar.
        guard
            (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + UInt32(unit & 0x3FF) << 10 + UInt32(low & 0x3FF))
        else { throw JSONError(.unpairedSurrogate, at: start) }
        return scalar
    }

    private mutating func codeUnit(_ bytes: Span<UInt8>) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: index) }
            guard let digit = hexDigit(bytes[index]) else {
                throw JSONError(.badEscape, at: index)
            }
            unit = unit << 4 | digit
            index += 1
        }
        return unit
    }

    private func hexDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case 0x30...0x39: UInt16(byte - 0x30)
        case 0x41...0x46: UInt16(byte - 0x41 + 10)
        case 0x61...0x66: UInt16(byte - 0x61 + 10)
        default: nil
        }
    }
}
