package import PlimsollDomain

/// What stood where events put something else, as the record tells it.
extension ReadModels {
    /// The newest event of a kind up to a position; of an app, or of anything.
    package func last(
        _ type: EventType,
        of app: AppSlug? = nil,
        upTo position: Position
    ) async throws -> RecordedEvent? {
        var query = EventQuery()
        (query.types, query.end, query.limit) = ([type], position, 1)
        if let app { query.apps = [app] }
        return try await recorded(query, upTo: position).first
    }

    /// What each of some events has put an end to.
    func predecessors(of events: [RecordedEvent]) async throws -> [Position: Predecessor] {
        var found: [Position: Predecessor] = [:]
        for recorded in events {
            found[recorded.position] = try await predecessor(of: recorded)
        }
        for search in PredecessorSearch.searches(ending: events) {
            found.merge(try await predecessors(in: search)) { $1 }
        }
        for ends in Dictionary(grouping: events.filter { $0.endedPlan != nil }, by: \.stream).values
        {
            found.merge(try await plans(endedBy: ends)) { $1 }
        }
        return found
    }

    /// The one that a single look finds: where what is replaced is one thing of the whole app.
    private func predecessor(of recorded: RecordedEvent) async throws -> Predecessor? {
        let before = recorded.position.before
        let app: AppSlug? = if case .app(let slug) = recorded.stream { slug } else { nil }
        switch recorded.event.told.replacement {
        case .settings:
            guard let app else { return nil }
            return try await settingsEvent(of: app, upTo: before)?.settings
                .map(Predecessor.settings)
        case .policy(let own):
            let general = try await defaultPolicy(upTo: before)
            let last = try await last(.policyChanged, of: app, upTo: before)
            return .policy(last?.ownPolicy ?? general, then: own ?? general)
        case .defaultPolicy(let policy):
            return .policy(try await defaultPolicy(upTo: before), then: policy)
        case .freezeEnd:
            let start: EventType = app == nil ? .serviceFreezeStarted : .freezeStarted
            return try await last(start, of: app, upTo: before).map { .freeze(Freeze($0)) }
        case .defaultApp:
            let last = try await last(.defaultAppChosen, upTo: before)
            guard case .service(.defaultAppChosen(let app)) = last?.event else { return nil }
            return .defaultApp(app)
        // What stands before these is looked for part by part.
        case .release, .shares, .freezePlanEnd: return nil
        case .freezeStart, nil: return nil
        }
    }

    /// Follows the freezes of one stream from the first of the plans that ended: what became of a
    /// plan meanwhile is said by events of its own.
    private func plans(endedBy ends: [RecordedEvent]) async throws -> [Position: Predecessor] {
        guard let first = ends.compactMap(\.endedPlan).min(), let last = ends.map(\.position).max()
        else { return [:] }
        var query = EventQuery()
        if case .app(let app) = ends[0].stream {
            (query.apps, query.types) = ([app], EventType.freezesOfApp)
        } else {
            query.types = EventType.freezesOfEverything
        }
        (query.since, query.end) = (.position(first), last)
        (query.order, query.limit) = (.oldestFirst, 100)
        var (freezes, found) = (Freezes(), [Position: Predecessor]())
        var part: [RecordedEvent]
        repeat {
            part = try await recorded(query, upTo: last)
            for recorded in part {
                if let plan = recorded.endedPlan.flatMap(freezes.plan) {
                    found[recorded.position] = .freeze(Freeze(plan))
                }
                if let event = recorded.event.freeze { freezes.evolve(event, recorded) }
            }
            query.after = part.last?.position
        } while part.count == query.limit
        return found
    }

    private func defaultPolicy(upTo position: Position) async throws -> Policy {
        let last = try await last(.defaultPolicyChanged, upTo: position)
        guard case .service(.defaultPolicyChanged(let policy)) = last?.event else {
            return .builtIn
        }
        return policy
    }

    /// Goes back from the newest event asked about, part by part, until each has met the one
    /// before it: a table has as many rows as there are releases, and none says where one begins.
    private func predecessors(
        in search: PredecessorSearch
    ) async throws -> [Position: Predecessor] {
        var search = search
        var query = EventQuery()
        (query.apps, query.types) = ([search.app], search.types)
        (query.end, query.limit) = (search.end, 32)
        while !search.isOver {
            let part = try await recorded(query, upTo: search.end)
            for recorded in part { search.meet(recorded) }
            guard part.count == query.limit, let last = part.last else { break }
            query.after = last.position
            query.limit = 500
        }
        return search.found
    }
}

extension RecordedEvent {
    /// The plan of a freeze that it puts an end to.
    fileprivate var endedPlan: Position? {
        guard case .freezePlanEnd(let plan) = event.told.replacement else { return nil }
        return plan
    }

    fileprivate var ownPolicy: Policy? {
        guard case .app(.policyChanged(let policy)) = event else { return nil }
        return policy
    }
}
