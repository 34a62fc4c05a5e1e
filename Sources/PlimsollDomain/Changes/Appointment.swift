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

extension World {
    /// What comes due by itself, soonest first; during a freeze nothing ends.
    package var appointments: [Appointment] {
        unorderedAppointments.sorted { ($0.at, $0.change) < ($1.at, $1.change) }
    }

    /// What is due, soonest first, and when the next one is; what lies ahead is not put in order,
    /// because this is asked whenever the log grows.
    package func appointments(dueBy now: Instant) -> (due: [Appointment], next: Instant?) {
        let all = unorderedAppointments
        return (
            all.filter { $0.at <= now }.sorted { ($0.at, $0.change) < ($1.at, $1.change) },
            all.lazy.filter { $0.at > now }.map(\.at).min()
        )
    }
}

/// An applied change that goes back by itself.
package struct EndingChange: Equatable, Sendable {
    package let id: ChangeID
    package let app: AppSlug
    package let operations: [Operation]
    package let until: Instant
    /// The position of its `changeApplied`.
    package let appliedAt: Position
    /// The last position before the append that applied it: what was there is what its end brings
    /// back.
    package let before: Position

    /// `nil` for a change that has no end.
    init?(_ change: Change, appliedAt position: Position, before: Position) {
        guard let until = change.schedule?.until else { return nil }
        id = change.id
        app = change.app
        operations = change.operations
        self.until = until
        appliedAt = position
        self.before = before
    }
}
