package import PlimsollAPI
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Who put what stands in each field of a document, as it is or as it was.
    package func blame(
        of slug: AppSlug,
        on platform: Platform,
        at moment: DocumentMoment,
        for caller: Caller
    ) async throws(UseCaseError) -> BlameAnswer {
        let logState = try logState()
        _ = try visibleApp(slug, with: platform, caller, logState)
        let position = try await resolve(moment, of: slug, logState)
        let standing = try await read {
            try await readModels.standingFields(of: slug, after: position)
                .filter { $0.field.platform == platform }
        }
        let (events, causes) = try await origins(of: standing.map(\.since), upTo: position)
        return BlameAnswer(
            app: slug,
            platform: platform,
            position: position,
            lines: standing.compactMap { field in
                events[field.since].map { event in
                    BlameAnswer.Line(
                        field: field.field,
                        value: field.value,
                        event: event.position,
                        since: event.recorded.recordedAt,
                        origin: event.origin(causes)
                    )
                }
            }
        )
    }

    /// Every event that wrote a field, newest first, as it is known or was known at a moment.
    package func history(
        _ query: FieldHistoryQuery,
        at moment: DocumentMoment = .live,
        for caller: Caller
    ) async throws(UseCaseError) -> Page<FieldHistoryAnswer.Write, Position> {
        let logState = try logState()
        let app = try visibleApp(query.app, with: query.field.platform, caller, logState)
        let end = try await resolve(moment, of: app.slug, logState)
        let limit = min(max(query.limit, 1), FieldHistoryQuery.limitMaximum)
        let last = min(query.after?.before ?? end, end)
        let found = try await read {
            try await readModels.writes(of: query.field, in: app.slug, upTo: last, limit + 1)
        }
        let shown = found.prefix(limit)
        let (events, causes) = try await origins(of: shown.map(\.position), upTo: end)
        let writes = shown.compactMap { write in
            events[write.position].map { event in
                FieldHistoryAnswer.Write(
                    change: write.change,
                    event: event.position,
                    recordedAt: event.recorded.recordedAt,
                    origin: event.origin(causes)
                )
            }
        }
        return Page(elements: writes, next: found.count > limit ? shown.last?.position : nil)
    }

    /// The last position of the append that a moment names, where the app existed then.
    func resolve(
        _ moment: DocumentMoment,
        of app: AppSlug,
        _ logState: LogState
    ) async throws(UseCaseError) -> Position {
        guard moment != .live else { return logState.position }
        let position = try await resolve(moment, logState)
        let existed = try await read { try await readModels.history.has(app, at: position) }
        guard existed else { throw UseCaseError(.targetBeforeApp(app)) }
        return position
    }

    /// The last position of the append that a moment names.
    func resolve(
        _ moment: DocumentMoment,
        _ logState: LogState
    ) async throws(UseCaseError) -> Position {
        let history = readModels.history
        switch moment {
        case .live: return logState.position
        case .event(let position):
            guard position <= logState.position else {
                throw UseCaseError(.targetAhead(position, head: logState.position))
            }
            return try await read { try await history.position(endingAppendOf: position) }
        case .time(let instant):
            try requirePassed(instant)
            return try await read { try await history.position(recordedBy: instant) }
        }
    }

    /// Events at some positions, and the changes behind them.
    func origins(
        of positions: [Position],
        upTo end: Position
    ) async throws(UseCaseError) -> (
        events: [Position: AuditedEvent], causes: [ChangeID: ChangeCause]
    ) {
        let events = try await read {
            try await readModels.events(at: Set(positions).sorted())
        }
        let logState = try logState()
        let changes = Set(events.compactMap(\.change)).sorted()
        let decisions = try await read {
            try await readModels.decisions(on: changes, upTo: end)
        }
        return (
            Dictionary(uniqueKeysWithValues: events.map { ($0.position, $0) }),
            Dictionary(grouping: decisions, by: \.stream).reduce(into: [:]) { causes, group in
                guard case .change(let id) = group.key else { return }
                let lapsed = logState.lapsedApprovals(of: id)
                causes[id] = ChangeCause(id: id, group.value, lapsed: lapsed)
            }
        )
    }
}

