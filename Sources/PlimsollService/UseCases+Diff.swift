package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// What is different between two states of an app; of all its platforms, or of some.
    package func diff(
        of slug: AppSlug,
        from: StateName,
        to: StateName,
        on platforms: [Platform] = [],
        for caller: Caller
    ) async throws(UseCaseError) -> DiffView {
        let world = try world()
        let app = try visibleApp(slug, caller, world)
        for platform in platforms where !app.has(platform) {
            throw UseCaseError(.platformUnknown(slug, platform, at: "/platform"))
        }
        let before = try await state(from, of: app, world)
        let after = try await state(to, of: app, world)
        let wanted = platforms.isEmpty ? app.settings.platforms : platforms
        return DiffView(
            app: slug,
            from: DiffView.Side(name: from, position: before.position),
            to: DiffView.Side(name: to, position: after.position),
            changes: Set(wanted).sorted().flatMap { platform in
                before.document(platform).changes(to: after.document(platform))
            },
            blocked: app.blockedShares(from: before.document, to: after.document).filter {
                wanted.contains($0.platform)
            }
        )
    }

    /// The documents of an app at a moment.
    func state(
        at moment: Moment,
        of app: App,
        _ world: World
    ) async throws(UseCaseError) -> PastState {
        switch moment {
        case .live:
            return PastState(position: world.position, documents: app.documents)
        case .event(let position):
            return try await past(.event(position), of: app.slug, world)
        case .time(let instant):
            try requirePassed(instant)
            return try await past(.time(instant), of: app.slug, world)
        }
    }

    /// Refuses a time that is still to come: nobody knows what will stand there then.
    func requirePassed(_ instant: Instant) throws(UseCaseError) {
        let now = clock()
        guard instant <= now else { throw UseCaseError(.timeAhead(instant, now: now)) }
    }

    func state(
        _ name: StateName,
        of app: App,
        _ world: World
    ) async throws(UseCaseError) -> PastState {
        switch name {
        case .live: try await state(at: .live, of: app, world)
        case .event(let position): try await state(at: .event(position), of: app, world)
        case .time(let instant): try await state(at: .time(instant), of: app, world)
        case .change(let id): try await state(of: id, on: app, world)
        case .snapshot(let sequence): try await state(publishedAs: sequence, of: app, world)
        case .rollback(let target): try await state(afterRollbackTo: target, of: app, world)
        }
    }

    /// What stands after a rollback of the whole app, which leaves platforms as they are of which
    /// nothing stood there; refused where it would be.
    private func state(
        afterRollbackTo target: RollbackTarget,
        of app: App,
        _ world: World
    ) async throws(UseCaseError) -> PastState {
        let past = try await past(target, of: app.slug, world)
        if case .revert(let id) = target { return try await state(reverting: id, in: app, past) }
        var documents = app.documents
        for platform in app.platformsThatGoBack(to: past) {
            documents[platform] = past.document(platform)
        }
        if documents == app.documents, let emptied = app.platformsEmptied(by: past).first {
            throw UseCaseError(.documentEmptied(emptied))
        }
        return PastState(position: past.position, documents: documents)
    }

    /// An open change that could not be applied to what is live now has no state.
    private func state(
        of id: ChangeID,
        on app: App,
        _ world: World
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
            return PastState(position: world.position, documents: documents)
        case .applied: return try await state(of: app.slug, after: record.end)
        case .rejected, .withdrawn: throw UseCaseError(.changeNeverApplied(id))
        }
    }

    private func state(
        publishedAs sequence: SnapshotSequence,
        of app: App,
        _ world: World
    ) async throws(UseCaseError) -> PastState {
        let snapshot = try await read {
            try await readModels.snapshot(sequence, of: app.slug, upTo: world.position)
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
