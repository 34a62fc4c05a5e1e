import PlimsollDomain

/// Appointments that could not be kept, and when each is tried again.
///
/// They step aside, so that one of them never holds up the others.
struct Postponements {
    private struct Entry {
        var attempts = 0
        var next: ContinuousClock.Instant
    }

    private var entries: [Appointment: Entry] = [:]

    /// How long one steps aside after its first attempt; after each further one twice as long.
    static let delay = Duration.seconds(1)
    static let delayMaximum = Duration.seconds(8)

    /// When the first of them is tried again.
    var next: ContinuousClock.Instant? { entries.values.map(\.next).min() }

    /// Those that are due and do not step aside; of all others nothing needs to be known any more.
    mutating func admit(
        _ due: [Appointment],
        at now: ContinuousClock.Instant
    ) -> [Appointment] {
        let known = Set(due)
        entries = entries.filter { known.contains($0.key) }
        return due.filter { entries[$0].map { $0.next <= now } ?? true }
    }

    mutating func note(_ appointment: Appointment, failedAt now: ContinuousClock.Instant) {
        let attempts = (entries[appointment]?.attempts ?? 0) + 1
        let delay = Self.delay * (1 << min(attempts - 1, 10))
        entries[appointment] = Entry(
            attempts: attempts,
            next: now + min(delay, Self.delayMaximum)
        )
    }

    mutating func noteKept(_ appointment: Appointment) {
        entries[appointment] = nil
    }
}
