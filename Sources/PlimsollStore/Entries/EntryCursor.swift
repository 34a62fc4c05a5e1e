package import FoundationEssentials
import PlimsollJSON
import PlimsollPostgres
import PlimsollSystem

/// Reads canonical JSON from the front of an entry, members in the order in which they must stand.
///
/// Only the bytes that ``EventCodec`` writes are accepted. The bytes are handed to each function,
/// because a stored property cannot hold a span yet.
struct EntryCursor {
    private(set) var index: Int
    /// Whether every byte so far was one that could not have been written otherwise.
    ///
    /// Escapes can be, and so can whatever was passed over without being understood.
    private(set) var isForced = true

    init(at index: Int = 0) {
        self.index = index
    }

    func malformed(needed: String) -> EntryError {
        .malformed(offset: index, needed: needed)
    }

    /// Goes on behind the literal, which must come now.
    mutating func expect(_ literal: StaticString, _ bytes: Span<UInt8>) throws(EntryError) {
        guard skip(literal, bytes) else { throw malformed(needed: "\(literal)") }
    }

    /// Goes on behind the literal if it comes now.
    mutating func skip(_ literal: StaticString, _ bytes: Span<UInt8>) -> Bool {
        guard bytes.has(literal, at: index) else { return false }
        index += literal.utf8CodeUnitCount
        return true
    }

    func expectEnd(_ bytes: Span<UInt8>) throws(EntryError) {
        guard index == bytes.count else { throw malformed(needed: "the end of the entry") }
    }

    /// The inside of a string without escapes, up to its closing quote.
    mutating func name(_ bytes: Span<UInt8>) throws(EntryError) -> Range<Int> {
        let start = index
        while index < bytes.count {
            if index + 8 <= bytes.count {
                let passed = ByteWord(bytes.word(at: index)).countBeforeNameEnd
                index += passed
                if passed == 8 { continue }
            }
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { return start..<index }
            guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") else { break }
            index += 1
        }
        throw malformed(needed: "a name in quotes")
    }

