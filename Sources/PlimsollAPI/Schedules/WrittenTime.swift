package import PlimsollDomain

/// A time as somebody writes it: with an offset, or as the clocks of their zone will show it.
package enum WrittenTime: Equatable, Sendable {
    case instant(Instant)
    case local(LocalTime)

    package static let grammar =
        "a time such as 2026-12-01T09:00:00Z or, with a timeZone, 2026-12-01T09:00"

    package init?(_ text: String) {
        if let instant = Instant(rfc3339: text) {
            self = .instant(instant)
        } else if let local = LocalTime(text) {
            self = .local(local)
        } else {
            return nil
        }
    }

    /// The one instant that is meant.
    package func instant(in clock: ZoneClock?) throws(WrittenTimeFault) -> Instant {
        switch self {
        case .instant(let instant): return instant
        case .local(let time):
            guard let clock else { throw .noZone(time) }
            let instants = clock.instants(showing: time)
            guard let instant = instants.first, instants.count == 1 else {
                throw .notOnce(time, clock.name, shown: instants, clock.readings(of: time))
            }
            return instant
        }
    }
}

/// Why a written time does not name one instant.
package enum WrittenTimeFault: Error, Equatable {
    case noZone(LocalTime)
    /// The clocks are set forward or back just then; the readings are what may be meant.
    case notOnce(LocalTime, TimeZoneName, shown: [Instant], [Instant])

    package var sentence: String {
        switch self {
        case .noZone(let time):
            return "\(time.text) has no offset; add one, such as Z, or give a timeZone."
        case .notOnce(let time, let zone, let shown, let readings):
            let times = readings.map(\.rfc3339).joined(separator: " or ")
            let clocks = "Clocks in \(zone.text) \(shown.isEmpty ? "never show" : "show twice")"
            return "\(clocks) \(time.text), because they are set"
                + " \(shown.isEmpty ? "forward" : "back") then; write \(times)."
        }
    }
}
