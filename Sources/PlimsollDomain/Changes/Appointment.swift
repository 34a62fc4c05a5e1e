/// Something that comes due by itself.
package struct Appointment: Hashable, Sendable {
    package let at: Instant
    package let subject: Subject
    package let act: Act

    package init(at: Instant, subject: Subject, act: Act) {
        self.at = at
        self.subject = subject
        self.act = act
    }

    package init(at: Instant, change: ChangeID, act: Act) {
        self.init(at: at, subject: .change(change), act: act)
    }

    /// The change that it is about.
    package var change: ChangeID? {
        if case .change(let id) = subject { id } else { nil }
    }

    /// What it is about.
    package enum Subject: Hashable, Sendable {
        case change(ChangeID)
        /// A freeze by the position of its plan.
        case freeze(Position, Scope)

        fileprivate var number: Int64 {
            switch self {
            case .change(let id): id.rawValue
            case .freeze(let position, _): position.rawValue
            }
        }
    }

    /// What is done when it is due.
    package enum Act: Sendable {
        /// An open change comes into force.
        case apply
        /// An applied change's time is over.
        case end
        /// A planned freeze begins.
        case freeze
        /// A planned freeze is over.
        case thaw
    }
}

extension Appointment: Comparable {
    /// Sooner first; freezes before changes, and what ends goes back before anything else begins at the
    /// same time.
    package static func < (left: Appointment, right: Appointment) -> Bool {
        (left.at, left.act.rank, left.subject.number)
            < (right.at, right.act.rank, right.subject.number)
    }
}

extension Appointment.Act {
    fileprivate var rank: Int {
        switch self {
        case .freeze: 0
        case .thaw: 1
        case .end: 2
        case .apply: 3
        }
    }
}

extension LogState {
    /// What comes due by itself as of the last event, soonest first; during a freeze nothing ends.
    package var appointments: [Appointment] {
        unorderedAppointments(at: lastRecordedAt ?? Instant(millisecondsSince1970: 0)).sorted()
    }

    /// What is due, soonest first, and when the next one is; what lies ahead is not put in order,
    /// because this is asked whenever the log grows.
    package func appointments(dueBy now: Instant) -> (due: [Appointment], next: Instant?) {
        let all = unorderedAppointments(at: now)
        return (
            all.filter { $0.at <= now }.sorted(),
            all.lazy.filter { $0.at > now }.map(\.at).min()
        )
    }
}
