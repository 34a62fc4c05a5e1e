/// Since when nothing but rollbacks and emergencies applies, who wanted it, and why.
package struct Freeze: Equatable, Sendable {
    package let position: Position
    package let by: PrincipalID
    package let since: Instant
    package let reason: Reason?
    /// Whether every app is frozen, not this one.
    package let isOfEverything: Bool

    package init(_ recorded: RecordedEvent, isOfEverything: Bool) {
        position = recorded.position
        by = recorded.origin.actor
        since = recorded.recordedAt
        reason = recorded.origin.reason
        self.isOfEverything = isOfEverything
    }
}
