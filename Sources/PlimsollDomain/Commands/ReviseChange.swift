/// Puts other operations in the place of a change's, on what is live now.
///
/// Any proposer may. Whoever revises it has had a hand in it, and does not approve it. Approvals
/// stay only where the change says and does exactly what it did before, and no reviewer wanted
/// something else meanwhile. A schedule that it keeps has to lie ahead as
/// much as a new one: nothing that is put up for approval is late already.
///
/// A field of the change that others wrote after its base is written over only by who says so.
package struct ReviseChange: Command {
    package let change: ChangeID
    package let seen: ChangeDigest
    /// `nil` keeps the title.
    package let title: Title?
    package let base: Position
    package let operations: [Operation]
    /// `nil` keeps the schedule.
    package let schedule: Schedule?
    /// What becomes of fields that others wrote after the base.
    package let resolve: [Field: ConflictChoice]
    /// What stood at the base, read from the log; without it every later write is a conflict.
    package let past: PastState?
    package let reason: Reason?
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        title: Title?,
        base: Position,
        operations: [Operation],
        schedule: Schedule? = nil,
        resolve: [Field: ConflictChoice] = [:],
        past: PastState? = nil,
        reason: Reason?,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.seen = seen
        self.title = title
        self.base = base
        self.operations = operations
        self.schedule = schedule
        self.resolve = resolve
        self.past = past
        self.reason = reason
        self.by = by
        self.hash = hash
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let examined = try logState.examined(change, by: by, hash)
        let app = examined.app
        try logState.require(.proposer, of: by, in: .app(app.slug))
        var objections = examined.objections(toSeeing: seen)
        let plan = schedule ?? examined.change.schedule
        let edits = SparingOperations(operations, sparing: fields(of: .theirs))
        let operations = edits.kept(in: app)
        objections += logState.objections(to: edits, of: app, base: base, past, plan, at: now)
        objections = answered(objections + conflicts(of: operations, examined))
        objections +=
            schedule?.objections(at: now)
            ?? examined.change.schedule?.objections(at: now, keptBy: change) ?? []
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .service, .app(app.slug)])
        decision.append(
            .change(
                .changeRevised(
                    title: title ?? examined.change.title,
                    base: logState.base(for: operations, of: app, since: base, past)
                )
            ),
            to: .change(change)
        )
        decision.append(operations, to: .change(change))
        if let schedule, schedule != examined.change.schedule {
            decision.append(.change(.changeScheduled(schedule)), to: .change(change))
        }
        return decision
    }
}

extension LogState {
    /// The base from which on nobody wrote what the operations write: all that was written since
    /// the given one was answered for, as of the last whole append.
    fileprivate func base(
        for operations: [Operation],
        of app: App,
        since base: Position,
        _ past: PastState?
    ) -> Position {
        let conflicts = conflicts(of: app.effect(of: operations), in: app, since: base, past)
        return conflicts.isEmpty ? base : position
    }
}

extension ReviseChange {
    private func fields(of choice: ConflictChoice) -> Set<Field> {
        Set(resolve.lazy.filter { $0.value == choice }.map(\.key))
    }

    /// What others wrote of the change after its base, and the revision would write over.
    private func conflicts(
        of operations: [Operation],
        _ examined: ExaminedChange
    ) -> [Objection] {
        let app = examined.app
        let writes = app.laterWrites(under: examined.change, examined.content.effect)
        let contested = Set(writes.map(\.field))
        let effect = app.effect(of: operations).filter { contested.contains($0.field) }
        return app.conflicts(of: effect, since: examined.change.base)
    }

    /// The objections but for fields that somebody said are to be mine, each field once.
    private func answered(_ objections: [Objection]) -> [Objection] {
        var fields = fields(of: .mine)
        return objections.filter { objection in
            guard case .conflict(let field)? = objection.subject else { return true }
            return fields.insert(field).inserted
        }
    }
}

/// Says something about a change, for all who decide on it.
package struct CommentOnChange: Command {
    package let change: ChangeID
    package let comment: Reason
    package let by: PrincipalID

    /// Whoever looks at a change is shown all that was said of it.
    package static let commentsMaximum = 1000

    package init(change: ChangeID, comment: Reason, by: PrincipalID) {
        self.change = change
        self.comment = comment
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let change = try logState.undecidedChange(change, by: by)
        let scope = Scope.app(change.app)
        let speakers: [Role] = [.proposer, .approver, .responder, .auditor, .admin]
        guard speakers.contains(where: { logState.access.permits(by, $0, in: scope) }) else {
            throw Refusal(.roleMissing(.proposer, scope))
        }
        guard change.commentCount < Self.commentsMaximum else {
            throw Refusal(.commentsFull(change.id, maximum: Self.commentsMaximum))
        }
        var decision = Decision(relyingOn: [.access])
        decision.append(.change(.changeCommented(comment)), to: .change(change.id))
        return decision
    }
}
