package import PlimsollAPI
import PlimsollDocuments
package import PlimsollDomain
package import PlimsollStore

extension UseCases {
    /// Changes of an app, newest first, as they stand or stood.
    ///
    /// How an open change stands now is worked out from the policy and from what is live. How it
    /// stood is not: at an earlier moment what was approved is called proposed. Those that need the
    /// caller are asked for as they stand now.
    package func changes(
        _ query: ChangeQuery,
        at moment: DocumentMoment = .live,
        needingCaller: Bool = false,
        for caller: Caller
    ) async throws(UseCaseError) -> Page<ChangeSummary, ChangeID> {
        let logState = try logState()
        let app = try visibleApp(query.app, caller, logState)
        var query = query
        query.limit = min(max(query.limit, 1), ChangeQuery.limitMaximum) + 1
        let needed = needingCaller ? caller.principal : nil
        let states = moment == .live ? openStates(query, needing: needed, logState) : [:]
        if moment == .live {
            let wanted = query.states.isEmpty ? ChangeState.allCases : query.states
            query.states = needingCaller ? [] : wanted.filter { !$0.isOpen }
            query.open = Array(states.keys)
        } else {
            let end = try await resolve(moment, of: query.app, logState)
            query.end = end
            query.suspended = try await changesSuspended(telling: query, by: end)
        }
        var found = try await read { [query] in
            try await readModels.changes(query, upTo: logState.position)
        }
        let end = query.end
        if let end { found = try await standing(proposed(found, by: end), of: query.app, by: end) }
        let shown = found.prefix(query.limit - 1).map { change -> ChangeSummary in
            var change = change
            guard let state = states[change.id] else {
                change.undoing = app.undoing(of: change.id, at: end)
                return change
            }
            let open = logState.openChange(change.id)
            change.state = state
            change.isInConflict = open.map { logState.hasMoved(under: $0, in: app) } ?? false
            change.schedule = open?.schedule
            change.suspension = state == .suspended ? open?.suspension : nil
            return change
        }
        return Page(
            elements: shown,
            next: found.count > shown.count ? shown.last?.id : nil
        )
    }

    /// The changes that a rollback had suspended by then, where the query tells those from others.
    private func changesSuspended(
        telling query: ChangeQuery,
        by end: Position
    ) async throws(UseCaseError) -> [ChangeID] {
        guard query.states.contains(.proposed) != query.states.contains(.suspended) else {
            return []
        }
        var waiting = ChangeQuery(app: query.app)
        (waiting.states, waiting.end) = ([.proposed], end)
        waiting.limit = ProposeChange.openChangesMaximum
        let changes = try await read { [waiting] in
            try await readModels.changes(waiting, upTo: end)
        }
        return try await changesSuspended(among: changes, of: query.app, by: end)
    }

    /// Those that a rollback had suspended by then: it says so, and no event of theirs does.
    private func changesSuspended(
        among changes: [ChangeSummary],
        of app: AppSlug,
        by end: Position
    ) async throws(UseCaseError) -> [ChangeID] {
        let waiting = try await timed(changes.filter { $0.state == .proposed }, by: end)
        guard let oldest = waiting.map(\.position).min() else { return [] }
        var rollbacks = EventQuery()
        (rollbacks.apps, rollbacks.types) = ([app], [.rolledBack])
        (rollbacks.since, rollbacks.end, rollbacks.limit) = (.position(oldest), end, 1)
        let found = try await read { [rollbacks] in
            try await readModels.recorded(rollbacks, upTo: end)
        }
        guard !found.isEmpty else { return [] }
        let then = try await past(end)
        return waiting.map(\.id).filter { then.openChange($0)?.state == .suspended }
    }

    /// Those that had a time of their own by then: a rollback suspends no others, and of most it need not
    /// be worked out what was live.
    private func timed(
        _ changes: [ChangeSummary],
        by end: Position
    ) async throws(UseCaseError) -> [ChangeSummary] {
        guard !changes.isEmpty else { return [] }
        var query = EventQuery()
        (query.changes, query.types) = (changes.map(\.id), [.changeScheduled])
        let timed = try await events(query, upTo: end, into: Set<StreamName>()) {
            guard case .change(.changeScheduled(let schedule)) = $1.event else { return }
            if schedule?.at == nil { $0.remove($1.stream) } else { $0.insert($1.stream) }
        }
        return changes.filter { timed.contains(.change($0.id)) }
    }

    private func standing(
        _ changes: [ChangeSummary],
        of app: AppSlug,
        by end: Position
    ) async throws(UseCaseError) -> [ChangeSummary] {
        let suspended = try await changesSuspended(among: changes, of: app, by: end)
        return changes.map { change in
            var change = change
            if suspended.contains(change.id) { change.state = .suspended }
            return change
        }
    }

    /// The changes with the titles and bases that they had then: a revision since gave them others.
    private func proposed(
        _ changes: [ChangeSummary],
        by end: Position
    ) async throws(UseCaseError) -> [ChangeSummary] {
        guard !changes.isEmpty else { return [] }
        var query = EventQuery()
        (query.changes, query.types) = (changes.map(\.id), [.changeProposed, .changeRevised])
        var last: [StreamName: (title: Title, base: Position)] = [:]
        for event in try await events(query, upTo: end) { last[event.stream] = event.proposal }
        return changes.map { change in
            var change = change
            if let then = last[.change(change.id)] {
                (change.title, change.base) = (then.title, then.base)
            }
            return change
        }
    }

    /// The open changes that the query asks for, the newest of them, and how they stand.
    private func openStates(
        _ query: ChangeQuery,
        needing principal: PrincipalID?,
        _ logState: LogState
    ) -> [ChangeID: ChangeState] {
        let wanted = Set(query.states.isEmpty ? ChangeState.allCases : query.states)
        guard wanted.contains(where: \.isOpen) else { return [:] }
        var states: [ChangeID: ChangeState] = [:]
        for change in logState.openChanges(of: query.app).reversed() {
            guard states.count < query.limit else { break }
            if let after = query.after, change.id >= after { continue }
            guard query.admits(change) else { continue }
            if let principal,
                !logState.waits(change, for: principal, ChangeDigest.init(of:), at: clock())
            {
                continue
            }
            let state = logState.state(ofOpen: change, ChangeDigest.init(of:), at: clock())
            if wanted.contains(state) { states[change.id] = state }
        }
        return states
    }
}

extension RecordedEvent {
    /// What it calls a change and bases it on; `nil` where it does neither.
    fileprivate var proposal: (title: Title, base: Position)? {
        if case .change(.changeProposed(_, let title, let base)) = event {
            (title, base)
        } else if case .change(.changeRevised(let title, let base)) = event {
            (title, base)
        } else {
            nil
        }
    }
}

extension UseCases {
    /// Puts other edits in the place of the change's; asks for a proposer.
    package func revise(
        _ change: ChangeID,
        seen: ChangeDigest,
        _ revision: RevisionForm,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeAnswer {
        let slug = try logState().app(ofChange: change)
        var past: PastState?
        if let slug {
            past = try await self.past(at: revision.base, under: revision.operations, of: slug)
        }
        return try await decide(
            ReviseChange(
                change: change,
                seen: seen,
                title: revision.title,
                base: revision.base,
                operations: revision.operations,
                schedule: revision.schedule,
                resolve: revision.resolve,
                past: past,
                reason: revision.reason,
                by: request.caller.principal,
                hash: ChangeDigest.init(of:)
            ),
            request
        )
    }
}
