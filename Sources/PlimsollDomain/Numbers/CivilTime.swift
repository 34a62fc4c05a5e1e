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
