package import FoundationEssentials
import PlimsollJSON

/// Reads canonical JSON from the front of an entry, members in the order in which they must stand.
///
/// Only the bytes that ``EventCodec`` writes are accepted. The bytes are handed to each function,
/// because a stored property cannot hold a span yet.
struct EntryCursor {
    private(set) var index = 0

    func malformed(needed: String) -> EntryError {
        .malformed(offset: index, needed: needed)
    }

    /// Goes on behind the literal, which must come now.
    mutating func expect(_ literal: [UInt8], _ bytes: Span<UInt8>) throws(EntryError) {
        guard skip(literal, bytes) else {
            throw malformed(needed: String(decoding: literal, as: UTF8.self))
        }
    }

    /// Goes on behind the literal if it comes now.
    mutating func skip(_ literal: [UInt8], _ bytes: Span<UInt8>) -> Bool {
        guard bytes.count - index >= literal.count else { return false }
        for offset in literal.indices where bytes[index + offset] != literal[offset] {
            return false
        }
        index += literal.count
        return true
    }

    func expectEnd(_ bytes: Span<UInt8>) throws(EntryError) {
        guard index == bytes.count else { throw malformed(needed: "the end of the entry") }
    }

    /// The inside of a string without escapes, up to its closing quote.
    mutating func name(_ bytes: Span<UInt8>) throws(EntryError) -> Range<Int> {
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { return start..<index }
            guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") else { break }
            index += 1
        }
        throw malformed(needed: "a name in quotes")
    }

    /// The number, in the one way in which it can be written.
    mutating func count(_ bytes: Span<UInt8>) throws(EntryError) -> Int64 {
        let start = index
        var number: Int64 = 0
        while index < bytes.count, case let digit = bytes[index] &- 0x30, digit < 10 {
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(Int64(digit))
            guard !isTooLarge, !overflows else { throw malformed(needed: "a smaller number") }
            number = sum
            index += 1
        }
        guard index > start, bytes[start] != 0x30 || index == start + 1 else {
            throw malformed(needed: "a whole number")
        }
        return number
    }

    /// Goes over a string or an object, quotes or braces included, without understanding it.
    mutating func skipValue(_ bytes: Span<UInt8>) throws(EntryError) -> Range<Int> {
        let start = index
        var depth = 0
        var isInString = false
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isInString {
                if byte == UInt8(ascii: "\"") { isInString = false }
                if byte == UInt8(ascii: "\\") { index += 1 }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
            }
            if depth == 0, !isInString { return start..<index }
        }
        throw malformed(needed: "the end of a value")
    }

    /// A string with its quotes, whatever is escaped in it.
    mutating func text(_ bytes: Span<UInt8>) throws(EntryError) -> String {
        guard case .string(let text) = try json(bytes) else { throw malformed(needed: "a string") }
        return text
    }

    /// A string or an object, in its canonical form or any other.
    mutating func json(_ bytes: Span<UInt8>) throws(EntryError) -> JSONValue {
        let range = try skipValue(bytes)
        guard range.upperBound <= bytes.count else { throw malformed(needed: "a JSON value") }
        return try parse(bytes, range)
    }

    func parse(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(EntryError) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: bytes.extracting(range))
        } catch {
            throw .malformed(offset: range.lowerBound + error.offset, needed: "a JSON value")
        }
    }

    /// A UUID in lower-case digits, without quotes.
    mutating func uuid(_ bytes: Span<UInt8>) throws(EntryError) -> UUID {
        guard bytes.count - index >= 36, let uuid = UUID(canonical: bytes, at: index) else {
            throw malformed(needed: "a lower-case UUID")
        }
        index += 36
        return uuid
    }
}

extension UUID {
    /// Reads 36 bytes: 32 lower-case hexadecimal digits and four hyphens.
    fileprivate init?(canonical text: Span<UInt8>, at start: Int) {
        let hyphen = UInt8(ascii: "-")
        guard
            text[start + 8] == hyphen, text[start + 13] == hyphen, text[start + 18] == hyphen,
            text[start + 23] == hyphen
        else { return nil }
        var digits = HexDigits()
        digits.take(text.extracting(start..<start + 8))
        digits.take(text.extracting(start + 9..<start + 13))
        digits.take(text.extracting(start + 14..<start + 18))
        let high = digits.number
        digits.take(text.extracting(start + 19..<start + 23))
        digits.take(text.extracting(start + 24..<start + 36))
        guard digits.areSound else { return nil }
        self.init(high: high, low: digits.number)
    }

    /// The sixteen bytes as two numbers, the most significant byte first.
    package init(high: UInt64, low: UInt64) {
        func byte(_ word: UInt64, _ shift: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: word >> shift)
        }
        self.init(
            uuid: (
                byte(high, 56), byte(high, 48), byte(high, 40), byte(high, 32),
                byte(high, 24), byte(high, 16), byte(high, 8), byte(high, 0),
                byte(low, 56), byte(low, 48), byte(low, 40), byte(low, 32),
                byte(low, 24), byte(low, 16), byte(low, 8), byte(low, 0)
            )
        )
    }
}

/// Collects lower-case hexadecimal digits without a branch for each.
private struct HexDigits {
    /// The last sixteen digits.
    private(set) var number: UInt64 = 0
    private(set) var areSound = true

    mutating func take(_ text: Span<UInt8>) {
        for index in text.indices {
            let byte = text[index]
            let isDecimal = byte &- 0x30 < 10
            let isLetter = byte &- 0x61 < 6
            number = number << 4 | UInt64(byte &- (isDecimal ? 0x30 : 0x57))
            areSound = areSound && (isDecimal || isLetter)
        }
    }
}
