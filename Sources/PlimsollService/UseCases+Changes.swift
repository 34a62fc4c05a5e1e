package import PlimsollAPI
import PlimsollDocuments
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Lays edits before the app's approvers; asks for a proposer.
    ///
    /// What the caller proposed from the same source before is superseded; where it says just this, it
    /// is answered instead, as known.
    ///
    /// Edits that cannot be are refused all at once; of those that can, so are all that conflict
    /// with what others wrote after the base, leave out a required text or change nothing.
    package func propose(
        _ proposal: ProposalForm,
        for app: AppSlug,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> (change: ChangeAnswer, isKnown: Bool) {
        let command = ProposeChange(
            app: app,
            title: proposal.title,
            reason: proposal.reason,
            base: proposal.base,
            operations: proposal.operations,
            schedule: proposal.schedule,
            past: try await past(at: proposal.base, under: proposal.operations, of: app),
            source: proposal.source,
            by: request.caller.principal
        )
        do throws(UseCaseError) {
            let receipt = try await perform(command, request)
            var change = try await answer(of: receipt)
            change.origin.supersedes = receipt.events.superseded
            return (change, false)
        } catch .refused(let refusal) {
            guard case .known(let id)? = refusal.objections.first?.subject else {
                throw .refused(refusal)
            }
            return (try await answer(of: id), true)
        }
    }

    /// What stood at a base, where that counts: where others wrote since what the edits would write.
    func past(
        at base: Position,
        under operations: [Operation],
        of slug: AppSlug
    ) async throws(UseCaseError) -> PastState? {
        guard let app = try logState().app(slug), app.isWritten(by: operations, after: base) else {
            return nil
        }
        let history = readModels.history
        return try await read { try await history.state(of: slug, after: base) }
    }

    /// Approves the change exactly as it was seen, which applies it.
    ///
    /// Asks for an approver who is not the author and owes the author neither existence, role nor
    /// token. A change whose effect has become another one since it was seen is refused, and so is
    /// one of whose fields somebody else wrote after its base, or where devices were counted anew since
    /// the counts that are named.
    package func approve(
        _ change: ChangeID,
        seen: ChangeDigest,
        _ form: ApprovalForm,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeAnswer {
        let open = request.mode == .dryRun ? try? await answer(of: change) : nil
        var approved = try await decide(
            ApproveChange(
                change: change,
                seen: seen,
                comment: form.comment,
                counted: form.counted,
                signature: form.signature,
                by: request.caller.principal,
                hash: ChangeDigest.init(of:),
                isSigned: { $0.signs($1) },
                isDryRun: request.mode == .dryRun
            ),
            request
        )
        if let open, approved.summary.state == .applied {
            // What there was to say of it before it was applied.
            (approved.checks, approved.notes) = (open.checks, open.notes)
        }
        return approved
    }

    /// A change as it stands now, or as it was decided on; asks for a viewer of its app.
    package func change(
        _ id: ChangeID,
        for caller: Caller
    ) async throws(UseCaseError) -> ChangeAnswer {
        let logState = try logState()
        guard
            let app = logState.app(ofChange: id),
            logState.access.permits(caller.principal, .viewer, in: .app(app))
        else { throw UseCaseError(.changeUnknown(id)) }
        return try await answer(of: id)
    }

    /// Decides a command about a change, and answers the change as that left it.
    package func decide(
        _ command: any Command,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeAnswer {
        try await answer(of: try await perform(command, request))
    }

    /// The change that an append was about, as that append left it.
    private func answer(of receipt: Receipt) async throws(UseCaseError) -> ChangeAnswer {
        guard case .change(let id) = receipt.events.last?.stream else {
            throw .unexpected("the last event of a decision is not about a change")
        }
        guard receipt.freshness == .dryRun else {
            let history = try await read {
                try await readModels.log.history(of: .change(id), upTo: receipt.position)
            }
            let left = receipt.logState
            return try await answer(of: id, history, in: left, live: left, receipt.events.overtaken)
        }
        let before = try await read { try await readModels.log.history(of: .change(id)) }
        let events = receipt.events.filter { $0.stream == .change(id) }
        return try await answer(of: id, before + events, in: receipt.logState, live: try logState())
    }

    private func answer(of id: ChangeID) async throws(UseCaseError) -> ChangeAnswer {
        let logState = try logState()
        let history = try await read { try await readModels.log.history(of: .change(id)) }
        return try await answer(of: id, history, in: logState, live: logState)
    }

    /// While a change is open, its effect is against what is live; afterwards it is what it was.
    private func answer(
        of id: ChangeID,
        _ history: [RecordedEvent],
        in logState: LogState,
        live: LogState,
        _ overtaken: [ChangeID] = []
    ) async throws(UseCaseError) -> ChangeAnswer {
        let lapsed = logState.lapsedApprovals(of: id)
        guard let record = ChangeRecord(id: id, history: history, lapsed: lapsed) else {
            // A server that was replaced has no history of what is known here.
            throw live.app(ofChange: id) == nil ? UseCaseError(.changeUnknown(id)) : .storeAway
        }
        if let change = live.openChange(id) ?? logState.openChange(id),
            let app = live.app(change.app)
        {
            let open = logState.openChange(id) ?? change
            return try await answer(of: open, against: app, record, in: logState, live: live)
        }
        let end = try await read { try await readModels.end(of: id, upTo: record.position) }
        return record.answer(
            of: id,
            effect: end.effect,
            position: end.position,
            term: record.term(isRunning: logState.endingChange(id) != nil),
            undoing: logState.app(record.proposal.app)?.undoing(of: id),
            overtaken: overtaken
        )
    }

    /// The planned freeze that a change's time falls into, whether it is approved by now or not.
    private func freeze(
        under change: Change,
        in logState: LogState
    ) -> FreezePlanAnswer? {
        guard change.state != .suspended, let at = change.schedule?.at else { return nil }
        return logState.freezePlans(over: change.app).first { $0.window.holds(at) }
            .map { FreezePlanAnswer($0) }
    }

    /// Whoever sees a change may know by name whom it waits for.
    private func missing(
        _ status: ApprovalStatus,
        of change: Change,
        _ logState: LogState
    ) async throws(UseCaseError) -> [MissingAnswer] {
        let givers = status.missing.map { logState.givers(of: $0, to: change, status) }
        let people = Set(givers.joined())
        let names = people.isEmpty ? [:] : try await names(of: people)
        return zip(status.missing, givers).map { missing, givers in
            MissingAnswer(missing, couldGive: givers.map { PersonAnswer(id: $0, name: names[$0]) })
        }
    }

    private func conflicts(
        of change: Change,
        in app: App,
        upTo end: Position
    ) async throws(UseCaseError) -> [FieldConflict] {
        guard change.state.isOpen, app.hasMoved(under: change) else { return [] }
        let history = readModels.history
        let past = try await read { try await history.state(of: app.slug, after: change.base) }
        // A base before the app is one where nothing stood.
        let empty = PastState(position: change.base, documents: [:])
        let conflicts = app.conflicts(of: change, since: past ?? empty)
        guard !conflicts.isEmpty else { return [] }
        try await read { try await readModels.catchUp(to: end) }
        let (events, causes) = try await origins(of: conflicts.map(\.write.position), upTo: end)
        return conflicts.map { conflict in
            events[conflict.write.position]?.change.flatMap { causes[$0] }.map {
                conflict.caused(by: $0.id, of: $0.author, because: $0.reason)
            } ?? conflict
        }
    }

    private func answer(
        of change: Change,
        against app: App,
        _ record: ChangeRecord,
        in logState: LogState,
        live: LogState
    ) async throws(UseCaseError) -> ChangeAnswer {
        let overtaken = live.changesOvertaken(by: change)
        let content = change.content(against: app)
        let suspension = change.state == .suspended ? change.suspension : nil
        let term = record.term(isRunning: logState.endingChange(change.id) != nil)
        guard record.state.isOpen else {
            return record.answer(
                of: change.id,
                effect: content.effect,
                suspension: suspension,
                term: term,
                overtaken: record.state == .applied ? overtaken : []
            )
        }
        let conflicts = try await conflicts(of: change, in: app, upTo: live.position)
        let (digest, now) = (ChangeDigest(of: content), clock())
        func status(at instant: Instant) -> ApprovalStatus {
            logState.approvalStatus(of: change, content: content, digest: digest, at: instant)
        }
        let present = status(at: now)
        let later = present.state == .scheduled ? change.schedule?.at.map { max($0, now) } : nil
        return ChangeAnswer(
            summary: record.summary(
                of: change.id,
                present.state,
                isInConflict: !conflicts.isEmpty || logState.hasMoved(under: change, in: app),
                suspension: suspension
            ),
            reason: record.proposal.reason,
            operations: record.proposal.operations,
            effect: content.effect,
            digest: digest,
            outcome: record.outcome { given in
                guard let approval = change.approvals.first(where: given.isSame) else {
                    return given.told.void ?? ApprovalVoid(.objected)
                }
                return logState.void(approval, of: change, content, digest, present)
            },
            course: ChangeCourse(
                term: term,
                missing: try await missing(present, of: change, logState),
                missingAtTime: later.map(status)?.missing ?? [],
                freezeAtTime: freeze(under: change, in: logState),
                endsBefore: logState.changesEnding(under: change)
            ),
            checks: logState.checks(of: change, digest: digest, at: now),
            blocked: app.blockedShares(applying: change.operations),
            counted: app.counts(judging: change),
            conflicts: conflicts,
            overtaken: overtaken,
            origin: record.origin,
            notes: app.princeNotes(applying: change.operations, at: now)
        )
    }
}

extension App {
    /// The counts of devices that a change is judged by, in the order of their platforms.
    fileprivate func counts(judging change: Change) -> [CountAnswer] {
        counts.sorted { $0.key < $1.key }.compactMap { platform, count in
            change.operations.contains { $0.platform == platform }
                ? CountAnswer(count, of: platform) : nil
        }
    }
}

extension [RecordedEvent] {
    /// The changes that a new one from the same source took the place of.
    fileprivate var superseded: [ChangeID] {
        compactMap { recorded in
            guard case .change(.changeSuperseded) = recorded.event,
                case .change(let id) = recorded.stream
            else { return nil }
            return id
        }
    }
}
