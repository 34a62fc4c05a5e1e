package import PlimsollDomain

/// What does not change for now, since when, who wanted it, and why.
package struct FreezeView: Equatable, Sendable {
    package let scope: Scope
    package let by: PrincipalID
    package let since: Instant
    package let reason: Reason?

    package init(scope: Scope, by: PrincipalID, since: Instant, reason: Reason?) {
        self.scope = scope
        self.by = by
        self.since = since
        self.reason = reason
    }

    init(_ freeze: Freeze, of app: AppSlug) {
        self.init(
            scope: freeze.isOfEverything ? .all : .app(app),
            by: freeze.by,
            since: freeze.since,
            reason: freeze.reason
        )
    }

    init(_ started: RecordedEvent, of scope: Scope) {
        self.init(
            scope: scope,
            by: started.origin.actor,
            since: started.recordedAt,
            reason: started.origin.reason
        )
    }
}
