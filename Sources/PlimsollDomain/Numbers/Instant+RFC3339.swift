extension Instant {
    /// Reads an RFC 3339 date-time: any offset, at most nine decimals, of which three are kept.
    ///
    /// A leap second is read as the last second of its minute. Returns `nil` for anything else, and
    /// for what an offset moves out of the years 0000 to 9999 in UTC: it could be written, but never
    /// be read again.
    package init?(rfc3339 text: String) {
        var scanner = DigitScanner(text)
        guard
            let year = scanner.number(digits: 4), scanner.skip(0x2D),
            let month = scanner.number(digits: 2), (1...12).contains(month), scanner.skip(0x2D),
            let day = scanner.number(digits: 2), (1...daysInMonth(month, of: year)).contains(day),
            scanner.skip(0x54) || scanner.skip(0x74),
            let hour = scanner.number(digits: 2), hour < 24, scanner.skip(0x3A),
            let minute = scanner.number(digits: 2), minute < 60, scanner.skip(0x3A),
            let second = scanner.number(digits: 2), second <= 60,
            let milliseconds = scanner.fraction(),
            let offset = scanner.offsetInMinutes(), scanner.isAtEnd
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        let minutes = days * 1440 + hour * 60 + minute - offset
        let instant = Instant(
            millisecondsSince1970: Int64(minutes * 60 + min(second, 59)) * 1000
                + Int64(milliseconds)
        )
        guard writableYears.contains(instant.millisecondsSince1970) else { return nil }
        self = instant
    }

    /// RFC 3339 in UTC with milliseconds: `2026-11-21T08:00:00.000Z`.
    package var rfc3339: String {
        let time = CivilTime(self)
        guard (0...9999).contains(time.year) else { return rfc3339(ofStrangeYear: time) }
        var text: [UInt8] = []
        text.reserveCapacity(24)
        text.append(time.year, digits: 4, before: "-")
        text.append(time.month, digits: 2, before: "-")
        text.append(time.day, digits: 2, before: "T")
        text.append(time.hour, digits: 2, before: ":")
        text.append(time.minute, digits: 2, before: ":")
        text.append(time.second, digits: 2, before: ".")
        text.append(time.millisecond, digits: 3, before: "Z")
        return String(decoding: text, as: UTF8.self)
    }

    private func rfc3339(ofStrangeYear time: CivilTime) -> String {
        let date = [padded(time.year, to: 4), padded(time.month, to: 2), padded(time.day, to: 2)]
        let clock = [time.hour, time.minute, time.second].map { padded($0, to: 2) }
        return date.joined(separator: "-") + "T" + clock.joined(separator: ":") + "."
            + padded(time.millisecond, to: 3) + "Z"
    }
}

extension [UInt8] {
    /// Appends a number of so many digits, and what stands behind it.
    fileprivate mutating func append(_ number: Int, digits: Int, before mark: Unicode.Scalar) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
        append(UInt8(ascii: mark))
    }
}

/// The years of four digits, in milliseconds since 1970.
private let writableYears: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

extension Instant: CustomStringConvertible {
    package var description: String { rfc3339 }
}

func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// Reads fixed-width numbers from the front of a text.
private struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    mutating func digit() -> Int? {
        guard let byte = rest.first, (0x30...0x39).contains(byte) else { return nil }
        rest.removeFirst()
        return Int(byte - 0x30)
    }

    mutating func number(digits: Int) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Milliseconds: 0 where there is no fraction.
    mutating func fraction() -> Int? {
        guard skip(0x2E) else { return 0 }
        var milliseconds = 0
        var count = 0
        while let digit = digit() {
            count += 1
            if count <= 3 { milliseconds = milliseconds * 10 + digit }
        }
        guard (1...9).contains(count) else { return nil }
        for _ in min(count, 3)..<3 { milliseconds *= 10 }
        return milliseconds
    }

    mutating func offsetInMinutes() -> Int? {
        if skip(0x5A) || skip(0x7A) { return 0 }
        let sign = skip(0x2B) ? 1 : skip(0x2D) ? -1 : 0
        guard
            sign != 0, let hours = number(digits: 2), hours < 24, skip(0x3A),
            let minutes = number(digits: 2), minutes < 60
        else { return nil }
        return sign * (hours * 60 + minutes)
    }
}
