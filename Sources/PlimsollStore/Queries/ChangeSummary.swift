package import PlimsollDomain

/// A change in a list.
package struct ChangeSummary: Equatable, Sendable {
    package let id: ChangeID
    package let app: AppSlug
    package let title: Title
    package let author: PrincipalID
    package let state: ChangeState
    package let base: Position
    package let proposedAt: Instant
    package let position: Position
    /// Whether others wrote some of its fields after its base, while it is open.
    package private(set) var isInConflict = false
    /// The rollback that took it back as a whole, after it was applied.
    package private(set) var undoing: Undoing?
    /// When it is to come into force and to end, while it is open.
    package private(set) var schedule: Schedule?

    /// The same change, of which somebody knows better how it stands.
    package func standing(
        _ state: ChangeState,
        isInConflict: Bool,
        _ schedule: Schedule? = nil
    ) -> ChangeSummary {
        var summary = ChangeSummary(
            id: id,
            app: app,
            title: title,
            author: author,
            state: state,
            base: base,
            proposedAt: proposedAt,
            position: position
        )
        summary.isInConflict = isInConflict
        summary.schedule = schedule
        return summary
    }

    /// The same change, which a rollback has taken back, or none has.
    package func undone(by undoing: Undoing?) -> ChangeSummary {
        var summary = self
        summary.undoing = undoing
        return summary
    }

    package init(
        id: ChangeID,
        app: AppSlug,
        title: Title,
        author: PrincipalID,
        state: ChangeState,
        base: Position,
        proposedAt: Instant,
        position: Position
    ) {
        self.id = id
        self.app = app
        self.title = title
        self.author = author
        self.state = state
        self.base = base
        self.proposedAt = proposedAt
        self.position = position
    }
}

/// Which changes are wanted, newest first; what is empty or `nil` does not narrow them.
package struct ChangeQuery: Equatable, Sendable {
    package let app: AppSlug
    package var states: [ChangeState] = []
    /// The open changes that are wanted, where somebody knows better than the read models how they
    /// stand; `states` then says which others are.
    package var open: [ChangeID]?
    /// The end of an append at which the changes are looked at; `nil` for now.
    package var end: Position?
    /// The change behind which to go on.
    package var after: ChangeID?
    package var limit = 50

    package static let limitMaximum = 500

    package init(app: AppSlug) {
        self.app = app
    }
}
