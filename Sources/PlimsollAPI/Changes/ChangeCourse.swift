package import PlimsollDomain
package import PlimsollJSON

/// When a change comes into force, what keeps it from doing so, and when it ends.
package struct ChangeCourse: Equatable, Sendable {
    package let schedule: ScheduleAnswer?
    /// Why it was not applied at its time.
    package let suspension: SuspensionCause?
    /// What became of it once it was applied, if its time is limited.
    package let term: ChangeTerm?
    /// What the policy still asks for, and who could give it.
    package let missing: [MissingAnswer]
    /// What it will ask for at its time, because approvals that count now will have ended.
    package let missingAtTime: [MissingApproval]
    /// The planned freeze that its time falls into: it will not come into force then.
    package let freezeAtTime: FreezePlanAnswer?

    package init(
        schedule: Schedule? = nil,
        suspension: SuspensionCause? = nil,
        term: ChangeTerm? = nil,
        missing: [MissingAnswer] = [],
        missingAtTime: [MissingApproval] = [],
        freezeAtTime: FreezePlanAnswer? = nil
    ) {
        self.schedule = schedule.map(ScheduleAnswer.init)
        self.suspension = suspension
        self.term = term
        self.missing = missing
        self.missingAtTime = missingAtTime
        self.freezeAtTime = freezeAtTime
    }

    init?(_ reader: inout ObjectReader) {
        schedule = reader.optionalNested("schedule", ScheduleAnswer.init)
        suspension = reader.optionalNested("suspension", SuspensionCause.init)
        term = reader.optionalNested("term", ChangeTerm.init)
        let missing = reader.objects("missing", .ignored, MissingAnswer.init)
        let later = reader.objects("missingAtTime", .ignored, MissingApproval.init)
        freezeAtTime = reader.optionalNested("freezeAtTime", FreezePlanAnswer.init)
        guard let missing, let later else { return nil }
        (self.missing, missingAtTime) = (missing, later)
    }

    func write(to json: inout JSONObject) {
        json["schedule"] = schedule.map { .object($0.json) } ?? .null
        json["suspension"] = suspension.map { .object($0.json) } ?? .null
        json["term"] = term.map { .object($0.json) } ?? .null
        json["missing"] = JSONValue(missing)
        json["missingAtTime"] = .array(missingAtTime.map { .object($0.json) })
        json["freezeAtTime"] = freezeAtTime.map { .object($0.json) } ?? .null
    }
}

/// What the policy still asks for, and who could give it, by name.
package struct MissingAnswer: Answer {
    package let missing: MissingApproval
    package let couldGive: [PersonAnswer]

    package init(_ missing: MissingApproval, couldGive: [PersonAnswer]) {
        (self.missing, self.couldGive) = (missing, couldGive)
    }

    package init?(_ reader: inout ObjectReader) {
        let missing = MissingApproval(&reader)
        let people = reader.objects("couldGive", .ignored, PersonAnswer.init)
        guard let missing, let people else { return nil }
        self.init(missing, couldGive: people)
    }

    package var json: JSONObject {
        var json = missing.json
        json["couldGive"] = JSONValue(couldGive)
        return json
    }
}

/// Somebody, and what they are called.
package struct PersonAnswer: Answer {
    package let id: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?

    package init(id: PrincipalID, name: String?) { (self.id, self.name) = (id, name) }

    package init?(_ reader: inout ObjectReader) {
        let id = reader.principal("id")
        let name = reader.optionalString("name")
        guard let id else { return nil }
        self.init(id: id, name: name)
    }

    package var json: JSONObject { ["id": .string(id.text), "name": JSONValue(name)] }
}

extension MissingApproval {
    fileprivate init?(_ reader: inout ObjectReader) {
        let kind = reader.string(
            "rule",
            needing: oneOf(ChangeKind.self),
            ChangeKind.init(rawValue:)
        )
        let requirement = ApprovalRequirement(&reader)
        let have = reader.integer("have")
        guard let kind, let requirement, let have else { return nil }
        self.init(kind: kind, requirement: requirement, have: Int(clamping: have))
    }

    fileprivate var json: JSONObject {
        var json = requirement.json
        json["rule"] = .string(kind.rawValue)
        json["have"] = .integer(Int64(have))
        return json
    }
}

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

/// A part of an app's changes, newest first, and where the next part begins.
package struct ChangeList: Answer {
    package let changes: [ChangeSummaryAnswer]
    /// The cursor of the next part; `nil` where the list has come to its end.
    package let next: String?

    package init(changes: [ChangeSummaryAnswer], next: String?) {
        self.changes = changes
        self.next = next
    }

    package init?(_ reader: inout ObjectReader) {
        let changes = reader.objects("changes", .ignored, ChangeSummaryAnswer.init)
        let next = reader.optionalString("next")
        guard let changes else { return nil }
        self.init(changes: changes, next: next)
    }

    package var json: JSONObject {
        ["changes": JSONValue(changes), "next": JSONValue(next)]
    }
}
