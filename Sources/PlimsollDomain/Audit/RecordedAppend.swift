/// The events of one append, and the command that they must have come from.
struct RecordedAppend {
    let first: RecordedEvent
    let events: [RecordedEvent]

    var actor: PrincipalID { first.origin.actor }

    /// When it was decided.
    ///
    /// A token was once held against the time of its request, which is not recorded; one that was
    /// dead by then gives no rights.
    var decidedAt: Instant {
        first.event.access != nil && events.contains(where: \.issuesToken)
            ? Instant(millisecondsSince1970: .min) : first.recordedAt
    }

    /// Refuses events whose actor cannot have been known like that.
    func checkOrigin(in logState: LogState) throws(UnfoundedEvent) {
        switch first.origin.authentication {
        case .service:
            // The service vouches for people of its own, such as those of the sample; what they
            // may do is decided like anybody's.
            break
        case .token(let id):
            guard logState.access.livingToken(id, at: first.recordedAt)?.principal == actor else {
                throw UnfoundedEvent(first, .notAuthentic)
            }
        }
        for event in events
        where event.origin != first.origin || event.recordedAt != first.recordedAt {
            throw UnfoundedEvent(event, .anotherOrigin)
        }
    }

    /// What was asked for, as far as the events tell; `nil` where nothing leads to such events.
    func command(
        in logState: LogState,
        _ past: PastDocuments,
        _ hash: @escaping ChangeHash,
        _ isSigned: @escaping SignatureCheck
    )
        -> (any Command)?
    {
        switch (first.stream, first.event) {
        case (_, .access): admission
        case (.app(let app), .app(.appRegistered(let settings))): registration(of: app, settings)
        case (.app(let app), .app(.rolledBack(let record))):
            revert(in: app, record, past, logState) ?? rollback(of: app, record, past)
        case (.app(let app), .app(.renewalOrdered)): OrderRenewal(app: app)
        case (.app(let app), .app(let event)):
            commandOfApp(app, event, in: logState) ?? commandOfTime(in: logState, past, hash)
        case (_, .change(.changeProposed(let app, let title, let base))):
            emergency(of: app, title, base, hash)
                ?? proposal(of: app, title, base, past, in: logState)
        case (.change(let id), .change(let event)):
            decision(on: id, event, logState, past, hash, isSigned)
                ?? commandOfTime(in: logState, past, hash)
        case (.service, .service(let event)): commandOfService(event, in: logState)
        case (.keys, .key(let event)): commandOfKeys(event, in: logState)
        case (.export(let app), .export(let event)): RecordPublication(app: app, event: event)
        case (.webhooks, .webhook(let event)): commandOfWebhook(event)
        case (.app, _), (.change, _), (.access, _), (.keys, _), (.service, _), (.export, _),
            (.webhooks, _):
            nil
        }
    }

    private var admission: (any Command)? {
        var grants: [RoleGrant] = []
        var principals: [PrincipalID] = []
        var name: NameCommitment?
        var issued: TokenRecord?
        for case .access(let event) in events.lazy.map(\.event) {
            switch event {
            case .principalAdded(let id, let commitment):
                principals.append(id)
                name = commitment
            case .roleGranted(let id, let grant):
                principals.append(id)
                grants.append(grant)
            case .tokenIssued(let token): issued = token
            case .tokenRevoked, .nameErased, .roleRevoked, .principalSuspended,
                .principalResumed, .tokenRenewed, .personKeyAdded, .personKeyRevoked:
                break
            }
        }
        if let issued { return IssueToken(token: issued, grants: grants, name: name, by: actor) }
        if let principal = principals.first {
            return AdmitPrincipal(principal, grants: grants, name: name, by: actor)
        }
        for case .access(.tokenRenewed(let token, let old, _)) in events.lazy.map(\.event) {
            return RenewToken(old, as: token, by: actor)
        }
        return first.event.access.flatMap(commandOfAccess)
    }

    private func commandOfAccess(_ event: AccessEvent) -> (any Command)? {
        let reason = first.origin.reason
        return switch event {
        case .tokenRevoked(let token): RevokeToken(token: token, by: actor)
        case .nameErased(let principal): EraseName(of: principal, by: actor)
        case .roleRevoked(let principal, let grant):
            RevokeRole(grant, of: principal, reason: reason, by: actor)
        case .principalSuspended(let principal):
            reason.map { SuspendPrincipal(principal, reason: $0, by: actor) }
        case .principalResumed(let principal):
            ResumePrincipal(principal, reason: reason, by: actor)
        case .personKeyAdded(let principal, let key):
            AddPersonKey(key, of: principal, reason: reason, by: actor)
        case .personKeyRevoked(let principal, let key):
            RevokePersonKey(key, of: principal, reason: reason, by: actor)
        case .principalAdded, .roleGranted, .tokenIssued, .tokenRenewed: nil
        }
    }

