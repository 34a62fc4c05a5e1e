package import PlimsollAPI
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Brings an app's documents back to an earlier state.
    ///
    /// What was there is read from the log before the decision; the decision itself is made on
    /// what is live at the moment of the append.
    package func rollBack(
        _ rollback: RollbackForm,
        of app: AppSlug,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> RollbackAnswer {
        let logState = try logState()
        let principal = request.caller.principal
        guard logState.access.permits(principal, .responder, in: .app(app)) else {
            let receipt = try await perform(RollBackForbidden(app: app, by: principal), request)
            return try await view(of: receipt, rollback, of: app, to: nil, after: logState)
        }
        _ = try existingApp(app, logState)
        let past = try await past(rollback.target, of: app, logState)
        let command = try await command(for: rollback, of: app, to: past, by: principal)
        let known = try self.logState()
        let receipt = try await perform(command, request)
        let before = await state(before: receipt, known)
        return try await view(of: receipt, rollback, of: app, to: past, after: before)
    }

    /// What an append was decided on, which is more than was known where others were faster.
    ///
    /// Done is done, also where that cannot be read now.
    private func state(before receipt: Receipt, _ known: LogState) async -> LogState {
        guard receipt.freshness != .repeated, let start = receipt.events.first?.position.before,
            start != known.position
        else { return known }
        return (try? await past(start)) ?? known
    }

    private func command(
        for rollback: RollbackForm,
        of app: AppSlug,
        to past: PastState,
        by principal: PrincipalID
    ) async throws(UseCaseError) -> any Command {
        guard case .revert(let change) = rollback.target else {
            return RollBack(
                app: app,
                platforms: rollback.platforms,
                fields: rollback.fields,
                thresholds: rollback.thresholds,
                request: rollback.target,
                past: past,
                seen: rollback.seen,
                undoing: rollback.undoing,
                reason: rollback.reason,
                by: principal
            )
        }
        return RevertChange(
            change,
            of: app,
            before: past,
            after: try await state(of: app, leftBy: change),
            keep: rollback.keep ?? [],
            reason: rollback.reason,
            by: principal
        )
    }

    /// The documents of an app as an applied change left them.
    private func state(
        of app: AppSlug,
        leftBy change: ChangeID
    ) async throws(UseCaseError) -> PastState {
        let history = readModels.history
        let applied = try await read { try await history.position(applying: change) }
        guard let applied else { throw UseCaseError(.changeNeverApplied(change)) }
        return try await state(of: app, after: applied)
    }

    /// What is live without what a change wrote.
    func state(
        reverting change: ChangeID,
        in app: App,
        _ past: PastState
    ) async throws(UseCaseError) -> PastState {
        let revert = RevertChange(
            change,
            of: app.slug,
            before: past,
            after: try await state(of: app.slug, leftBy: change),
            reason: nil,
            by: .system
        )
        do {
            return PastState(position: past.position, documents: try revert.documents(in: app))
        } catch {
            throw .refused(error)
        }
    }

    /// A document at a moment.
    package func document(
        of slug: AppSlug,
        on platform: Platform,
        at moment: DocumentMoment,
        for caller: Caller
    ) async throws(UseCaseError) -> DocumentView {
        let logState = try logState()
        let app = try visibleApp(slug, with: platform, caller, logState)
        let state = try await state(moment.state, of: app, logState)
        let settings = try await settings(of: app, at: state.position)
        guard settings.platforms.contains(platform) else {
            throw UseCaseError(.platformUnknown(slug, platform, at: "/platform"))
        }
        return DocumentView(
            app: slug,
            document: state.document(platform),
            profile: settings.profile,
            position: state.position
        )
    }

    /// The documents of all platforms in a state.
    package func documents(
        of slug: AppSlug,
        in name: StateName,
        for caller: Caller
    ) async throws(UseCaseError) -> AppDocumentsView {
        let logState = try logState()
        let app = try visibleApp(slug, caller, logState)
        let state = try await state(name, of: app, logState)
        let settings = try await settings(in: name, of: app, at: state.position, logState)
        return AppDocumentsView(
            app: slug,
            documents: settings.platforms.sorted().map(state.document),
            princeClients: settings.princeClients,
            releases: try await releasesTold(in: name, of: app, at: state.position, logState),
            at: try await instant(of: name, state.position, logState),
            position: state.position
        )
    }

    func past(
        _ target: RollbackTarget,
        of app: AppSlug,
        _ logState: LogState
    ) async throws(UseCaseError) -> PastState {
        if case .event(let position) = target, position > logState.position {
            throw UseCaseError(.targetAhead(position, head: logState.position))
        }
        let now = clock()
        if case .time(let instant) = target, instant > now {
            throw UseCaseError(.timeAhead(instant, now: now))
        }
        // Another app's change is no point in this one's life, and none of its callers' business.
        if let id = target.change, logState.app(ofChange: id) != app {
            throw UseCaseError(.changeNeverApplied(id))
        }
        let history = readModels.history
        let position = try await read {
            try await history.position(of: target, in: app, at: now)
        }
        guard let position else {
            switch target {
            case .beforeChange(let id), .revert(let id): throw UseCaseError(.changeNeverApplied(id))
            case .lastGood(let seconds): throw UseCaseError(.neverLiveSoLong(app, seconds))
            case .event, .time: throw UseCaseError(.targetBeforeApp(app))
            }
        }
        let state = try await read { try await history.state(of: app, after: position) }
        guard let state else { throw UseCaseError(.targetBeforeApp(app)) }
        return state
    }

    /// What a rollback led to; where it was done before, what was asked for may lead elsewhere now.
    private func state(
        of app: AppSlug,
        after target: Position,
        known: PastState?
    ) async throws(UseCaseError) -> PastState {
        if let known, known.position == target { return known }
        return try await state(of: app, after: target)
    }

    private func view(
        of receipt: Receipt,
        _ request: RollbackForm,
        of slug: AppSlug,
        to past: PastState?,
        after logState: LogState
    ) async throws(UseCaseError) -> RollbackAnswer {
        let (ordering, record) = try receipt.rollback()
        let app = try existingApp(slug, receipt.logState)
        let past = try await state(of: slug, after: record.target, known: past)
        let before = try await state(of: slug, after: ordering.position.before)
        let isCommitted = receipt.freshness != .dryRun
        let changes = record.platforms.flatMap { before.changes(on: $0, by: receipt.events) }
        let after = { before.document($0, after: receipt.events) }
        let grounds = app.checkGrounds(
            under: receipt.logState.policy(of: slug).policy,
            at: ordering.recordedAt
        )
        return RollbackAnswer(
            app: slug,
            position: isCommitted ? receipt.position : nil,
            sequence: isCommitted ? SnapshotSequence(orderedBy: ordering.position) : nil,
            target: record.target,
            platforms: record.platforms,
            platformsKept: request.platformsKept(of: app, record),
            changes: changes,
            outlook: RollbackOutlook(
                sideEffects: receipt.freshness == .repeated
                    ? nil
                    : RollbackOutlook.SideEffects(
                        record,
                        changes,
                        keeping: request.keep ?? [],
                        by: ordering.origin.actor,
                        of: slug,
                        from: logState,
                        to: receipt.logState
                    ),
                textsMissing: before.textsMissing(
                    after: receipt.events,
                    touching: changes,
                    of: app
                ),
                devices: record.platforms.flatMap { platform in
                    DeviceOutlook.outlooks(
                        from: before.document(platform),
                        to: after(platform),
                        releases: app.releasesTold.told(on: platform, at: ordering.recordedAt),
                        app.settings
                    )
                },
                reach: reach,
                review: receipt.events.rollbackReview,
                blocked: app.blockedShares(from: before.document, to: after),
                checks: before.findings(after: receipt.events, back: past, grounds),
                notes: app.princeNotes(from: before.document, to: after, at: ordering.recordedAt),
                origin: isCommitted ? nil : await origin(of: record.target, in: slug)
            )
        )
    }
}

