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
