/// An open change, held against what is live.
package struct ExaminedChange: Equatable, Sendable {
    package let change: Change
    package let app: App
    package let content: ChangeContent
    package let digest: ChangeDigest
    /// What it would lead to.
    let after: [Platform: Document]

    init(_ change: Change, _ app: App, _ hash: ChangeHash) {
        self.change = change
        self.app = app
        after = app.documents(applying: change.operations)
        content = change.content(against: app, leadingTo: after)
        digest = hash(content)
    }

    /// The objection to a request of somebody who saw something else.
    func objections(toSeeing seen: ChangeDigest) -> [Objection] {
        digest == seen ? [] : [.digestDiffers(change.id, seen: seen, current: digest)]
    }

    /// What keeps it from becoming a good document, whoever approved it; that nothing changes is not
    /// told where it would change nothing because it repeats what goes back by itself.
    func objectionsToApplying(at now: Instant, repeating: [Objection]) -> [Objection] {
        var objections = app.laterWrites(under: change, content.effect).map { field, write in
            Objection.changedSince(field, write, base: change.base)
        }
        let offerObjections = app.offerObjections(to: change.operations)
        objections += offerObjections
        objections += app.missingTexts(in: after, touchedBy: change.operations)
        if content.effect.isEmpty, offerObjections.isEmpty, repeating.isEmpty {
            objections.append(.nothingChanges)
        }
        if let until = change.schedule?.until, until <= now {
            objections.append(.timeOver(change.id, until))
        }
        return objections
    }
}

extension App {
    /// Whether others wrote fields that the change would write, after its base, or offers that its
    /// edits do not fit any more.
    package func hasMoved(under change: Change) -> Bool {
        !laterWrites(under: change, effect(of: change.operations)).isEmpty
    }
}

extension LogState {
    /// Whether the change is in conflict: by what others wrote after its base, or by a minimum that was
    /// decided on since and that its offers ask less than.
    package func hasMoved(under change: Change, in app: App) -> Bool {
        app.hasMoved(under: change)
            || !objectionsToUndercutting(
                change,
                app,
                app.documents(applying: change.operations)
            ).isEmpty
    }

    /// The open changes of an app that are in conflict in a later state, in which these fields are
    /// written, and in none in this one.
    package func changesMoved(
        by fields: Set<Field>,
        of slug: AppSlug,
        in next: LogState
    ) -> [ChangeID] {
        guard let before = app(slug), let after = next.app(slug) else { return [] }
        let minima = fields.filter { $0.threshold == .minimumApp && $0.part == .value }
        let platforms = Set(minima.map(\.platform))
        return openChanges(of: slug).filter { change in
            let isOnThem = change.operations.contains { platforms.contains($0.platform) }
            return (isOnThem || change.touches(fields))
                && next.hasMoved(under: change, in: after) && !hasMoved(under: change, in: before)
        }.map(\.id)
    }

    /// The changes that wait for their time and that applying this one would put in conflict.
    package func changesOvertaken(by change: Change) -> [ChangeID] {
        guard let app = app(change.app) else { return [] }
        return scheduledChanges(of: app, overtakenBy: app.documents(applying: change.operations))
    }

    /// The changes that wait for their time and that documents like these put in conflict.
    fileprivate func scheduledChanges(
        of app: App,
        overtakenBy after: [Platform: Document]
    ) -> [ChangeID] {
        let scheduled = scheduledChanges(of: app.slug)
        guard strictness != .original, !scheduled.isEmpty else { return [] }
        let written = Set(app.effect(leadingTo: after).map(\.field))
        return scheduled.filter { id in
            guard let change = openChange(id) else { return false }
            return change.isOvertaken(by: after, of: app, writing: written)
                || isUndercut(after, by: change, of: app)
        }
    }

    /// Whether offers of a change ask for less than a minimum that such documents bring, where those
    /// that they have do not.
    private func isUndercut(
        _ after: [Platform: Document],
        by change: Change,
        of app: App
    ) -> Bool {
        guard strictness.tellsUndercutting else { return false }
        return after.contains { platform, document in
            let field = Field(platform, .minimumApp, .value)
            guard let minimum = document[.minimumApp].value, minimum.holdsSomebodyBack,
                minimum != app.document(platform)[.minimumApp].value,
                !change.stands(field, as: document[field]),
                app.operations(raising: document, to: minimum).isEmpty
            else { return false }
            let next = change.operations.filter { $0.platform == platform }
                .reduce(into: document) { $0.apply($1) }
            return next[.minimumApp].value == minimum
                && !app.operations(raising: next, to: minimum).isEmpty
                && !hasMoved(under: change, in: app)
        }
    }
}

