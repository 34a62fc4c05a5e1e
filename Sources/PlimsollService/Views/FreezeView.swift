package import PlimsollDomain

/// What does not change for now, since when, who wanted it, and why.
package struct FreezeView: Equatable, Sendable {
    package let scope: Scope
    package let by: PrincipalID
    package let since: Instant
    /// When it ends by itself, where it was planned.
    package let until: Instant?
    package let reason: Reason?

    init(_ freeze: Freeze, of app: AppSlug) {
        scope = freeze.isOfEverything ? .all : .app(app)
        (by, since, until, reason) = (freeze.by, freeze.since, freeze.until, freeze.reason)
    }

    /// Of everything.
    init(_ freeze: Freeze) {
        scope = .all
        (by, since, until, reason) = (freeze.by, freeze.since, freeze.until, freeze.reason)
    }

    init(_ started: RecordedEvent, of scope: Scope) {
        self.scope = scope
        (by, since) = (started.origin.actor, started.recordedAt)
        (until, reason) = (nil, started.origin.reason)
    }
}

/// A freeze that is planned, by the position of the event that planned it.
package struct FreezePlanView: Equatable, Sendable {
    /// `nil` where it was only tried.
    package let id: Position?
    package let scope: Scope
    package let window: FreezeWindow
    package let by: PrincipalID
    package let reason: Reason?

    init(_ plan: FreezePlan, of app: AppSlug) {
        self.init(plan, in: plan.isOfEverything ? .all : .app(app))
    }

    init(_ plan: FreezePlan, in scope: Scope, isReal: Bool = true) {
        id = isReal ? plan.id : nil
        self.scope = scope
        (window, by, reason) = (plan.window, plan.by, plan.reason)
    }
}

/// What freezes an app, or everything, now, and what is planned to.
package struct FreezesView: Equatable, Sendable {
    package let current: FreezeView?
    package let plans: [FreezePlanView]
}
