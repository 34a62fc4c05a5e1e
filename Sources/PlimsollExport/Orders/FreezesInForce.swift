import PlimsollDomain

/// Which apps are frozen, a fold of the log: what is said of their releases orders nothing then.
struct FreezesInForce: Equatable, Sendable {
    /// The apps of which releases were ever known.
    private var apps: Set<AppSlug> = []
    private var frozen: Set<AppSlug> = []
    private var isEverythingFrozen = false

    /// Takes in the next event of the log; answers the apps of which is told now what waited.
    mutating func evolve(_ recorded: RecordedEvent) -> [AppSlug] {
        switch (recorded.stream, recorded.event) {
        case (.app(let app), .app(.releaseRegistered)): apps.insert(app)
        case (.app(let app), .app(.freezeStarted)): frozen.insert(app)
        case (.app(let app), .app(.freezeEnded)):
            frozen.remove(app)
            return isEverythingFrozen || !apps.contains(app) ? [] : [app]
        case (_, .service(.serviceFreezeStarted)): isEverythingFrozen = true
        case (_, .service(.serviceFreezeEnded)):
            isEverythingFrozen = false
            return apps.subtracting(frozen).sorted()
        default: break
        }
        return []
    }

    /// Whether the event says something of releases that has to wait.
    func holds(_ recorded: RecordedEvent) -> Bool {
        guard case (.app(let app), .app(let event)) = (recorded.stream, recorded.event) else {
            return false
        }
        switch event {
        case .releaseRegistered, .releaseAmended, .releaseWithdrawn:
            return isEverythingFrozen || frozen.contains(app)
        default: return false
        }
    }
}
