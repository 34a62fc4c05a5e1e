/// Where a rollback went.
package struct RollbackRecord: Equatable, Sendable {
    /// The position whose state was restored.
    package let target: Position
    /// How the person named the target.
    package let request: RollbackTarget
    package let platforms: [Platform]

    package init(target: Position, request: RollbackTarget, platforms: [Platform]) {
        self.target = target
        self.request = request
        self.platforms = platforms
    }
}

/// A state to return to, as a person names it.
package enum RollbackTarget: Equatable, Sendable {
    /// The state after the last whole append that ends at or before the event.
    case event(Position)
    /// The state at a moment.
    case time(Instant)
    /// The state just before a change was applied.
    case beforeChange(ChangeID)
}
