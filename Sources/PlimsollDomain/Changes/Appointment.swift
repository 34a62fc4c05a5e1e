/// Something that comes due by itself.
package struct Appointment: Hashable, Sendable {
    package let at: Instant
    package let change: ChangeID
    package let act: Act

    package init(at: Instant, change: ChangeID, act: Act) {
        self.at = at
        self.change = change
        self.act = act
    }

    /// What is done when it is due.
    package enum Act: Sendable {
        /// An open change comes into force.
        case apply
        /// An applied change's time is over.
        case end
    }
}

extension Appointment: Comparable {
    /// Sooner first; what ends goes back before anything else begins at the same time.
    package static func < (left: Appointment, right: Appointment) -> Bool {
        (left.at, left.act.rank, left.change) < (right.at, right.act.rank, right.change)
    }
}

extension Appointment.Act {
    fileprivate var rank: Int {
        switch self {
        case .end: 0
        case .apply: 1
        }
    }
}

extension World {
    /// What comes due by itself, soonest first; during a freeze nothing ends.
    package var appointments: [Appointment] {
        unorderedAppointments.sorted()
    }

    /// What is due, soonest first, and when the next one is; what lies ahead is not put in order,
    /// because this is asked whenever the log grows.
    package func appointments(dueBy now: Instant) -> (due: [Appointment], next: Instant?) {
        let all = unorderedAppointments
        return (
            all.filter { $0.at <= now }.sorted(),
            all.lazy.filter { $0.at > now }.map(\.at).min()
        )
    }
}
