import PlimsollAPI
import PlimsollDomain

/// Looks at the newest times in the record: a clock that was put forth or back shows there.
struct RecordClockCheck {
    let client: AdminClient

    /// What the writer evens out by itself is no step.
    static let tolerance: Duration = .seconds(5)
    private static let eventsLookedAt = 200

    func finding(now: Instant) async -> Finding {
        do throws(AdminError) {
            let list = try await client.events(
                EventFilter(),
                PageOptions(limit: Self.eventsLookedAt)
            )
            return Self.finding(list.events, now: now)
        } catch {
            return .bad("times", error, "Look again.")
        }
    }

    /// Takes the newest event first.
    static func finding(_ events: [EventAnswer], now: Instant) -> Finding {
        if let newest = events.first, newest.recordedAt > now.advanced(by: tolerance) {
            return .bad(
                "times",
                "event \(newest.position) was recorded at \(newest.recordedAt), and it is \(now)",
                "A clock was put back: let the service's machine follow a time server."
            )
        }
        for (later, earlier) in zip(events, events.dropFirst())
        where later.recordedAt.advanced(by: tolerance) < earlier.recordedAt {
            return .bad(
                "times",
                "the clock stepped back between the events \(earlier.position) and"
                    + " \(later.position)",
                "Let the service's machine follow a time server; --at goes by the latest time so"
                    + " far."
            )
        }
        return .good("times", "the newest \(events.count) events were recorded in order")
    }
}
