/// What became of an applied change whose time is limited.
///
/// Its beginning and its end are two events that belong together: this names both.
package struct ChangeTerm: Equatable, Sendable {
    package let state: State
    /// The position of its `changeApplied`.
    package let applied: Position
    /// The position of its `changeEnded`, once it has ended.
    package let ended: Position?
    package let endedAt: Instant?

    package init(state: State, applied: Position, ended: Position? = nil, endedAt: Instant? = nil) {
        self.state = state
        self.applied = applied
        self.ended = ended
        self.endedAt = endedAt
    }

    /// Whether its fields still go back by themselves.
    package enum State: String, CaseIterable, Sendable {
        /// At its time they do.
        case running
        /// They have.
        case ended
        /// A rollback took it back before: nothing is left to end, unless another brings it back.
        case undone
    }
}
