/// A change in a list: what it is called and where it stands.
package struct ChangeSummary: Equatable, Sendable {
    package let id: ChangeID
    package let app: AppSlug
    package var title: Title
    package let author: PrincipalID
    package var state: ChangeState
    package var base: Position
    package let proposedAt: Instant
    /// The last position of the append that brought it into this state.
    package let position: Position
    /// Whether others wrote some of its fields after its base, while it is open.
    package var isInConflict: Bool
    /// The rollback that took it back as a whole, after it was applied.
    package var undoing: Undoing?
    /// When it is to come into force and to end, while it is open.
    package var schedule: Schedule?
    /// Why it was not applied at its time.
    package var suspension: SuspensionCause?

    package init(
        id: ChangeID,
        app: AppSlug,
        title: Title,
        author: PrincipalID,
        state: ChangeState,
        base: Position,
        proposedAt: Instant,
        position: Position,
        isInConflict: Bool = false,
        undoing: Undoing? = nil,
        schedule: Schedule? = nil,
        suspension: SuspensionCause? = nil
    ) {
        self.id = id
        self.app = app
        self.title = title
        self.author = author
        self.state = state
        self.base = base
        self.proposedAt = proposedAt
        self.position = position
        self.isInConflict = isInConflict
        self.undoing = undoing
        self.schedule = schedule
        self.suspension = suspension
    }
}
