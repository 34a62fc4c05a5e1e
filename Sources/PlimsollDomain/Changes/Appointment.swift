/// Something that comes due by itself.
package struct Appointment: Hashable, Sendable {
    package let at: Instant
    package let subject: Subject
    package let act: Act
    /// Whether a change comes before the ends of the same time, as it writes over what one takes back.
    package let isBeforeEnds: Bool

    package init(at: Instant, subject: Subject, act: Act, isBeforeEnds: Bool = false) {
        self.at = at
        self.subject = subject
        self.act = act
        self.isBeforeEnds = isBeforeEnds
    }

    package init(at: Instant, change: ChangeID, act: Act, isBeforeEnds: Bool = false) {
        self.init(at: at, subject: .change(change), act: act, isBeforeEnds: isBeforeEnds)
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
    /// same time that was not made on it.
    package static func < (left: Appointment, right: Appointment) -> Bool {
        (left.at, left.rank, left.subject.number) < (right.at, right.rank, right.subject.number)
    }

    private var rank: Int { isBeforeEnds ? Act.end.rank - 1 : act.rank }
}

extension Appointment.Act {
    fileprivate var rank: Int {
        switch self {
        case .freeze: 0
        case .thaw: 1
        case .end: 3
        case .apply: 4
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

extension LogState {
    /// Whether an open change was made on what another one had put there that ends at its very time.
    ///
    /// It stays, so it goes first: the end leaves alone what it writes, and would put it in conflict.
    func isBeforeEnds(_ change: Change) -> Bool {
        guard let schedule = change.schedule, schedule.until == nil else { return false }
        return !endings(under: change) { $0 == schedule.at }.isEmpty
    }

    /// The changes that will have ended by the time of an open one, in the order of the numbers: they
    /// take back what it was made on, so it will be in conflict.
    package func changesEnding(under change: Change) -> [ChangeID] {
        guard change.state == .proposed, let schedule = change.schedule, let at = schedule.at else {
            return []
        }
        let stays = schedule.until == nil
        return endings(under: change) { stays ? $0 < at : $0 <= at }.map(\.id).sorted()
    }

    /// Those of the changes that end at such times which an open change was made on.
    private func endings(
        under change: Change,
        _ isConcerned: (Instant) -> Bool
    ) -> [EndingChange] {
        guard let app = app(change.app) else { return [] }
        let concerned = app.endings.running.filter { isConcerned($0.until) }
        // This is asked whenever the log grows.
        guard !concerned.isEmpty, !app.hasMoved(under: change) else { return [] }
        let fields = app.effect(of: change.operations).map(\.field)
        return concerned.filter { !$0.heldFields.isDisjoint(with: fields) }
    }
}
