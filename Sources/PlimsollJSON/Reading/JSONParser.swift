/// Reads a value from the front of some bytes, once.
///
/// The bytes are handed to each function, because a stored property cannot hold a span yet.
struct JSONParser {
    let limits: JSONLimits
    var index = 0

    init(limits: JSONLimits) {
        self.limits = limits
    }

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
