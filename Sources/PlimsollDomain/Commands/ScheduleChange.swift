/// Gives a change a time of its own, or takes it away.
///
/// What was approved was to come into force at another time, so approvals do not count any more.
package struct ScheduleChange: Command {
    package let change: ChangeID
    package let seen: ChangeDigest
    package let schedule: Schedule?
    package let by: PrincipalID
    package let hash: ChangeHash

    /// A schedule lies at most so far ahead.
    package static let horizon = Duration.seconds(366 * 86_400)

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        schedule: Schedule?,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.seen = seen
        self.schedule = schedule
        self.by = by
        self.hash = hash
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let examined = try logState.examined(change, by: by, hash)
        try logState.require(.proposer, of: by, in: .app(examined.app.slug))
        var objections = examined.objections(toSeeing: seen)
        objections += schedule?.objections(at: now) ?? []
        objections += logState.objectionsToOutliving(
            examined.content.effect,
            of: examined.app.slug,
            schedule,
            at: now
        )
        objections += logState.objectionsToRepeating(
            examined.change.operations,
            of: examined.app,
            schedule
        )
        if examined.change.state == .changesRequested { objections.append(.changesWanted(change)) }
        if schedule == examined.change.schedule, examined.change.state != .suspended {
            objections.append(.nothingChanges)
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .app(examined.app.slug)])
        decision.append(.change(.changeScheduled(schedule)), to: .change(change))
        return decision
    }
}

extension Schedule {
    /// What is wrong with it if it is made now, or if a revision of the change keeps it.
    ///
    /// Whoever revises said nothing of the schedule, so they are told what to say.
    func objections(at now: Instant, keptBy change: ChangeID? = nil) -> [Objection] {
        var objections: [Objection] = []
        if at == nil, until == nil { objections.append(.scheduleEmpty) }
        if let at, at <= now {
            objections.append(
                change.map { .keptSchedulePassed($0, at) }
                    ?? .schedulePassed(at, now: now, at: "/schedule/at")
            )
        }
        if let until, until <= at ?? now {
            objections.append(
                change.map { .keptSchedulePassed($0, until) }
                    ?? .schedulePassed(until, now: at ?? now, at: "/schedule/until")
            )
        }
        let latest = now.advanced(by: ScheduleChange.horizon)
        if let last = [at, until].compactMap(\.self).max(), last > latest {
            objections.append(.scheduleTooFar(last, latest: latest))
        }
        return objections
    }
}

/// Brings an approved change into force: what a freeze or a missed time kept waiting.
package struct ApplyChange: Command {
    package let change: ChangeID
    package let seen: ChangeDigest
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.seen = seen
        self.by = by
        self.hash = hash
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let examined = try logState.examined(change, by: by, hash)
        let app = examined.app
        try requireRole(in: .app(app.slug), logState)
        var objections = examined.objections(toSeeing: seen)
        objections += logState.objectionsToApplying(examined, at: now)
        if let at = examined.change.schedule?.at, now < at {
            objections.append(.notDue(change, at))
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .service, .app(app.slug)])
        decision.apply(examined, in: logState)
        return decision
    }

    private func requireRole(in scope: Scope, _ logState: LogState) throws(Refusal) {
        let roles: [Role] = [.proposer, .approver]
        guard roles.contains(where: { logState.access.permits(by, $0, in: scope) }) else {
            throw Refusal(.roleMissing(.proposer, scope))
        }
    }
}

/// What the service does when a change's time has come: applies it, or suspends it and says why.
package struct ApplyDueChange: Command {
    package let change: ChangeID
    package let by = PrincipalID.system
    package let hash: ChangeHash

    package init(change: ChangeID, hash: @escaping ChangeHash) {
        self.change = change
        self.hash = hash
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let examined = try logState.examined(change, by: by, hash)
        let app = examined.app
        guard examined.change.state == .proposed, let due = examined.change.schedule?.at,
            due <= now
        else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: [.access, .service, .app(app.slug)])
        if let cause = cause(of: examined, due: due, in: logState, at: now) {
            decision.append(.change(.changeSuspended(cause)), to: .change(change))
        } else {
            decision.apply(examined, in: logState)
        }
        return decision
    }

    /// What keeps it from being applied, the gravest first.
    private func cause(
        of examined: ExaminedChange,
        due: Instant,
        in logState: LogState,
        at now: Instant
    ) -> SuspensionCause? {
        let app = examined.app
        let policy = logState.policy(of: app.slug).policy
        let grace = max(.seconds(policy.graceSeconds), logState.strictness.promptness)
        if logState.freeze(of: app.slug, at: now) != nil { return .freeze }
        if logState.wasFrozen(app.slug, at: due) { return .freeze }
        if due.advanced(by: grace) < now { return .missed }
        if let until = examined.change.schedule?.until, until <= now { return .missed }
        let conflicts = app.laterWrites(under: examined.change, examined.content.effect)
        if !conflicts.isEmpty || examined.content.effect.isEmpty { return .conflict }
        if !logState.objectionsToOutliving(examined, at: now).isEmpty { return .conflict }
        if !logState.objectionsToRepeating(examined).isEmpty { return .conflict }
        let operations = examined.change.operations
        if !app.offerObjections(to: operations).isEmpty { return .conflict }
        if !logState.objectionsToUndercutting(examined.change, app, examined.after).isEmpty {
            return .conflict
        }
        if !app.missingTexts(in: examined.after, touchedBy: operations).isEmpty { return .texts }
        if !logState.objectionsToTwins(in: examined).isEmpty { return .texts }
        if !logState.objectionsOfChecks(to: examined, at: now).isEmpty { return .checks }
        return logState.approvalStatus(of: examined, at: now).missing.isEmpty ? nil : .approvals
    }
}

