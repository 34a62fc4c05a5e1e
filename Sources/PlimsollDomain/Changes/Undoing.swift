/// The rollback that took an applied change back as a whole.
package struct Undoing: Equatable, Sendable {
    /// The position of its `rolledBack`.
    package let position: Position
    package let actor: PrincipalID
    package let at: Instant
    package let reason: Reason?

    package init(position: Position, actor: PrincipalID, at: Instant, reason: Reason?) {
        self.position = position
        self.actor = actor
        self.at = at
        self.reason = reason
    }

    init(_ recorded: RecordedEvent) {
        self.init(
            position: recorded.position,
            actor: recorded.origin.actor,
            at: recorded.recordedAt,
            reason: recorded.origin.reason
        )
    }
}