    private func registration(of app: AppSlug, _ settings: AppSettings) -> (any Command)? {
        var key: KeyRecord?
        var isDefault = false
        for event in events {
            switch event.event {
            case .key(.keyAdded(let record)): key = record
            case .service(.defaultAppChosen): isDefault = true
            case .key, .app, .change, .access, .export, .service, .webhook: break
            }
        }
        return key.map {
            RegisterApp(slug: app, settings: settings, key: $0, isDefault: isDefault, by: actor)
        }
    }

    /// Which fields were to be kept is not recorded: it was all that did not go back.
    private func revert(
        in app: AppSlug,
        _ record: RollbackRecord,
        _ past: PastDocuments,
        _ logState: LogState
    ) -> (any Command)? {
        guard case .revert(let id) = record.request, let target = logState.app(app),
            let before = past.state(of: app, at: record.target).map(target.withoutWithdrawn),
            let after = past.state(of: app, after: id).map(target.withoutWithdrawn)
        else { return nil }
        let written = Platform.allCases.flatMap { platform in
            before.document(platform).changes(to: after.document(platform)).map(\.field)
        }
        let keep = Set(written).subtracting(record.fields ?? [])
        return RevertChange(
            id,
            of: app,
            before: before,
            after: after,
            keep: keep.sorted(),
            reason: first.origin.reason,
            by: actor
        )
    }

    private func rollback(
        of app: AppSlug,
        _ record: RollbackRecord,
        _ past: PastDocuments
    ) -> (any Command)? {
        guard let reason = first.origin.reason, let state = past.state(of: app, at: record.target)
        else { return nil }
        return RollBack(
            app: app,
            platforms: record.fields == nil ? record.platforms : nil,
            fields: record.fields,
            request: record.request,
            past: state,
            reason: reason,
            by: actor
        )
    }
}

extension Event {
    fileprivate var access: AccessEvent? {
        if case .access(let event) = self { event } else { nil }
    }
}

extension RecordedEvent {
    fileprivate var issuesToken: Bool {
        guard case .access(.tokenIssued) = event else { return false }
        return true
    }
}

// The commands about changes that an append may have come from.
extension RecordedAppend {
    func proposal(
        of app: AppSlug,
        _ title: Title,
        _ base: Position,
        _ past: PastDocuments,
        in logState: LogState
    ) -> any Command {
        ProposeChange(
            app: app,
            title: title,
            reason: first.origin.reason,
            base: base,
            operations: operations,
            schedule: schedule,
            past: logState.app(app).flatMap { state(of: $0, at: base, past) },
            source: source,
            by: actor
        )
    }

    /// The emergency that the proposal was part of, if it was.
    func emergency(
        of app: AppSlug,
        _ title: Title,
        _ base: Position,
        _ hash: @escaping ChangeHash
    ) -> (any Command)? {
        guard let reason = first.origin.reason else { return nil }
        for case .change(.emergencyApplied(let emergency)) in events.lazy.map(\.event) {
            return DeclareEmergency(
                app: app,
                title: title,
                base: base,
                operations: operations,
                incident: emergency.incident,
                owner: emergency.review.owner == actor ? nil : emergency.review.owner,
                reason: reason,
                by: actor,
                hash: hash
            )
        }
        return nil
    }

