package import PlimsollAPI
import PlimsollDocuments
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Lays edits before the app's approvers; asks for a proposer.
    ///
    /// What the caller proposed from the same source before is superseded; where it says just this, it
    /// is answered instead.
    ///
    /// Edits that cannot be are refused all at once; of those that can, so are all that conflict
    /// with what others wrote after the base, leave out a required text or change nothing.
    package func propose(
        _ proposal: ProposalForm,
        for app: AppSlug,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeView {
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
            var change = try await view(of: receipt)
            change.supersedes = receipt.events.superseded
            return change
        } catch .refused(let refusal) {
            guard case .proposedAlready(let id)? = refusal.objections.first else {
                throw .refused(refusal)
            }
            var change = try await view(of: id)
            change.isKnown = true
            return change
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
        comment: Reason?,
        counted: [Platform: Position]? = nil,
        signature: PersonSignature? = nil,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeView {
        let open = request.mode == .dryRun ? try? await view(of: change) : nil
        let approved = try await decide(
            ApproveChange(
                change: change,
                seen: seen,
                comment: comment,
                counted: counted,
                signature: signature,
                by: request.caller.principal,
                hash: ChangeDigest.init(of:),
                isSigned: { $0.signs($1) },
                isDryRun: request.mode == .dryRun
            ),
            request
        )
        guard let open, approved.state == .applied else { return approved }
        return approved.judged(as: open)
    }

    /// A change as it stands now, or as it was decided on; asks for a viewer of its app.
    package func change(
        _ id: ChangeID,
        for caller: Caller
    ) async throws(UseCaseError) -> ChangeView {
        let logState = try logState()
        guard
            let app = logState.app(ofChange: id),
            logState.access.permits(caller.principal, .viewer, in: .app(app))
        else { throw UseCaseError(.changeUnknown(id)) }
        return try await view(of: id)
    }

    /// Decides a command about a change, and answers the change as that left it.
    package func decide(
        _ command: any Command,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeView {
        try await view(of: try await perform(command, request))
    }

    /// The change that an append was about, as that append left it.
    private func view(of receipt: Receipt) async throws(UseCaseError) -> ChangeView {
        guard case .change(let id) = receipt.events.last?.stream else {
            throw .unexpected("the last event of a decision is not about a change")
        }
        guard receipt.freshness == .dryRun else {
            let history = try await read {
                try await readModels.log.history(of: .change(id), upTo: receipt.position)
            }
            let left = receipt.logState
            return try await view(of: id, history, in: left, live: left, receipt.events.overtaken)
        }
        let before = try await read { try await readModels.log.history(of: .change(id)) }
        let events = receipt.events.filter { $0.stream == .change(id) }
        return try await view(of: id, before + events, in: receipt.logState, live: try logState())
    }

    private func view(of id: ChangeID) async throws(UseCaseError) -> ChangeView {
        let logState = try logState()
        let history = try await read { try await readModels.log.history(of: .change(id)) }
        return try await view(of: id, history, in: logState, live: logState)
    }

    /// While a change is open, its effect is against what is live; afterwards it is what it was.
    private func view(
        of id: ChangeID,
        _ history: [RecordedEvent],
        in logState: LogState,
        live: LogState,
        _ overtaken: [ChangeID] = []
    ) async throws(UseCaseError) -> ChangeView {
        let lapsed = logState.lapsedApprovals(of: id)
        guard let record = ChangeRecord(id: id, history: history, lapsed: lapsed) else {
            // A server that was replaced has no history of what is known here.
            throw live.app(ofChange: id) == nil ? UseCaseError(.changeUnknown(id)) : .storeAway
        }
        if let change = live.openChange(id) ?? logState.openChange(id),
            let app = live.app(change.app)
        {
            let open = logState.openChange(id) ?? change
            let conflicts = try await conflicts(of: open, in: app, upTo: live.position)
            let seen = view(
                of: open,
                against: app,
                record,
                in: logState,
                conflicts,
                live.changesOvertaken(by: open)
            )
            return try await naming(givers(to: open, seen, logState), in: seen)
        }
        let effect = try await read {
            try await readModels.effect(of: id, upTo: record.position)
        }
        return ChangeView(
            id: id,
            record,
            effect: effect,
            digest: record.digest,
            term: record.term(isRunning: logState.endingChange(id) != nil),
            undoing: logState.app(record.proposal.app)?.undoing(of: id),
            status: nil,
            overtaken: overtaken
        )
    }

    /// The planned freeze that a change's time falls into, whether it is approved by now or not.
    private func freeze(
        under change: Change,
        _ status: ApprovalStatus?,
        in logState: LogState
    ) -> FreezePlanAnswer? {
        guard status != nil, change.state != .suspended, let at = change.schedule?.at else {
            return nil
        }
        return logState.freezePlans(over: change.app).first { $0.window.holds(at) }
            .map { FreezePlanAnswer($0) }
    }

    private func givers(
        to change: Change,
        _ view: ChangeView,
        _ logState: LogState
    ) -> [MissingApproval: [PrincipalID]] {
        guard let status = view.status else { return [:] }
        return status.missing.reduce(into: [:]) { givers, missing in
            givers[missing] = logState.givers(of: missing, to: change, status)
        }
    }

    /// Whoever sees a change may know by name whom it waits for.
    private func naming(
        _ givers: [MissingApproval: [PrincipalID]],
        in view: ChangeView
    ) async throws(UseCaseError) -> ChangeView {
        let people = Set(givers.values.joined())
        guard !people.isEmpty else { return view.givenBy(givers, [:]) }
        return view.givenBy(givers, try await names(of: people))
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

    private func view(
        of change: Change,
        against app: App,
        _ record: ChangeRecord,
        in logState: LogState,
        _ conflicts: [FieldConflict],
        _ overtaken: [ChangeID]
    ) -> ChangeView {
        let content = change.content(against: app)
        let (digest, now) = (ChangeDigest(of: content), clock())
        let status =
            record.state.isOpen
            ? logState.approvalStatus(of: change, content: content, digest: digest, at: now) : nil
        let later =
            status?.state == .scheduled ? change.schedule?.at.map { max($0, now) } : nil
        let then = later.map {
            logState.approvalStatus(of: change, content: content, digest: digest, at: $0)
        }
        return ChangeView(
            id: change.id,
            record,
            effect: content.effect,
            digest: status == nil ? record.digest : digest,
            suspension: change.state == .suspended ? change.suspension : nil,
            term: record.term(isRunning: logState.endingChange(change.id) != nil),
            status: status,
            missingAtTime: then?.missing ?? [],
            freezeAtTime: freeze(under: change, status, in: logState),
            checks: status == nil ? [] : logState.checks(of: change, digest: digest, at: now),
            blocked: status == nil ? [] : app.blockedShares(applying: change.operations),
            counted: status == nil
                ? [:]
                : app.counts.filter { count in
                    change.operations.contains { $0.platform == count.key }
                },
            conflicts: status == nil ? [] : conflicts,
            overtaken: status != nil || record.state == .applied ? overtaken : [],
            notes: status == nil ? [] : app.princeNotes(applying: change.operations, at: now),
            void: { given in
                guard let status else { return given.void }
                guard let approval = change.approvals.first(where: given.isSame) else {
                    return given.void ?? ApprovalVoid(.objected)
                }
                return logState.void(approval, of: change, content, digest, status)
            }
        )
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
