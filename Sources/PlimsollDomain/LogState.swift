import HashTreeCollections

/// Everything that decisions are made on: the fold of all events so far.
///
/// A value that is cheap to copy, so that a command can be decided on a state that is not yet
/// durable and the state be dropped if it never comes true.
package struct LogState: Codable, Equatable, Sendable {
    package private(set) var position = Position.start
    package private(set) var lastRecordedAt: Instant?
    private var appsBySlug: TreeDictionary<AppSlug, App> = [:]
    package private(set) var defaultApp: AppSlug?
    private var openChanges: TreeDictionary<ChangeID, Change> = [:]
    private var openChangeCounts: TreeDictionary<AppSlug, Int> = [:]
    private var closedChanges = ClosedChanges()
    package private(set) var nextChange = ChangeID.first
    package private(set) var access = Access()
    package private(set) var keyring = Keyring()
    package private(set) var webhooks = Webhooks()
    package private(set) var entryKeys = EntryKeys()
    /// What Apple told, and nothing came of yet.
    package private(set) var notifications = KeptNotifications()
    private var publications: TreeDictionary<AppSlug, PublicationRecord> = [:]
    private var defaultPolicy: PolicyInForce?
    private var freezes = Freezes()
    private var reviews: TreeDictionary<Position, Review> = [:]
    private var revisions: TreeDictionary<StreamName, Revision> = [:]
    private var append: AppendStart?
    var strictness = Strictness.full

    package init() {}

    package func revision(of stream: StreamName) -> Revision {
        if case .change(let id) = stream, let closed = closedChanges.revision(of: id) {
            return closed
        }
        return revisions[stream] ?? .none
    }

    /// Every app, in the order of the slugs.
    package var apps: [App] {
        appsBySlug.values.sorted { $0.slug < $1.slug }
    }

    package func app(_ slug: AppSlug) -> App? {
        appsBySlug[slug]
    }

    /// The change while it can still be applied.
    package func openChange(_ id: ChangeID) -> Change? {
        openChanges[id]
    }

    /// How many changes of an app wait to be decided.
    package func openChangeCount(of app: AppSlug) -> Int {
        openChangeCounts[app] ?? 0
    }

    /// How a change ended that cannot be applied any more.
    package func endOfChange(_ id: ChangeID) -> ChangeState? {
        closedChanges.state(of: id)
    }

    /// The approvals of a change that lapsed while it was open.
    package func lapsedApprovals(of id: ChangeID) -> [Approval] {
        openChanges[id]?.approvals.filter { $0.lapse != nil }
            ?? closedChanges.lapsedApprovals(of: id) ?? []
    }

    /// The app that a change is about, whatever became of it.
    package func app(ofChange id: ChangeID) -> AppSlug? {
        openChanges[id]?.app ?? closedChanges.app(of: id)
    }

    /// What was last published of an app.
    package func publication(of app: AppSlug) -> PublicationRecord? {
        publications[app]
    }

    /// Every change of the app that is open, in the order of the numbers.
    package func openChanges(of app: AppSlug) -> [Change] {
        openChanges.values.filter { $0.app == app }.sorted { $0.id < $1.id }
    }

    /// What the app's changes need: its own policy, or that of all apps, or the built-in one.
    package func policy(of app: AppSlug) -> PolicyInForce {
        appsBySlug[app]?.policy ?? defaultPolicyInForce
    }

    /// What the changes of every app need that has no policy of its own.
    package var defaultPolicyInForce: PolicyInForce {
        defaultPolicy ?? PolicyInForce(policy: .builtIn, since: nil, isOwn: false)
    }

    /// The freeze that keeps the app's changes from applying: its own, or that of everything.
    package func freeze(of app: AppSlug, at now: Instant) -> Freeze? {
        freezes(of: .app(app)).inForce(at: now) ?? freezes.inForce(at: now)
    }

    /// What freezes exactly this scope, now and later.
    package func freezes(of scope: Scope) -> Freezes {
        switch scope {
        case .app(let slug): appsBySlug[slug]?.freezes ?? Freezes()
        case .all: freezes
        }
    }

    /// Those that keep an app's changes from applying when they come, soonest first.
    package func freezePlans(over app: AppSlug) -> [FreezePlan] {
        (freezes(of: .app(app)).plans + freezes.plans).sorted {
            ($0.window.from, $0.id) < ($1.window.from, $1.id)
        }
    }

    /// What is still to be looked at again, oldest first.
    package var openReviews: [Review] {
        reviews.values.sorted { $0.position < $1.position }
    }

    package func openReview(_ position: Position) -> Review? {
        reviews[position]
    }

    /// The open changes of an app that would come into force by themselves.
    package func scheduledChanges(of app: AppSlug) -> [ChangeID] {
        openChanges(of: app).filter { $0.state == .proposed && $0.schedule?.at != nil }.map(\.id)
    }

    /// Those of them that such a rollback keeps from coming into force: they write what it restores.
    ///
    /// What was made before the change that is reverted stands on the same ground again.
    package func scheduledChanges(
        of app: AppSlug,
        stoppedBy record: RollbackRecord
    ) -> [ChangeID] {
        scheduledChanges(of: app).filter { id in
            guard let change = openChanges[id] else { return false }
            if case .revert = record.request, change.base <= record.target { return false }
            return change.operations.contains(where: record.touches)
        }
    }

    /// The applied changes that such a rollback takes back as a whole.
    package func changesUndone(by record: RollbackRecord, of app: AppSlug) -> [ChangeID] {
        appsBySlug[app]?.changes(undoneBy: record) ?? []
    }

    /// The applied change that is to end at a time of its own, and was not undone.
    package func endingChange(_ id: ChangeID) -> EndingChange? {
        closedChanges.app(of: id).flatMap { appsBySlug[$0]?.endings[id] }
    }

    /// The applied changes of an app that are still to end, in the order of the numbers.
    package func endingChanges(of app: AppSlug) -> [EndingChange] {
        appsBySlug[app].map { $0.endings.running.sorted { $0.id < $1.id } } ?? []
    }

    /// What comes due by itself, in no order; during a freeze nothing ends.
    func unorderedAppointments(at now: Instant) -> [Appointment] {
        let starts = openChanges.values.compactMap { change -> Appointment? in
            guard change.state == .proposed, let at = change.schedule?.at else { return nil }
            return Appointment(
                at: at,
                change: change.id,
                act: .apply,
                isBeforeEnds: isBeforeEnds(change)
            )
        }
        let ends = appsBySlug.values.lazy.filter { freeze(of: $0.slug, at: now) == nil }.flatMap {
            app in
            app.endings.running.map { Appointment(at: $0.until, change: $0.id, act: .end) }
        }
        return starts + ends + freezeAppointments
    }

    private var freezeAppointments: [Appointment] {
        let scopes = [Scope.all] + appsBySlug.keys.map(Scope.app)
        return scopes.flatMap { scope in
            freezes(of: scope).plans.map { plan in
                Appointment(
                    at: plan.hasStarted ? plan.window.until : plan.window.from,
                    subject: .freeze(plan.id, scope),
                    act: plan.hasStarted ? .thaw : .freeze
                )
            }
        }
    }

    /// Takes in the next event of the log; none is left out.
    package mutating func evolve(_ recorded: RecordedEvent) {
        precondition(
            recorded.position == position.advanced(by: 1),
            "events are folded in the order of the log, none left out"
        )
        if append?.command != recorded.command {
            append = AppendStart(command: recorded.command, before: position)
        }
        position = recorded.position
        lastRecordedAt = lastRecordedAt.map { max($0, recorded.recordedAt) } ?? recorded.recordedAt
        advance(recorded.stream, to: recorded.revision)
        fold(recorded)
    }

    private mutating func advance(_ stream: StreamName, to revision: Revision) {
        if case .change(let id) = stream, closedChanges.advance(id, to: revision) { return }
        revisions[stream] = revision
    }

    private mutating func fold(_ recorded: RecordedEvent) {
        switch (recorded.stream, recorded.event) {
        case (.app(let slug), .app(let event)): evolveApp(slug, event, recorded)
        case (.change(let id), .change(let event)): evolveChange(id, event, recorded)
        case (.access, .access(let event)):
            access.evolve(event, recorded)
            lapse(after: event, recorded)
        case (.keys, .key(let event)): keyring.evolve(event, at: recorded.position)
        case (.service, .service(let event)): evolveService(event, recorded)
        case (.export(let slug), .export(.snapshotPublished(let record))):
            publications[slug] = record
        case (.export, .export(.publicationFailed)): break
        case (.webhooks, .webhook(let event)): webhooks.evolve(event, recorded)
        case (.app, _), (.change, _), (.access, _), (.keys, _), (.service, _), (.export, _),
            (.webhooks, _):
            break
        }
    }

    /// What somebody said of open changes counts no more once they are suspended, or lose a role
    /// with which they may have said it.
    private mutating func lapse(after event: AccessEvent, _ recorded: RecordedEvent) {
        let (principal, place, cause): (PrincipalID, Scope, Approval.Lapse.Cause)
        switch event {
        case .principalSuspended(let id): (principal, place, cause) = (id, .all, .suspended)
        case .roleRevoked(let id, let grant):
            (principal, place, cause) = (id, grant.scope, .roleRevoked(grant.role))
        case .personKeyRevoked(let id, let key):
            (principal, place, cause) = (id, .all, .keyRevoked(key))
        case .principalAdded, .roleGranted, .principalResumed, .tokenIssued, .tokenRenewed,
            .tokenRevoked, .nameErased, .personKeyAdded:
            return
        }
        let lapse = Approval.Lapse(cause, recorded)
        for change in openChanges.values {
            var (approvals, overrides) = (LapseRules.all, LapseRules.all)
            if case .roleRevoked(let role) = cause {
                let taken = TakenRole(role, in: place, of: principal, on: change.app, self)
                (approvals, overrides) = (taken.approvals, taken.overrides)
            }
            guard !approvals.union(overrides).isEmpty else { continue }
            openChanges[change.id]?.lapse(
                wordsOf: principal,
                lapse,
                approvals: approvals,
                overrides: overrides
            )
        }
    }

    private mutating func evolveService(_ event: ServiceEvent, _ recorded: RecordedEvent) {
        switch event {
        case .defaultAppChosen(let slug): defaultApp = slug
        case .defaultPolicyChanged(let policy):
            defaultPolicy = PolicyInForce(policy: policy, since: recorded.position, isOwn: false)
        case .freeze(let event):
            freezes.evolve(event, recorded)
            for slug in Array(appsBySlug.keys) { appsBySlug[slug]?.tell(recorded) }
        case .notificationKept(let notification): notifications.keep(notification, recorded)
        case .notificationsDropped(let marketplace, let app):
            notifications.release(of: app, in: marketplace)
        case .accountForgotten: break
        case .entryKey(let event): entryKeys.evolve(event, recorded)
        }
    }

    private mutating func evolveApp(_ slug: AppSlug, _ event: AppEvent, _ recorded: RecordedEvent) {
        switch event {
        case .appRegistered(let settings):
            appsBySlug[slug] = App(
                slug: slug,
                settings: settings,
                since: recorded.position,
                during: freezes
            )
        case .rollbackReviewOrdered, .marketplace(.withdrawalReviewOrdered):
            reviews[recorded.position] = Review(recorded, of: slug)
        case .rollbackReviewed(let position, _),
            .marketplace(.withdrawalReviewed(let position, _)):
            reviews[position] = nil
        case .rolledBack(let record):
            for id in scheduledChanges(of: slug, stoppedBy: record) {
                openChanges[id]?.suspend(.rollback)
            }
            appsBySlug[slug]?.rollBack(record, recorded)
        case .versionSharesReplaced(let platform, _):
            for change in openChanges.values where change.app == slug {
                openChanges[change.id]?.count(on: platform, by: recorded.origin.actor)
            }
            appsBySlug[slug]?.evolve(event, recorded)
        case .marketplace(.listed(let marketplace, let listing)):
            if let item = appsBySlug[marketplace]?.distribution.marketplace?.item {
                notifications.release(of: listing.item, in: item)
            }
            appsBySlug[slug]?.evolve(event, recorded)
        case .marketplace(.set(let marketplace)):
            for app in appsBySlug.values {
                guard let item = app.distribution.listings[slug]?.item else { continue }
                notifications.release(of: item, in: marketplace.item)
            }
            appsBySlug[slug]?.evolve(event, recorded)
        case .appSettingsChanged, .thresholdSet, .valueCleared, .thresholdCleared, .textSet,
            .textRemoved, .offersReplaced, .legacyOfferReplaced, .renewalOrdered, .policyChanged,
            .freeze, .releaseRegistered, .releaseAmended, .releaseWithdrawn, .packagesOffered,
            .marketplace:
            appsBySlug[slug]?.evolve(event, recorded)
        }
    }

    private mutating func evolveChange(
        _ id: ChangeID,
        _ event: ChangeEvent,
        _ recorded: RecordedEvent
    ) {
        switch event {
        case .changeProposed(let app, let title, let base):
            openChanges[id] = Change(
                id: id,
                app: app,
                title: title,
                base: base,
                author: recorded.origin.actor,
                proposedAt: recorded.recordedAt
            )
            openChangeCounts[app, default: 0] += 1
            nextChange = max(nextChange, id.next)
        case .emergencyApplied:
            guard let app = openChanges[id]?.app else { return }
            reviews[recorded.position] = Review(recorded, of: app)
        case .emergencyReviewed(let position, _): reviews[position] = nil
        case .operationsAdded(let operations):
            guard let app = openChanges[id].flatMap({ appsBySlug[$0.app] }) else { return }
            openChanges[id]?.add(operations, to: app)
        case .changeEnded(let app):
            appsBySlug[app]?.end(id, at: recorded.position, after: append?.before ?? .start)
        case .changeRevised, .changeScheduled, .changeCommented, .changesRequested,
            .changeApproved, .checkOverridden, .changeRejected, .changeWithdrawn, .changeSourced,
            .changeSuperseded, .changeApplied, .changeOvertaken, .changeSuspended:
            openChanges[id]?.evolve(event, by: recorded.origin.actor, at: recorded.recordedAt)
            close(id, at: recorded.position)
        }
    }

    /// Lets go of a change that can no longer be applied.
    private mutating func close(_ id: ChangeID, at position: Position) {
        guard let change = openChanges[id], !change.state.isOpen else { return }
        if change.state == .applied {
            let start = append?.before ?? .start
            appsBySlug[change.app]?.apply(change, at: position, after: start)
        }
        openChanges[id] = nil
        openChangeCounts[change.app, default: 1] -= 1
        closedChanges.close(change, at: revisions.removeValue(forKey: .change(id)) ?? .none)
    }
}

/// The append that the last event stands in, and what was the last position before it.
private struct AppendStart: Codable, Equatable, Sendable {
    let command: CommandID
    let before: Position
}

/// By which rules what somebody said of changes of an app rests on a role that was taken from them.
private struct TakenRole {
    let approvals: LapseRules
    let overrides: LapseRules

    /// Today that is so where it held and they had a role by it alone that is asked for; before, it
    /// was wherever the role is asked for and they do not have it.
    init(
        _ role: Role,
        in place: Scope,
        of principal: PrincipalID,
        on app: AppSlug,
        _ logState: LogState
    ) {
        let (policy, scope) = (logState.policy(of: app).policy, Scope.app(app))
        func lacks(_ role: Role) -> Bool { !logState.access.permits(principal, role, in: scope) }
        func today(_ roles: Set<Role>) -> LapseRules {
            place.covers(scope) && roles.contains { role.includes($0) && lacks($0) } ? .today : []
        }
        let asked = policy.rolesThatApprove.union(policy.rolesThatOverride).union([.approver])
        let former: LapseRules = asked.contains(role) && lacks(role) ? .former : []
        approvals = today(policy.rolesThatApprove).union(former)
        overrides = today(policy.rolesThatOverride).union(former)
    }
}