    /// Which content was seen by whoever withdrew, revised or scheduled a change is not recorded: it
    /// happened, so it was the one at the time.
    func decision(
        on id: ChangeID,
        _ event: ChangeEvent,
        _ logState: LogState,
        _ past: PastDocuments,
        _ hash: @escaping ChangeHash,
        _ isSigned: @escaping SignatureCheck
    ) -> (any Command)? {
        switch event {
        case .changeApproved(let seen, let comment, let counted, let signature):
            return ApproveChange(
                change: id,
                seen: seen,
                comment: comment,
                counted: counted,
                signature: signature,
                by: actor,
                hash: hash,
                isSigned: isSigned
            )
        case .changeRejected(let seen): return turningDown(id, .rejected, seen, hash)
        case .checkOverridden(let check, let seen):
            return first.origin.reason.map {
                OverrideCheck(
                    change: id,
                    seen: seen,
                    check: check,
                    reason: $0,
                    by: actor,
                    hash: hash
                )
            }
        case .changesRequested(let seen): return turningDown(id, .changesRequested, seen, hash)
        case .changeWithdrawn:
            return logState.digest(of: id, hash).map {
                WithdrawChange(change: id, seen: $0, by: actor, hash: hash)
            }
        case .changeRevised(let title, let base):
            return logState.openChange(id).flatMap { logState.app($0.app) }.flatMap { app in
                logState.digest(of: id, hash).map {
                    revision(of: id, in: app, $0, title, base, past, hash)
                }
            }
        case .changeScheduled(let schedule):
            return logState.digest(of: id, hash).map {
                ScheduleChange(change: id, seen: $0, schedule: schedule, by: actor, hash: hash)
            }
        case .changeCommented(let comment):
            return CommentOnChange(change: id, comment: comment, by: actor)
        case .emergencyReviewed(let review, let verdict):
            return CloseReview(review: review, verdict: verdict, by: actor)
        case .changeProposed, .operationsAdded, .changeApplied, .changeOvertaken, .changeSourced,
            .changeSuperseded,
            .changeSuspended, .changeEnded,
            .emergencyApplied:
            return nil
        }
    }

    private func turningDown(
        _ id: ChangeID,
        _ verdict: TurnDownChange.Verdict,
        _ seen: ChangeDigest,
        _ hash: @escaping ChangeHash
    ) -> (any Command)? {
        first.origin.reason.map {
            TurnDownChange(
                change: id,
                verdict: verdict,
                seen: seen,
                reason: $0,
                by: actor,
                hash: hash
            )
        }
    }

    /// What its author said of conflicts is not recorded either: what was written over was to be.
    private func revision(
        of id: ChangeID,
        in app: App,
        _ seen: ChangeDigest,
        _ title: Title,
        _ base: Position,
        _ past: PastDocuments,
        _ hash: @escaping ChangeHash
    ) -> any Command {
        let fields = app.effect(of: operations).map(\.field)
        return ReviseChange(
            change: id,
            seen: seen,
            title: title,
            base: base,
            operations: operations,
            schedule: schedule,
            resolve: Dictionary(uniqueKeysWithValues: fields.map { ($0, .mine) }),
            past: state(of: app, at: base, past),
            reason: first.origin.reason,
            by: actor,
            hash: hash
        )
    }

    /// What stood at a base, where that counts: it takes some time to find.
    private func state(of app: App, at base: Position, _ past: PastDocuments) -> PastState? {
        app.isWritten(by: operations, after: base) ? past.state(of: app.slug, at: base) : nil
    }

    /// What comes due by itself, or is applied by hand: the last event names the change, because
    /// the field events stand before it.
    func commandOfTime(
        in logState: LogState,
        _ past: PastDocuments,
        _ hash: @escaping ChangeHash
    ) -> (any Command)? {
        guard let last = events.last, case .change(let id) = last.stream,
            case .change(let event) = last.event
        else { return nil }
        switch event {
        case .changeApplied(_, let digest) where actor != .system:
            return ApplyChange(change: id, seen: digest, by: actor, hash: hash)
        case .changeApplied, .changeSuspended:
            return ApplyDueChange(change: id, hash: hash)
        case .changeEnded(let app):
            guard let ending = logState.endingChange(id),
                let state = past.state(of: app, at: ending.before)
            else { return nil }
            return EndChange(change: id, past: state)
        case .changeProposed, .operationsAdded, .changeRevised, .changeScheduled, .changeCommented,
            .changesRequested, .changeApproved, .checkOverridden, .changeRejected, .changeWithdrawn,
            .changeSourced, .changeSuperseded, .changeOvertaken, .emergencyApplied,
            .emergencyReviewed:
            return nil
        }
    }

    private var operations: [Operation] {
        events.flatMap { recorded -> [Operation] in
            guard case .change(.operationsAdded(let part)) = recorded.event else { return [] }
            return part
        }
    }

    private var source: Title? {
        for case .change(.changeSourced(let source)) in events.lazy.map(\.event) { return source }
        return nil
    }

    private var schedule: Schedule? {
        for case .change(.changeScheduled(let schedule)) in events.lazy.map(\.event) {
            return schedule
        }
        return nil
    }
}

extension LogState {
    fileprivate func digest(of id: ChangeID, _ hash: ChangeHash) -> ChangeDigest? {
        openChange(id).flatMap { change in
            app(change.app).map { hash(change.content(against: $0)) }
        }
    }
}
