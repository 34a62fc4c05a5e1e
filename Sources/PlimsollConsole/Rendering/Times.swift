import Foundation
import PlimsollDomain

/// A moment as pages show it: how long ago, and when exactly, with its zone.
struct ShownTime {
    private let instant: Instant
    private let now: Instant
    private let language: Language

    init(_ instant: Instant, at now: Instant, _ language: Language) {
        (self.instant, self.now, self.language) = (instant, now, language)
    }

    var fields: Fields {
        ["machine": instant.rfc3339, "exact": exact, "relative": relative]
    }

    /// To the second, in UTC.
    var exact: String {
        let text = instant.rfc3339
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
    }

    var relative: String {
        let seconds = (now.millisecondsSince1970 - instant.millisecondsSince1970) / 1000
        let (amount, unit) = Self.rounded(abs(seconds))
        if amount == 0 { return language["time.now"] }
        let span = language("time.\(unit)", count: Int(amount))
        return language(seconds < 0 ? "time.ahead" : "time.ago", ["span": span])
    }

    private static func rounded(_ seconds: Int64) -> (Int64, String) {
        switch seconds {
        case ..<10: (0, "second")
        case ..<60: (seconds, "second")
        case ..<3600: (seconds / 60, "minute")
        case ..<172_800: (seconds / 3600, "hour")
        default: (seconds / 86_400, "day")
        }
    }
}