    /// The inside of a string, escapes and all, up to its closing quote; `nil` if there is none.
    mutating func string(_ bytes: Span<UInt8>) -> (range: Range<Int>, hasEscapes: Bool)? {
        let start = index
        var hasEscapes = false
        while index < bytes.count {
            if index + 8 <= bytes.count {
                let passed = ByteWord(bytes.word(at: index)).countBeforeStringEnd
                index += passed
                if passed == 8 { continue }
            }
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                if hasEscapes { isForced = false }
                return (start..<index, hasEscapes)
            }
            guard byte >= 0x20 else { return nil }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                index += 1
            }
            index += 1
        }
        return nil
    }

    /// What the inside of a string says, up to its closing quote; `nil` if it cannot be read.
    mutating func content(_ bytes: Span<UInt8>) -> String? {
        guard let (range, hasEscapes) = string(bytes) else { return nil }
        return content(bytes, range, hasEscapes: hasEscapes)
    }

    func content(_ bytes: Span<UInt8>, _ range: Range<Int>, hasEscapes: Bool) -> String? {
        guard hasEscapes else {
            return try? String(copying: UTF8Span(validating: bytes.extracting(range)))
        }
        let quoted = bytes.extracting(range.lowerBound - 1..<range.upperBound + 1)
        return (try? JSONValue(parsing: quoted))?.string
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
        isForced = false
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
    ///
    /// The digits stand in groups of 8, 4, 4, 4 and 12; they are read in four words, each group of
    /// four together with the one behind it.
    fileprivate init?(canonical text: Span<UInt8>, at start: Int) {
        let (second, third) = (text.word(at: start + 9), text.word(at: start + 14))
        let (fourth, fifth) = (text.word(at: start + 19), text.word(at: start + 24))
        let hyphens = [second, third, fourth].allSatisfy { $0 >> 32 & 0xFF == 0x2D }
        guard text[start + 8] == 0x2D, hyphens,
            let a = ByteWord(text.word(at: start)).hexadecimal,
            let b = ByteWord(second & 0xFFFF_FFFF | third << 32).hexadecimal,
            let c = ByteWord(fourth & 0xFFFF_FFFF | fifth << 32).hexadecimal,
            let d = ByteWord(text.word(at: start + 28)).hexadecimal
        else { return nil }
        self.init(high: a << 32 | b, low: c << 32 | d)
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

/// Eight bytes looked at together, the first as the least significant.
///
/// In a sum or difference of words a byte may borrow from the ones behind it, so of the marks that
/// these functions make only the first can be relied on. That one is asked for.
struct ByteWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    private let bytes: UInt64

    init(_ bytes: UInt64) {
        self.bytes = bytes
    }

    /// How many bytes stand before the first that is not visible ASCII, or is a quote or a
    /// backslash; 8 if there is none.
    var countBeforeNameEnd: Int {
        first(marks(below: 0x21) | marks(of: 0x22) | marks(of: 0x5C) | marks(of: 0x7F) | nonASCII)
    }

    /// How many bytes stand before the first quote, backslash or control; 8 if there is none.
    var countBeforeStringEnd: Int {
        first(marks(below: 0x20) | marks(of: 0x22) | marks(of: 0x5C))
    }

    /// The number that eight lower-case hexadecimal digits write, or `nil`.
    var hexadecimal: UInt64? {
        let letters = bytes >> 6 & Self.ones
        let values = (bytes & (Self.ones &* 0x0F)) &+ letters &* 9
        let areLetters = (values &+ Self.ones &* 0x76) & Self.highs
        let written = values &+ Self.ones &* 0x30 &+ (areLetters >> 7) &* 0x27
        guard written == bytes, values & (Self.ones &* 0xF0) == 0 else { return nil }
        var number = values.byteSwapped
        number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF
        number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF
        return (number | number >> 16) & 0xFFFF_FFFF
    }

    private var nonASCII: UInt64 { bytes & Self.highs }

    private func marks(below limit: UInt64) -> UInt64 {
        (bytes &- Self.ones &* limit) & ~bytes & Self.highs
    }

    private func marks(of byte: UInt64) -> UInt64 {
        let differences = bytes ^ (Self.ones &* byte)
        return (differences &- Self.ones) & ~differences & Self.highs
    }

    private func first(_ marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }
}

/// Remembers what recently came of some bytes, because names repeat from event to event.
struct Memo<Value: Sendable>: Sendable {
    private static var slotCount: Int { 64 }

    /// The bytes of each slot, one after the other in one array, each in as much room.
    private var keys: [UInt8] = []
    private var counts: [Int] = []
    private var values: [Value?] = []
    private let sizeMaximum: Int

    /// What is longer than the maximum is not remembered.
    init(upTo sizeMaximum: Int) {
        self.sizeMaximum = sizeMaximum
    }

    /// What the bytes make, made anew only if they were not seen lately; `nil` is not remembered.
    mutating func value<Failure: Error>(
        of bytes: Span<UInt8>,
        _ make: () throws(Failure) -> Value?
    ) throws(Failure) -> Value? {
        guard bytes.count <= sizeMaximum else { return try make() }
        let slot = Int(fingerprint(bytes) >> 58)
        if counts.isEmpty { furnish() }
        if counts[slot] == bytes.count, bytes.equals(keys, from: slot * sizeMaximum),
            let known = values[slot]
        {
            return known
        }
        guard let value = try make() else { return nil }
        for index in bytes.indices { keys[slot * sizeMaximum + index] = bytes[index] }
        counts[slot] = bytes.count
        values[slot] = value
        return value
    }

    /// Many a decoder reads one entry only and remembers little.
    private mutating func furnish() {
        keys = Array(repeating: 0, count: Self.slotCount * sizeMaximum)
        counts = Array(repeating: -1, count: Self.slotCount)
        values = Array(repeating: nil, count: Self.slotCount)
    }

    /// Looks at the ends and the middle only: that is where names differ, and a clash costs no
    /// more than to make the value anew.
    private func fingerprint(_ bytes: Span<UInt8>) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: bytes.count)
        if bytes.count < 8 {
            for index in bytes.indices { hash = hash << 8 | UInt64(bytes[index]) }
        } else {
            hash ^= bytes.word(at: 0)
            hash = hash &* 0x9E37_79B9_7F4A_7C15 ^ bytes.word(at: bytes.count / 2 - 4)
            hash = hash &* 0x9E37_79B9_7F4A_7C15 ^ bytes.word(at: bytes.count - 8)
        }
        return hash &* 0x9E37_79B9_7F4A_7C15
    }
}
