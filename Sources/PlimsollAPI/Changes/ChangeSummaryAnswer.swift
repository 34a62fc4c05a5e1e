package import PlimsollDomain
package import PlimsollJSON

/// A change in a list: what it is called and where it stands.
package struct ChangeSummaryAnswer: Answer {
    package let id: ChangeID
    package let app: AppSlug
    package let title: Title
    package let author: PrincipalID
    package let state: ChangeState
    package let base: Position
    package let proposedAt: Instant
    /// The last position of the append that brought it into this state.
    package let position: Position
    /// Whether others wrote some of its fields after its base, while it is open.
    package let isInConflict: Bool
    /// The rollback that took it back as a whole, after it was applied.
    package let undoing: Undoing?
    /// When it is to come into force and to end, while it is open.
    package let schedule: ScheduleAnswer?

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
        schedule: Schedule? = nil
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
        self.schedule = schedule.map(ScheduleAnswer.init)
    }

    package init?(_ reader: inout ObjectReader) {
        let id = reader.change("id")
        let app = reader.slug("app")
        let title = reader.title("title")
        let author = reader.principal("author")
        let state = reader.name("state", as: ChangeState.self)
        let base = reader.position("base")
        let proposedAt = reader.instant("proposedAt")
        let position = reader.position("position")
        let isInConflict = reader.bool("inConflict")
        let undoing = reader.optionalNested("undoneBy", Undoing.init)
        let schedule = reader.optionalNested("schedule", ScheduleAnswer.init)
        guard
            let id, let app, let title, let author, let state, let base, let proposedAt,
            let position, let isInConflict
        else { return nil }
        self.init(
            id: id,
            app: app,
            title: title,
            author: author,
            state: state,
            base: base,
            proposedAt: proposedAt,
            position: position,
            isInConflict: isInConflict,
            undoing: undoing,
            schedule: schedule?.schedule
        )
    }

    package var json: JSONObject {
        [
            "id": .string(id.description),
            "app": .string(app.text),
            "title": .string(title.text),
            "author": .string(author.text),
            "state": .string(state.rawValue),
            "base": JSONValue(base),
            "proposedAt": JSONValue(proposedAt),
            "position": JSONValue(position),
            "inConflict": .bool(isInConflict),
            "undoneBy": undoing.map { .object($0.json) } ?? .null,
            "schedule": schedule.map { .object($0.json) } ?? .null,
        ]
    }
}