extension UseCases {
    /// What is different between two states of an app; of all its platforms, or of some.
    package func diff(
        of slug: AppSlug,
        from: StateName,
        to: StateName,
        on platforms: [Platform] = [],
        for caller: Caller
    ) async throws(UseCaseError) -> DiffAnswer {
        let logState = try logState()
        let app = try visibleApp(slug, caller, logState)
        for platform in platforms where !app.has(platform) {
            throw UseCaseError(.platformUnknown(slug, platform, at: "/platform"))
        }
        let before = try await state(from, of: app, logState)
        let after = try await state(to, of: app, logState)
        let wanted = platforms.isEmpty ? app.settings.platforms : platforms
        return DiffAnswer(
            app: slug,
            from: DiffAnswer.Side(name: from, position: before.position),
            to: DiffAnswer.Side(name: to, position: after.position),
            changes: Set(wanted).sorted().flatMap { platform in
                before.document(platform).changes(to: after.document(platform))
            },
            blocked: app.blockedShares(from: before.document, to: after.document).filter {
                wanted.contains($0.platform)
            }
        )
    }

    /// Refuses a time that is still to come: nobody knows what will stand there then.
    func requirePassed(_ instant: Instant) throws(UseCaseError) {
        let now = clock()
        guard instant <= now else { throw UseCaseError(.timeAhead(instant, now: now)) }
    }

    func state(
        _ name: StateName,
        of app: App,
        _ logState: LogState
    ) async throws(UseCaseError) -> PastState {
        switch name {
        case .live: PastState(position: logState.position, documents: app.documents)
        case .event(let position): try await past(.event(position), of: app.slug, logState)
        case .time(let instant): try await past(.time(instant), of: app.slug, logState)
        case .change(let id): try await state(of: id, on: app, logState)
        case .snapshot(let sequence): try await state(publishedAs: sequence, of: app, logState)
        case .rollback(let target): try await state(afterRollbackTo: target, of: app, logState)
        }
    }

    /// What stands after a rollback of the whole app, which leaves platforms as they are of which
    /// nothing stood there; refused where it would be.
    private func state(
        afterRollbackTo target: RollbackTarget,
        of app: App,
        _ logState: LogState
    ) async throws(UseCaseError) -> PastState {
        let past = try await past(target, of: app.slug, logState)
        if case .revert(let id) = target { return try await state(reverting: id, in: app, past) }
        var documents = app.documents
        for platform in app.platformsThatGoBack(to: past) {
            documents[platform] = past.document(platform)
        }
        documents = app.withoutWithdrawn(documents)
        if documents == app.documents, let emptied = app.platformsEmptied(by: past).first {
            throw UseCaseError(.documentEmptied(emptied))
        }
        return PastState(position: past.position, documents: documents)
    }

    /// An open change that could not be applied to what is live now has no state.
    private func state(
        of id: ChangeID,
        on app: App,
        _ logState: LogState
    ) async throws(UseCaseError) -> PastState {
        let history = try await read { try await readModels.log.history(of: .change(id)) }
        guard let record = ChangeRecord(id: id, history: history), record.proposal.app == app.slug
        else { throw UseCaseError(.changeUnknown(id)) }
        switch record.state {
        case .proposed, .changesRequested, .approved, .scheduled, .suspended:
            let operations = record.proposal.operations
            let objections = app.objections(toTrying: operations)
            guard objections.isEmpty else { throw UseCaseError.refused(Refusal(objections)) }
            let documents = app.documents(applying: operations)
            return PastState(position: logState.position, documents: documents)
        case .applied: return try await state(of: app.slug, after: record.end)
        case .rejected, .withdrawn: throw UseCaseError(.changeNeverApplied(id))
        }
    }

    private func state(
        publishedAs sequence: SnapshotSequence,
        of app: App,
        _ logState: LogState
    ) async throws(UseCaseError) -> PastState {
        let snapshot = try await read {
            try await readModels.snapshot(sequence, of: app.slug, upTo: logState.position)
        }
        guard let snapshot else { throw UseCaseError(.snapshotUnknown(sequence, app.slug)) }
        return try await state(of: app.slug, after: snapshot.record.position)
    }

    /// The documents of an app after an append.
    func state(
        of app: AppSlug,
        after position: Position
    ) async throws(UseCaseError) -> PastState {
        let state = try await read {
            try await readModels.history.state(of: app, after: position)
        }
        guard let state else { throw UseCaseError(.targetBeforeApp(app)) }
        return state
    }
}
