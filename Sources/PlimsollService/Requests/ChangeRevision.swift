package import PlimsollDomain

/// What is to stand in a change from now on.
package struct ChangeRevision: Equatable, Sendable {
    package let change: ChangeID
    package let seen: ChangeDigest
    /// `nil` keeps the title.
    package let title: Title?
    package let reason: Reason?
    /// The position of the documents its author looked at.
    package let base: Position
    /// In the place of all that were there.
    package let operations: [Operation]
    /// `nil` keeps the schedule.
    package let schedule: Schedule?
    /// What becomes of fields that others wrote after the base.
    package let resolve: [Field: ConflictChoice]

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        title: Title?,
        reason: Reason?,
        base: Position,
        operations: [Operation],
        schedule: Schedule? = nil,
        resolve: [Field: ConflictChoice] = [:]
    ) {
        self.change = change
        self.seen = seen
        self.title = title
        self.reason = reason
        self.base = base
        self.operations = operations
        self.schedule = schedule
        self.resolve = resolve
    }
}
