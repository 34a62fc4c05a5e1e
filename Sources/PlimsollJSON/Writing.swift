/// Writes canonical JSON straight into bytes, for what is written by the million.
///
/// Nothing is put in order here: the caller writes members in the order of their names, with all
/// that stands between the values. What is not written by the million is a ``JSONValue``.
package struct CanonicalWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Names and signs, which are already as they have to be.
    package mutating func literal(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// What was written before, or needs no escapes.
    package mutating func literal(_ written: [UInt8]) {
        bytes.append(contentsOf: written)
    }

    package mutating func string(_ text: String) {
        appendCanonicalString(text, to: &bytes)
    }

    /// Null where there is none.
    package mutating func string(_ text: String?) {
        if let text { string(text) } else { literal("null") }
    }

    package mutating func integer(_ number: Int64) {
        literal(String(number))
    }

    package mutating func value(_ value: JSONValue) {
        value.appendCanonical(to: &bytes)
    }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }
}

extension JSONValue {
    /// The one way to write this value (RFC 8785): members in order, no blanks, fewest escapes.
    ///
    /// RFC 8785 writes numbers as ECMAScript does, which rounds whole numbers beyond 2⁵³; here
    /// they are written out in full.
    package func canonicalBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        appendCanonical(to: &bytes)
        return bytes
    }

    package func appendCanonical(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(true): bytes.append(contentsOf: "true".utf8)
        case .bool(false): bytes.append(contentsOf: "false".utf8)
        case .integer(let number): bytes.append(contentsOf: String(number).utf8)
        case .string(let string): appendCanonicalString(string, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.appendCanonical(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object): object.appendCanonical(to: &bytes)
        }
    }
}

extension JSONObject {
    package func canonicalBytes() -> [UInt8] { JSONValue.object(self).canonicalBytes() }

    package func appendCanonical(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (place, index) in canonicalOrder.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            appendCanonicalString(members[index].key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            members[index].value.appendCanonical(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Where the members stand that come first, second and so on; they are not moved themselves.
    private var canonicalOrder: [Int] {
        let indices = Array(members.indices)
        for index in indices.dropFirst()
        where !precedesInUTF16(members[index - 1].key, members[index].key) {
            return indices.sorted { precedesInUTF16(members[$0].key, members[$1].key) }
        }
        // What was read from canonical bytes is in order already.
        return indices
    }
}

/// The order of RFC 8785, 3.2.3, told from UTF-8.
///
/// It differs from the order of the bytes only where scalars beyond U+FFFF, whose UTF-16 begins
/// with 0xD8…0xDB, meet U+E000…U+FFFF, whose UTF-8 begins with 0xEE or 0xEF.
func precedesInUTF16(_ left: String, _ right: String) -> Bool {
    let (first, second) = (left.utf8.span, right.utf8.span)
    for index in 0..<min(first.count, second.count) where first[index] != second[index] {
        return rank(first[index]) < rank(second[index])
    }
    return first.count < second.count
}

private func rank(_ byte: UInt8) -> UInt8 {
    byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte
}

func appendCanonicalString(_ string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    if countEscapes(in: string.utf8.span) == 0 {
        bytes.append(contentsOf: string.utf8)
    } else {
        appendEscaped(Array(string.utf8), to: &bytes)
    }
    bytes.append(UInt8(ascii: "\""))
}

/// All of them, since a loop that stops at the first takes ten times as long: the compiler makes
/// no vectors of it.
private func countEscapes(in bytes: Span<UInt8>) -> Int {
    var count = 0
    for index in bytes.indices { count &+= needsEscape(bytes[index]) ? 1 : 0 }
    return count
}

private func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

/// What stands between two escapes is copied as a whole.
private func appendEscaped(_ text: [UInt8], to bytes: inout [UInt8]) {
    var start = 0
    for index in text.indices where needsEscape(text[index]) {
        bytes.append(contentsOf: text[start..<index])
        appendEscape(of: text[index], to: &bytes)
        start = index + 1
    }
    bytes.append(contentsOf: text[start...])
}

private func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
    case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
    case 0x08: bytes.append(contentsOf: "\\b".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0C: bytes.append(contentsOf: "\\f".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    default:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(contentsOf: (byte < 16 ? "0" : "1").utf8)
        bytes.append(contentsOf: String(byte & 0x0F, radix: 16).utf8)
    }
}
