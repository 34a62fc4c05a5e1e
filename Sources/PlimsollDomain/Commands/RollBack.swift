/// Brings documents of an app back to an earlier state, at once and by one person.
///
/// There is no precondition to clear first. Only documents go back: settings, roles, keys and
/// changes stay as they are.
package struct RollBack: Command {
    package let app: AppSlug
    /// `nil` means every platform of the app.
    package let platforms: [Platform]?
    package let request: RollbackTarget
    /// What the request leads to, read from the log.
    package let past: PastState
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        app: AppSlug,
        platforms: [Platform]?,
        request: RollbackTarget,
        past: PastState,
        reason: Reason,
        by: PrincipalID
    ) {
        self.app = app
        self.platforms = platforms
        self.request = request
        self.past = past
        self.reason = reason
        self.by = by
    }

    package func decide(in world: World) throws(Refusal) -> Decision {
        try world.require(.responder, of: by, in: .app(app))
        let app = try world.existingApp(app)
        let platforms = try platforms(of: app)
        var target = app.documents
        for platform in platforms { target[platform] = past.document(platform) }
        guard target != app.documents else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: [.access, .app(app.slug)])
        let record = RollbackRecord(target: past.position, request: request, platforms: platforms)
        decision.append(.app(.rolledBack(record)), to: .app(app.slug))
        decision.append(fieldEvents: target, of: app)
        return decision
    }

    private func platforms(of app: App) throws(Refusal) -> [Platform] {
        guard let platforms else { return app.settings.platforms.sorted() }
        guard !platforms.isEmpty else { throw Refusal(.listEmpty(at: "/platforms")) }
        var seen: Set<Platform> = []
        let objections = platforms.enumerated().compactMap { index, platform -> Objection? in
            let pointer = Pointer("/platforms").appending(index)
            guard app.has(platform) else {
                return .platformUnknown(app.slug, platform, at: pointer)
            }
            return seen.insert(platform).inserted
                ? nil : .repeated(platform.rawValue, at: pointer)
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        return platforms.sorted()
    }
}

/// The documents of an app as they were after an earlier append.
package struct PastState: Equatable, Sendable {
    /// The last position of that append.
    package let position: Position
    private let documents: [Platform: Document]

    package init(position: Position, documents: [Platform: Document]) {
        self.position = position
        self.documents = documents
    }

    package func document(_ platform: Platform) -> Document {
        documents[platform] ?? Document(platform: platform)
    }
}
