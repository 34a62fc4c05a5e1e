/// What happens to the freezes of an app on its stream, and to those of everything on `service`.
package enum FreezeEvent: Equatable, Sendable {
    /// Nothing but rollbacks and emergencies applies until it ends.
    case started
    case ended
    /// The others name the position of this one.
    case planned(FreezeWindow)
    /// Before it began.
    case planCancelled(Position)
    /// Its time has come. It holds from then on whether this is recorded yet or not.
    case planStarted(Position)
    /// Its time is over, or somebody ended it before.
    case planEnded(Position)

    /// Whether it ends one, so that what waited goes on where there is no other.
    package var isEnd: Bool {
        switch self {
        case .ended, .planEnded: true
        case .started, .planned, .planCancelled, .planStarted: false
        }
    }

    func told(_ events: FreezeEvents) -> any ToldEvent {
        switch self {
        case .started: events.started()
        case .ended: events.ended()
        case .planned(let window): events.planned(window)
        case .planCancelled(let plan): events.planCancelled(plan)
        case .planStarted(let plan): events.planStarted(plan)
        case .planEnded(let plan): events.planEnded(plan)
        }
    }
}

/// The events of freezes, each declared once and stored under two names.
struct FreezeEvents: Sendable {
    let started: Declared<Void>
    let ended: Declared<Void>
    let planned: Declared<FreezeWindow>
    let planCancelled: Declared<Position>
    let planStarted: Declared<Position>
    let planEnded: Declared<Position>

    static let ofApp = FreezeEvents(
        AppEvent.freeze,
        started: .freezeStarted,
        ended: .freezeEnded,
        planned: .freezePlanned,
        planCancelled: .freezePlanCancelled,
        planStarted: .plannedFreezeStarted,
        planEnded: .plannedFreezeEnded
    )

    static let ofEverything = FreezeEvents(
        ServiceEvent.freeze,
        started: .serviceFreezeStarted,
        ended: .serviceFreezeEnded,
        planned: .serviceFreezePlanned,
        planCancelled: .serviceFreezePlanCancelled,
        planStarted: .servicePlannedFreezeStarted,
        planEnded: .servicePlannedFreezeEnded
    )

    var types: [EventType] {
        [
            started.type, ended.type, planned.type, planCancelled.type, planStarted.type,
            planEnded.type,
        ]
    }

    private init<Stream: EventOfStream>(
        _ make: @escaping @Sendable (FreezeEvent) -> Stream,
        started start: EventType,
        ended end: EventType,
        planned plan: EventType,
        planCancelled cancel: EventType,
        planStarted planStart: EventType,
        planEnded planEnd: EventType
    ) {
        let started = Declared(start, { make(.started) }) { "\($0.beginning) frozen" }
            .replacing { _ in .freezeStart }
        let ended = Declared(end, { make(.ended) }) {
            "The freeze of \($0.subject)\($0.since) ended"
        }
        .replacing { _ in .freezeEnd }
        let planned = Declared(plan, { make(.planned($0)) }, .freezeWindow) { about, window in
            "A freeze of \(about.subject) planned from \(window.from) until \(window.until)"
                + " (\(window.timeZone.text))"
        }
        let planCancelled = Declared(cancel, { make(.planCancelled($0)) }, .plan) {
            "The freeze of \($0.subject) that event \($1) planned will not come"
        }
        let planStarted = Declared(planStart, { make(.planStarted($0)) }, .plan) {
            "The freeze of \($0.subject) that event \($1) planned began"
        }
        .replacing { _ in .freezeStart }
        let planEnded = Declared(planEnd, { make(.planEnded($0)) }, .plan) {
            "The freeze of \($0.subject)\($0.since) that event \($1) planned ended"
        }
        .replacing { .freezePlanEnd($0) }
        (self.started, self.ended, self.planned) = (started, ended, planned)
        (self.planCancelled, self.planStarted) = (planCancelled, planStarted)
        self.planEnded = planEnded
    }
}

extension EventType {
    /// Those that say what freezes an app alone, and those of what freezes all of them.
    package static let freezesOfApp = FreezeEvents.ofApp.types
    package static let freezesOfEverything = FreezeEvents.ofEverything.types
}

extension Members<FreezeWindow> {
    fileprivate static let freezeWindow = Members(
        FreezeWindow.init,
        Part(\.from, "from", .instant),
        Part(\.until, "until", .instant),
        Part(\.timeZone, "timeZone", .timeZone)
    )
}

extension Members<Position> { fileprivate static let plan = Members("plan", .position) }