extension LogState {
    /// Whether a freeze of the app or of everything held then: what came due in it waits for somebody,
    /// also where nothing ran until it was over.
    fileprivate func wasFrozen(_ app: AppSlug, at instant: Instant) -> Bool {
        strictness.mindsPastFreezes
            && [Scope.app(app), .all].contains { freezes(of: $0).held(at: instant) }
    }

    /// Since when the app is frozen without a break, by itself or with everything; a rollback says so.
    func frozenSince(_ app: AppSlug, at now: Instant) -> Instant? {
        guard strictness.keepsEnds, freeze(of: app, at: now) != nil else { return nil }
        let spans = [Scope.app(app), .all].flatMap { freezes(of: $0).spans(until: now) }
        var since = now
        while let earlier = spans.first(where: { $0.from < since && since <= $0.until }) {
            since = earlier.from
        }
        return since
    }
}

/// Takes an applied change back because its time is over.
///
/// Fields that somebody decided on since stay as they are, and so do texts that what was decided
/// needs, or that phones take for the same language as another. Offers that come back ask for no
/// less than a minimum that was decided on since. A rollback, or the end of another change, that
/// brought back what this one had put there decided nothing new: that goes back as well.
package struct EndChange: Command {
    package let change: ChangeID
    /// What was before it was applied, read from the log.
    package let past: PastState
    package let by = PrincipalID.system

    package init(change: ChangeID, past: PastState) {
        self.change = change
        self.past = past
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        guard let ending = logState.endingChange(change), ending.until <= now else {
            throw Refusal(.nothingChanges)
        }
        let app = try logState.existingApp(ending.app)
        if let freeze = logState.freeze(of: app.slug, at: now) { throw Refusal(.frozen(freeze)) }
        var decision = Decision(relyingOn: [.service, .app(app.slug)])
        var ended = app.withoutWithdrawn(app.documents(ending, past))
        if logState.strictness.keepsBlocks { ended = app.keepingBlocks(in: ended, since: ending) }
        let target = logState.withoutNewTwins(ended, of: app)
        decision.append(fieldEvents: target, of: app)
        decision.appendOvertaken(by: change, leadingTo: target, app, logState)
        decision.append(.change(.changeEnded(app: app.slug)), to: .change(change))
        return decision
    }
}

extension App {
    /// The documents with the fields as they were before the change, as far as nobody wrote them
    /// after it; texts stay where somebody who is held back would read nothing without them.
    fileprivate func documents(_ ending: EndingChange, _ past: PastState) -> [Platform: Document] {
        var target = documents
        for platform in settings.platforms {
            let before = past.document(platform)
            var after = before
            for operation in ending.operations where operation.platform == platform {
                after.apply(operation)
            }
            for change in before.changes(to: after) where ending.holds(change.field) {
                target[platform]?[change.field] = change.before
            }
        }
        for field in fieldsMissing(in: target, touchedBy: ending.operations) {
            target[field.platform]?[field] =
                document(field.platform)[field] ?? past.document(field.platform)[field]
        }
        return target
    }

    /// The documents with offers that ask for no less than a minimum which was decided on after the
    /// change, where what it had put there did.
    ///
    /// Whoever blocked a version had nothing to raise then, and nobody looks at an end. A minimum that
    /// only came back is none that was decided on.
    fileprivate func keepingBlocks(
        in target: [Platform: Document],
        since ending: EndingChange
    ) -> [Platform: Document] {
        target.mapValues { document in
            let field = Field(document.platform, .minimumApp, .value)
            guard let minimum = document[.minimumApp].value, minimum.holdsSomebodyBack,
                ending.leavesBlocked(on: document.platform),
                !endings.running.contains(where: { $0.holds(field) }),
                operations(raising: self.document(document.platform), to: minimum).isEmpty
            else { return document }
            return operations(raising: document, to: minimum).reduce(into: document) {
                $0.apply($1)
            }
        }
    }
}