/// A rollback by somebody who is no responder: refused, unless it was done under the same name while
/// they were one; then it is answered again, as anything that was done.
private struct RollBackForbidden: Command {
    let app: AppSlug
    let by: PrincipalID

    func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        throw Refusal(.roleMissing(.responder, .app(app)))
    }
}

extension Receipt {
    /// The event that it begins with, and where that leads.
    fileprivate func rollback() throws(UseCaseError) -> (RecordedEvent, RollbackRecord) {
        guard let first = events.first, case .app(.rolledBack(let record)) = first.event else {
            throw .unexpected("a rollback does not begin with its own event")
        }
        return (first, record)
    }
}

extension RollbackOutlook.SideEffects {
    /// What the rollback does to changes of the state before it.
    fileprivate init(
        _ record: RollbackRecord,
        _ changes: [FieldChange],
        keeping kept: [Field],
        by actor: PrincipalID,
        of slug: AppSlug,
        from logState: LogState,
        to next: LogState
    ) {
        let fields = Set(changes.map(\.field))
        let undone = logState.changesUndone(by: record, of: slug)
        let stale = logState.changesMoved(by: fields, of: slug, in: next)
        self.init(
            suspended: logState.scheduledChanges(of: slug, stoppedBy: record),
            undone: undone,
            undoneOfOthers: logState.app(slug)?.changes(ofOthersThan: actor, undoneBy: record)
                ?? [],
            endsCalledOff: undone.filter { logState.endingChange($0) != nil },
            endsResumed: next.endingChanges(of: slug).map(\.id).filter {
                logState.endingChange($0) == nil
            },
            stale: stale,
            overtaken: next.scheduledChanges(of: slug).filter(stale.contains),
            keptUntilEnd: next.changesHolding(kept, of: slug)
        )
    }
}

