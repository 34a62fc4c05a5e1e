package import Foundation

/// An instant as the calendar and the clock show it in UTC.
package struct CivilTime: Equatable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    package let millisecond: Int
    /// 0 is Sunday.
    package let weekday: Int

    package init(_ instant: Instant) {
        let milliseconds = instant.millisecondsSince1970
        let days = Int(floorDivision(milliseconds, 86_400_000))
        let rest = Int(milliseconds - Int64(days) * 86_400_000)
        (year, month, day) = date(daysSince1970: days)
        hour = rest / 3_600_000
        minute = rest / 60_000 % 60
        second = rest / 1000 % 60
        millisecond = rest % 1000
        weekday = ((days + 4) % 7 + 7) % 7
    }
}

extension CivilTime {
    /// As mail and HTTP write it, before the name of the zone: `Mon, 03 Aug 2020 22:59:35`.
    package var mailText: String {
        let date = "\(padded(day, to: 2)) \(Self.months[month - 1]) \(padded(year, to: 4))"
        let clock = [hour, minute, second].map { padded($0, to: 2) }.joined(separator: ":")
        return "\(Self.weekdays[weekday]), \(date) \(clock)"
    }

    /// As people read it: `Tue 2026-12-01 09:00`; seconds only where there are some.
    package var peopleText: String {
        let date = [padded(year, to: 4), padded(month, to: 2), padded(day, to: 2)]
        let clock = [hour, minute] + (second == 0 ? [] : [second])
        return "\(Self.weekdays[weekday]) \(date.joined(separator: "-"))"
            + " \(clock.map { padded($0, to: 2) }.joined(separator: ":"))"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    package static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

/// Days from the epoch to a date of the proleptic Gregorian calendar.
///
/// The year is taken to begin in March, so that the leap day is its last; 400 years have 146 097
/// days (Howard Hinnant, "chrono-compatible low-level date algorithms").
func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = Int(floorDivision(Int64(shifted), 400))
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
}

func daysInMonth(_ month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}

private func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = Int(floorDivision(Int64(shifted), 146_097))
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
}

private func floorDivision(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
}

extension Instant {
    /// The millisecond in which a date lies, before 1970 as after it.
    package init(_ date: Date) {
        self.init(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
    }
}

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
        guard let byte = rest.first, isDigit(byte) else { return nil }
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

/// A moment in UTC, to the millisecond.
///
/// Instants come in with a command or a recorded event; the domain never asks for the time.
package struct Instant: Codable, Hashable, Comparable, Sendable {
    package let millisecondsSince1970: Int64

    package init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    package func advanced(by duration: Duration) -> Instant {
        Instant(millisecondsSince1970: millisecondsSince1970 + duration.milliseconds)
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.millisecondsSince1970 < right.millisecondsSince1970
    }
}

extension Duration {
    /// Whole ones, without what is left.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

/// A date and a time as clocks show them, wherever those clocks are.
package struct LocalTime: Hashable, Sendable {
    /// The instant at which clocks in UTC show it.
    package let inUTC: Instant

    package init(inUTC: Instant) {
        self.inUTC = inUTC
    }

    /// Reads what RFC 3339 writes, without an offset; seconds may be left out.
    package init?(_ text: String) {
        guard let instant = Instant(rfc3339: text + "Z") ?? Instant(rfc3339: text + ":00Z") else {
            return nil
        }
        self.init(inUTC: instant)
    }

    /// As people read it, with the weekday: `Tue 2026-12-01 09:00`.
    package var shown: String { CivilTime(inUTC).peopleText }

    /// As it is read: `2026-12-01T09:00:00.000`.
    package var text: String { String(inUTC.rfc3339.dropLast()) }
}

/// The place of an event in the one log: 1, 2, 3 … without gaps.
///
/// ``start`` is the place before the first event; nothing stands there.
package struct Position: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init?(rawValue: Int64) {
        guard rawValue >= 0 else { return nil }
        self.rawValue = rawValue
    }

    package init(_ count: Int) {
        precondition(count >= 0, "a position counts events, so it is never negative")
        rawValue = Int64(count)
    }

    package static let start = Position(0)

    package func advanced(by count: Int) -> Position {
        Position(Int(rawValue) + count)
    }

    /// The place just before this one; the start has none before it and is answered itself.
    package var before: Position {
        Position(max(Int(rawValue) - 1, 0))
    }

    package static func < (left: Position, right: Position) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension Position: CustomStringConvertible {
    package var description: String { String(rawValue) }
}

/// How many events a stream has.
package struct Revision: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init?(rawValue: Int64) {
        guard rawValue >= 0 else { return nil }
        self.rawValue = rawValue
    }

    package init(_ count: Int) {
        precondition(count >= 0, "a revision counts events, so it is never negative")
        rawValue = Int64(count)
    }

    /// The revision of a stream that has no events.
    package static let none = Revision(0)

    package var next: Revision { Revision(Int(rawValue) + 1) }

    package static func < (left: Revision, right: Revision) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension Revision: CustomStringConvertible {
    package var description: String { String(rawValue) }
}

/// The number of a snapshot: the position of the event that ordered it, so it only ever rises.
package struct SnapshotSequence: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init?(rawValue: Int64) {
        guard rawValue > 0 else { return nil }
        self.rawValue = rawValue
    }

    package init(orderedBy position: Position) {
        precondition(position > .start, "a snapshot is ordered by an event, and the first is 1")
        rawValue = position.rawValue
    }

    package static func < (left: SnapshotSequence, right: SnapshotSequence) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension SnapshotSequence: CustomStringConvertible {
    package var description: String { String(rawValue) }
}