extension LogState {
    /// Changes that the app takes back while this one is in force.
    ///
    /// What was before it is then what they had put there: its own end would bring that back, and
    /// nothing would ever take it away.
    func objectionsToOutliving(
        _ effect: [FieldChange],
        of app: AppSlug,
        _ schedule: Schedule?,
        at now: Instant,
        pointer: Pointer? = "/schedule"
    ) -> [Objection] {
        guard let until = schedule?.until else { return [] }
        // One whose time is over and that cannot end yet is in force.
        let start = schedule?.at.flatMap { $0 > now ? $0 : nil }
        let fields = effect.map(\.field)
        return endingChanges(of: app).filter { ending in
            start.map { $0 < ending.until } ?? true
                && ending.until <= until
                && !ending.heldFields.isDisjoint(with: fields)
        }.map { .outlives($0.id, $0.until, at: pointer) }
    }

    /// The same of a change that waits: what came into force after its schedule was made is no
    /// conflict where it put there what the change had found.
    func objectionsToOutliving(_ examined: ExaminedChange, at now: Instant) -> [Objection] {
        guard strictness.mindsEnds else { return [] }
        let (app, schedule) = (examined.app.slug, examined.change.schedule)
        let effect = examined.content.effect
        return objectionsToOutliving(effect, of: app, schedule, at: now, pointer: nil)
    }
}

extension LogState {
    /// Fields that operations set to what another change had put there, and that it takes back sooner
    /// than they go back themselves.
    ///
    /// Nothing is written where nothing changes, so what people decided on would be taken back.
    func objectionsToRepeating(
        _ operations: [Operation],
        of app: App,
        _ schedule: Schedule?
    ) -> [Objection] {
        let ending = app.endings.running.filter { ending in
            schedule?.until.map { ending.until < $0 } ?? true
        }
        guard strictness.mindsEnds, !ending.isEmpty else { return [] }
        let (after, edits) = (app.documents(applying: operations), EditedPlaces(operations))
        return ending.flatMap { ending in
            ending.heldFields.filter { field in
                edits.contain(field)
                    && app.document(field.platform)[field] == after[field.platform]?[field]
            }.sorted().map { .fieldEnds($0, ending.id, ending.until, at: "/operations") }
        }
    }

    fileprivate func objectionsToRepeating(_ examined: ExaminedChange) -> [Objection] {
        let change = examined.change
        return objectionsToRepeating(change.operations, of: examined.app, change.schedule)
    }
}

/// What operations write: fields, and whole thresholds.
private struct EditedPlaces {
    private let fields: Set<Field>
    private let places: Set<ThresholdPlace>

    init(_ operations: [Operation]) {
        fields = Set(operations.compactMap(\.field))
        places = Set(operations.lazy.filter { $0.field == nil }.compactMap(\.place))
    }

    func contain(_ field: Field) -> Bool {
        fields.contains(field) || field.place.map(places.contains) ?? false
    }
}

extension LogState {
    /// What keeps the change from leading to good documents, whoever approved it.
    func objectionsToEffect(of examined: ExaminedChange, at now: Instant) -> [Objection] {
        let repeating = objectionsToRepeating(examined)
        return examined.objectionsToApplying(at: now, repeating: repeating)
            + objectionsToOutliving(examined, at: now) + repeating
            + objectionsToUndercutting(examined.change, examined.app, examined.after)
            + objectionsToTwins(in: examined) + objectionsOfChecks(to: examined, at: now)
    }

    /// A minimum that somebody decided on since the change was made, as by a block, where its offers ask
    /// for less and those that are live do not: it is no field of the change, and nobody has seen that.
    func objectionsToUndercutting(
        _ change: Change,
        _ app: App,
        _ after: [Platform: Document]
    ) -> [Objection] {
        guard strictness.mindsMinima else { return [] }
        return app.settings.platforms.sorted().compactMap { platform in
            let field = Field(platform, .minimumApp, .value)
            let live = app.document(platform)
            guard let after = after[platform], let minimum = live[.minimumApp].value,
                minimum.holdsSomebodyBack, after[.minimumApp].value == minimum,
                let write = app.lastWrite(of: field), write.position > change.base,
                !change.stands(field, as: live[field]),
                app.operations(raising: live, to: minimum).isEmpty,
                !app.operations(raising: after, to: minimum).isEmpty
            else { return nil }
            return .changedSince(field, write, base: change.base)
        }
    }

    /// Everything that stands in the way of applying the change now.
    func objectionsToApplying(_ examined: ExaminedChange, at now: Instant) -> [Objection] {
        let id = examined.change.id
        var objections = objectionsToEffect(of: examined, at: now)
        if let freeze = freeze(of: examined.app.slug, at: now) {
            objections.append(.frozen(freeze))
        }
        if examined.change.state == .changesRequested { objections.append(.changesWanted(id)) }
        let missing = approvalStatus(of: examined, at: now).missing
        return objections + missing.map { .approvalsMissing(id, $0) }
    }
}