extension RollbackForm {
    /// The platforms that stay as they are though the whole app goes back.
    fileprivate func platformsKept(of app: App, _ record: RollbackRecord) -> [Platform] {
        isWhole ? app.settings.platforms.filter { !record.platforms.contains($0) }.sorted() : []
    }

    private var isWhole: Bool {
        if case .revert = target { return false }
        return platforms == nil && fields == nil && thresholds == nil
    }
}

extension [RecordedEvent] {
    fileprivate var rollbackReview: ReviewOrder? {
        for case .app(.rollbackReviewOrdered(let order)) in lazy.map(\.event) { return order }
        return nil
    }
}

extension PastState {
    /// The required texts that are missing where the events changed something.
    fileprivate func textsMissing(
        after events: [RecordedEvent],
        touching changes: [FieldChange],
        of app: App
    ) -> [Field] {
        let platforms = Set(changes.map(\.field.platform))
        let documents = platforms.map { ($0, document($0, after: events)) }
        return app.fieldsMissing(
            in: Dictionary(uniqueKeysWithValues: documents),
            touching: Set(changes.compactMap(\.field.place))
        )
    }

    /// What the checks find in what the events write, but for texts that are again what they were at
    /// the target.
    fileprivate func findings(
        after events: [RecordedEvent],
        back target: PastState,
        _ grounds: CheckGrounds
    ) -> [CheckFinding] {
        CheckFinding.findings(in: events.operations, grounds, on: document).filter { finding in
            let platform = finding.field.platform
            let after = document(platform, after: events)
            return !finding.isOfTexts(as: target.document(platform), in: after)
        }
    }

    /// Each field of a platform that the events write, before and after them.
    func changes(on platform: Platform, by events: [RecordedEvent]) -> [FieldChange] {
        document(platform).changes(to: document(platform, after: events))
    }

    /// The document of a platform as the events leave it.
    func document(_ platform: Platform, after events: [RecordedEvent]) -> Document {
        var after = document(platform)
        for case .app(let event) in events.lazy.map(\.event) {
            guard let operation = event.operation, operation.platform == platform else { continue }
            after.apply(operation)
        }
        return after
    }
}

extension UseCases {
    /// When a state was live, who wrote last what stands in it, and who had approved that.
    ///
    /// `nil` where it cannot be told at once: whoever is about to roll back does not wait for it.
    func origin(of target: Position, in app: AppSlug) async -> RollbackOrigin? {
        do throws(UseCaseError) {
            let standing = try await read {
                try await readModels.standingFields(of: app, after: target)
            }
            let newest = standing.map(\.since).max()
            let (events, causes) = try await origins(of: newest.map { [$0] } ?? [], upTo: target)
            let last = try await read { try await readModels.log.events(at: [target]) }
            guard let recordedAt = last.first?.recordedAt else { return nil }
            return RollbackOrigin(
                at: recordedAt,
                write: newest.flatMap { events[$0] }.map { event in
                    RollbackOrigin.Write(
                        event: event.position,
                        origin: event.origin(causes)
                    )
                }
            )
        } catch {
            // The dry run goes on without it.
            return nil
        }
    }
}