extension Change {
    /// Whether documents that write these fields put it in conflict, where it was in none.
    fileprivate func isOvertaken(
        by after: [Platform: Document],
        of app: App,
        writing written: Set<Field>
    ) -> Bool {
        guard touches(written), !app.hasMoved(under: self) else { return false }
        return app.effect(of: operations).contains { wanted in
            written.contains(wanted.field)
                && after[wanted.field.platform]?[wanted.field] != wanted.after
        }
    }
}

extension LogState {
    /// The open change against what is live, or the refusal that says why there is none.
    package func examined(
        _ id: ChangeID,
        by principal: PrincipalID,
        _ hash: ChangeHash
    ) throws(Refusal) -> ExaminedChange {
        let change = try undecidedChange(id, by: principal)
        return ExaminedChange(
            strictness != .original ? change : change.underOriginalRules,
            try existingApp(change.app),
            hash
        )
    }

    package func approvalStatus(of examined: ExaminedChange, at now: Instant) -> ApprovalStatus {
        approvalStatus(
            of: examined.change,
            content: examined.content,
            digest: examined.digest,
            at: now
        )
    }

    /// Where it would stand with one approval more.
    func approvalStatus(
        of examined: ExaminedChange,
        with approval: Approval,
        at now: Instant
    ) -> ApprovalStatus {
        approvalStatus(
            of: examined.change.adding(approval),
            content: examined.content,
            digest: examined.digest,
            at: now
        )
    }

    /// Every requirement of the rules that the change falls under, with its rule.
    func requirements(
        for examined: ExaminedChange
    ) -> [(kind: ChangeKind, requirement: ApprovalRequirement)] {
        let policy = policy(of: examined.app.slug).policy
        let kinds = ChangeKind.kinds(of: examined.content.effect)
        return ChangeKind.allCases.filter(kinds.contains).flatMap { kind in
            policy.rule(for: kind).requirements.map { (kind, $0) }
        }
    }
}

extension LogState {
    /// Whether a rule that the change falls under names the principal, or a role of theirs.
    func asks(_ principal: PrincipalID, toApprove examined: ExaminedChange) -> Bool {
        requirements(for: examined).contains { _, requirement in
            permits(principal, toMeet: requirement, of: examined.app.slug)
        }
    }
}

extension Decision {
    /// Appends what brings the change into force.
    mutating func apply(_ examined: ExaminedChange, in logState: LogState) {
        apply(
            examined.change.id,
            leadingTo: examined.after,
            examined.digest,
            examined.app,
            logState
        )
    }

    /// The fields first, then what that does to changes which wait for their time.
    mutating func apply(
        _ id: ChangeID,
        leadingTo after: [Platform: Document],
        _ digest: ChangeDigest,
        _ app: App,
        _ logState: LogState
    ) {
        append(fieldEvents: after, of: app)
        appendOvertaken(by: id, leadingTo: after, app, logState)
        append(.change(.changeApplied(app: app.slug, digest: digest)), to: .change(id))
    }

    /// Appends what documents like these do to changes which wait for their time.
    mutating func appendOvertaken(
        by id: ChangeID,
        leadingTo after: [Platform: Document],
        _ app: App,
        _ logState: LogState
    ) {
        for overtaken in logState.scheduledChanges(of: app, overtakenBy: after) {
            append(.change(.changeOvertaken(by: id)), to: .change(overtaken))
        }
    }

    /// Appends the events that turn the app's documents into the given ones.
    mutating func append(fieldEvents target: [Platform: Document], of app: App) {
        for platform in app.settings.platforms.sorted() {
            let current = app.document(platform)
            let operations = current.operations(to: target[platform] ?? current)
            // Made beforehand: the optimizer of Swift 6.3.1 crashes on making them in the loop.
            for event in operations.map(AppEvent.init) {
                append(.app(event), to: .app(app.slug))
            }
        }
    }
}
