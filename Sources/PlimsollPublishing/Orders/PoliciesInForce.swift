import PlimsollDomain

/// Where the policies stand that are in force, a fold of the log.
struct PoliciesInForce: Equatable, Sendable {
    /// That of the apps without one of their own; the beginning for the one that is built in.
    private var usual = Position.start
    private var own: [AppSlug: Position] = [:]

    func position(for app: AppSlug) -> Position { own[app] ?? usual }

    mutating func evolve(_ recorded: RecordedEvent) {
        switch (recorded.stream, recorded.event) {
        case (.app(let app), .app(.policyChanged(let policy))):
            own[app] = policy == nil ? nil : recorded.position
        case (.service, .service(.defaultPolicyChanged)): usual = recorded.position
        default: break
        }
    }
}
