package import PlimsollDomain
package import PlimsollStore

extension UseCases {
    /// Events of the record; an auditor of some apps sees those of these apps.
    package func events(
        _ query: EventQuery,
        for caller: Caller
    ) async throws(UseCaseError) -> Page<AuditedEvent, Position> {
        let world = try world()
        try requireAuditor(of: query.apps, caller, world)
        var query = query
        query.limit = min(max(query.limit, 1), EventQuery.limitMaximum) + 1
        let found = try await read { try await readModels.events(query, upTo: world.position) }
        let shown = Array(found.prefix(query.limit - 1))
        return Page(
            elements: shown,
            next: found.count > shown.count ? shown.last?.position : nil
        )
    }

    /// All events that a question finds, to be read part by part.
    package func record(
        _ query: EventQuery,
        atMost countMaximum: Int?,
        for caller: Caller
    ) throws(UseCaseError) -> RecordReading {
        let world = try world()
        try requireAuditor(of: query.apps, caller, world)
        return readModels.record(query, upTo: world.position, atMost: countMaximum)
    }

    /// The event at a position, with what it changed; asks for an auditor of all apps.
    package func event(
        _ position: Position,
        for caller: Caller
    ) async throws(UseCaseError) -> AuditedEvent {
        let world = try world()
        try requireAuditor(of: [], caller, world)
        guard position > .start, position <= world.position else {
            throw UseCaseError(.eventUnknown(position, head: world.position))
        }
        var query = EventQuery()
        (query.since, query.until) = (.position(position), .position(position))
        let found = try await read { try await readModels.events(query, upTo: position) }
        guard let event = found.first else {
            throw .unexpected("the log has no event at \(position)")
        }
        return event
    }

    /// What was published, newest first.
    package func snapshots(
        of app: AppSlug,
        after: SnapshotSequence?,
        limit: Int,
        for caller: Caller
    ) async throws(UseCaseError) -> Page<PublishedSnapshot, SnapshotSequence> {
        let world = try world()
        _ = try visibleApp(app, caller, world)
        let limit = min(max(limit, 1), EventQuery.limitMaximum)
        let found = try await read {
            try await readModels.snapshots(
                of: app,
                after: after,
                limit: limit + 1,
                upTo: world.position
            )
        }
        let shown = Array(found.prefix(limit))
        return Page(
            elements: shown,
            next: found.count > limit ? shown.last?.record.sequence : nil
        )
    }

    func requireAuditor(
        of apps: [AppSlug],
        _ caller: Caller,
        _ world: World
    ) throws(UseCaseError) {
        guard !apps.isEmpty else { return try requireAuditorOfAll(caller, world) }
        for app in apps { try require(.auditor, of: caller, in: .app(app), world) }
    }

    /// Whoever audits some apps is told which.
    private func requireAuditorOfAll(_ caller: Caller, _ world: World) throws(UseCaseError) {
        guard !world.access.permits(caller.principal, .auditor, in: .all) else { return }
        let apps = world.apps.map(\.slug).filter {
            world.access.permits(caller.principal, .auditor, in: .app($0))
        }
        throw UseCaseError(apps.isEmpty ? .roleMissing(.auditor, .all) : .recordOfApps(apps))
    }
}
