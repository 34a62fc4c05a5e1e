package import PlimsollAPI
import PlimsollDocuments
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Brings edits into force at once, and opens a review of it; asks for a responder.
    package func declareEmergency(
        _ emergency: EmergencyForm,
        in app: AppSlug,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> EmergencyAnswer {
        let live = try logState().position
        let command = DeclareEmergency(
            app: app,
            title: emergency.title,
            base: emergency.base ?? live,
            operations: emergency.operations,
            incident: emergency.incident,
            owner: emergency.owner,
            reason: emergency.reason,
            by: request.caller.principal,
            hash: ChangeDigest.init(of:)
        )
        return try await view(of: try await perform(command, request), app)
    }

    /// Keeps versions of the app from running, at once; asks for a responder.
    package func block(
        _ block: BlockForm,
        in app: AppSlug,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> EmergencyAnswer {
        let command = BlockVersion(
            app: app,
            platform: block.platform,
            below: block.below,
            texts: block.texts,
            title: block.title,
            incident: block.incident,
            owner: block.owner,
            reason: block.reason,
            by: request.caller.principal,
            hash: ChangeDigest.init(of:)
        )
        return try await view(of: try await perform(command, request), app)
    }

    private func view(
        of receipt: Receipt,
        _ slug: AppSlug
    ) async throws(UseCaseError) -> EmergencyAnswer {
        guard let first = receipt.events.first, case .change(let id) = first.stream,
            let (emergency, review) = receipt.events.emergency
        else { throw .unexpected("an emergency does not begin with its own change") }
        let app = try existingApp(slug, receipt.logState)
        let history = readModels.history
        let before = try await read {
            try await history.state(of: slug, after: first.position.before)
        }
        guard let before else { throw UseCaseError(.targetBeforeApp(slug)) }
        let isCommitted = receipt.freshness != .dryRun
        let operations = receipt.events.operations
        let platforms = app.settings.platforms.sorted()
        let changes = platforms.flatMap { before.changes(on: $0, by: receipt.events) }
        let grounds = app.checkGrounds(
            under: receipt.logState.policy(of: slug).policy,
            at: first.recordedAt
        )
        return EmergencyAnswer(
            app: slug,
            change: isCommitted ? id : nil,
            position: isCommitted ? receipt.position : nil,
            sequence: isCommitted ? SnapshotSequence(orderedBy: receipt.position) : nil,
            incident: emergency.incident,
            review: EmergencyAnswer.Review(
                position: isCommitted ? review : nil,
                order: emergency.review
            ),
            changes: changes,
            overtaken: receipt.events.overtaken,
            stays: try await stays(
                changes,
                of: slug,
                receipt.logState,
                since: first.position.before
            ),
            textsMissing: app.fieldsMissing(applying: operations),
            checks: CheckFinding.findings(in: operations, grounds) { before.document($0) },
            blocked: app.blockedShares(from: before.document) { platform in
                before.document(platform, after: receipt.events)
            },
            notes: app.princeNotes(
                from: before.document,
                to: { before.document($0, after: receipt.events) },
                at: first.recordedAt
            )
        )
    }
}

extension UseCases {
    /// What does not come back any more at the end of a change, and what was written in its place.
    private func stays(
        _ changes: [FieldChange],
        of app: AppSlug,
        _ logState: LogState,
        since position: Position
    ) async throws(UseCaseError) -> [FieldChange] {
        let history = readModels.history
        var stays: [FieldChange] = []
        for (ending, fields) in logState.endingsOverruled(of: app, since: position) {
            let past = try await read {
                try await history.state(of: app, after: ending.before)
            }
            guard let past else { continue }
            // Where the answer is given once more, others may have decided on other fields since.
            stays += changes.filter { fields.contains($0.field) }.map { change in
                FieldChange(
                    field: change.field,
                    before: past.document(change.field.platform)[change.field],
                    after: change.after
                )
            }
        }
        return stays.filter { $0.before != $0.after }
    }
}

extension [RecordedEvent] {
    /// The emergency among the events, and its position.
    fileprivate var emergency: (Emergency, Position)? {
        for event in self {
            guard case .change(.emergencyApplied(let emergency)) = event.event else { continue }
            return (emergency, event.position)
        }
        return nil
    }

    /// The changes that were put in conflict.
    var overtaken: [ChangeID] {
        compactMap { recorded in
            guard
                case (.change(let id), .change(.changeOvertaken)) = (
                    recorded.stream, recorded.event
                )
            else { return nil }
            return id
        }
    }

    /// The edits that the events made.
    var operations: [Operation] {
        compactMap { recorded in
            guard case .app(let event) = recorded.event else { return nil }
            return event.operation
        }
    }
}

extension UseCases {
    /// What freezes an app, or everything, now and later; asks for a viewer, of any app for what is of
    /// everything.
    package func freezes(
        of scope: Scope,
        for caller: Caller
    ) async throws(UseCaseError) -> FreezesAnswer {
        let (logState, now) = (try logState(), clock())
        switch scope {
        case .app(let slug):
            let view = try await app(slug, for: caller)
            return FreezesAnswer(freeze: view.freeze, plans: view.freezePlans)
        case .all:
            let isKnown = logState.apps.contains {
                logState.access.permits(caller.principal, .viewer, in: .app($0.slug))
            }
            if !isKnown { try require(.viewer, of: caller, in: .all, logState) }
            return FreezesAnswer(
                freeze: logState.freezes(of: .all).inForce(at: now).map { FreezeAnswer($0) },
                plans: logState.freezes(of: .all).plans.filter { now < $0.window.until }
                    .map { FreezePlanAnswer($0) }
            )
        }
    }
}
