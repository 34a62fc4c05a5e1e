import PlimsollDomain

/// The `IMF-fixdate` of RFC 9110, section 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    static let length = 29
    static let placeholder = "Thu, 01 Jan 1970 00:00:00 GMT"

    static func text(_ instant: Instant) -> String {
        let time = CivilTime(instant)
        let day = "\(twoDigits(time.day)) \(months[time.month - 1]) \(fourDigits(time.year))"
        let clock = [time.hour, time.minute, time.second].map(twoDigits).joined(separator: ":")
        return "\(weekdays[time.weekday]), \(day) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : String(number)
    }

    private static func fourDigits(_ number: Int) -> String {
        String(repeating: "0", count: max(0, 4 - String(number).count)) + String(number)
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
