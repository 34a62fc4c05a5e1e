import PlimsollDomain

/// The `IMF-fixdate` of RFC 9110, section 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    static let length = 29
    static let placeholder = "Thu, 01 Jan 1970 00:00:00 GMT"

    static func text(_ instant: Instant) -> String { "\(CivilTime(instant).mailText) GMT" }
}
