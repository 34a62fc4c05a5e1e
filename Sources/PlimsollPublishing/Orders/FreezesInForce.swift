import PlimsollDomain

/// Which apps are frozen, a fold of the log: what is said of their releases orders nothing then.
struct FreezesInForce: Equatable, Sendable {
    /// The apps of which releases were ever known.
    private var apps: Set<AppSlug> = []
    private var frozen: Set<AppSlug> = []
    private var isEverythingFrozen = false
    /// The freezes of apps, and of everything, that are planned and not over.
    private var plans: [AppSlug?: FreezePlans] = [:]

    /// Takes in the next event of the log; answers the apps of which is told now what waited.
    mutating func evolve(_ recorded: RecordedEvent) -> [AppSlug] {
        var ends = false
        switch (recorded.stream, recorded.event) {
        case (.app(let app), .app(.releaseRegistered)): apps.insert(app)
        case (.app(let app), .app(.freezeStarted)): frozen.insert(app)
        case (.app(let app), .app(.freezeEnded)):
            frozen.remove(app)
            ends = true
        case (.app(let app), .app(.freezePlan(let event))):
            plans[app, default: FreezePlans()].evolve(event, recorded)
            ends = event.isEnd
        case (_, .service(.serviceFreezeStarted)): isEverythingFrozen = true
        case (_, .service(.serviceFreezeEnded)):
            isEverythingFrozen = false
            ends = true
        case (_, .service(.freezePlan(let event))):
            plans[nil, default: FreezePlans()].evolve(event, recorded)
            ends = event.isEnd
        default: break
        }
        guard ends else { return [] }
        let concerned: Set<AppSlug> =
            if case .app(let app) = recorded.stream { apps.intersection([app]) } else { apps }
        return concerned.filter { !isFrozen($0, at: recorded.recordedAt) }.sorted()
    }

    /// Whether the event says something of releases that has to wait.
    func holds(_ recorded: RecordedEvent) -> Bool {
        guard case (.app(let app), .app(let event)) = (recorded.stream, recorded.event) else {
            return false
        }
        switch event {
        case .releaseRegistered, .releaseAmended, .releaseWithdrawn:
            return isFrozen(app, at: recorded.recordedAt)
        default: return false
        }
    }

    private func isFrozen(_ app: AppSlug, at instant: Instant) -> Bool {
        isEverythingFrozen || frozen.contains(app)
            || [app, nil].contains { plans[$0]?.inForce(at: instant) != nil }
    }
}

extension FreezePlanEvent {
    fileprivate var isEnd: Bool {
        if case .ended = self { true } else { false }
    }
}
