// The commands about changes that an append may have come from.
extension RecordedAppend {
    func proposal(
        of app: AppSlug,
        _ title: Title,
        _ base: Position,
        _ past: PastDocuments,
        in world: World
    ) -> any Command {
        ProposeChange(
            app: app,
            title: title,
            reason: first.origin.reason,
            base: base,
            operations: operations,
            schedule: schedule,
            past: world.app(app).flatMap { state(of: $0, at: base, past) },
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
        _ world: World,
        _ past: PastDocuments,
        _ hash: @escaping ChangeHash
    ) -> (any Command)? {
        switch event {
        case .changeApproved(let seen, let comment, let counted):
            return ApproveChange(
                change: id,
                seen: seen,
                comment: comment,
                counted: counted,
                by: actor,
                hash: hash
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
            return world.digest(of: id, hash).map {
                WithdrawChange(change: id, seen: $0, by: actor, hash: hash)
            }
        case .changeRevised(let title, let base):
            return world.openChange(id).flatMap { world.app($0.app) }.flatMap { app in
                world.digest(of: id, hash).map {
                    revision(of: id, in: app, $0, title, base, past, hash)
                }
            }
        case .changeScheduled(let schedule):
            return world.digest(of: id, hash).map {
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
        in world: World,
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
            guard let ending = world.endingChange(id),
                let state = past.state(of: app, at: ending.before)
            else { return nil }
            return EndChange(change: id, past: state)
        default: return nil
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

extension World {
    fileprivate func digest(of id: ChangeID, _ hash: ChangeHash) -> ChangeDigest? {
        openChange(id).flatMap { change in
            app(change.app).map { hash(change.content(against: $0)) }
        }
    }
}
