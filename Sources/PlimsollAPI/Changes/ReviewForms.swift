package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/changes/{id}/comment`.
package struct CommentForm: Form {
    package let comment: Reason

    package init(comment: Reason) { self.comment = comment }

    package init?(_ reader: inout ObjectReader) {
        guard let comment = reader.reason("comment") else { return nil }
        self.init(comment: comment)
    }

    package var json: JSONObject { ["comment": .string(comment.text)] }
}

/// The body of `POST /v1/changes/{id}/revise`: its operations take the place of all that were there.
package struct RevisionForm: Form {
    /// `nil` keeps the title.
    package let title: Title?
    package let reason: Reason?
    package let base: Position
    package let operations: [Operation]
    /// `nil` keeps the schedule.
    package let schedule: Schedule?
    /// What becomes of fields that others wrote after the base.
    package let resolve: [Field: ConflictChoice]

    package init(
        title: Title?,
        reason: Reason?,
        base: Position,
        operations: [Operation],
        schedule: Schedule? = nil,
        resolve: [Field: ConflictChoice] = [:]
    ) {
        self.title = title
        self.reason = reason
        self.base = base
        self.operations = operations
        self.schedule = schedule
        self.resolve = resolve
    }

    package init?(_ reader: inout ObjectReader) {
        let title = reader.optionalTitle("title")
        let reason = reader.optionalReason("reason")
        let base = reader.position("base")
        let operations = reader.objects("operations", .refused, Operation.init)
        let schedule = reader.optionalObject("schedule", Schedule.init)
        let resolve = reader.optionalObject("resolve", Self.resolution)
        guard let base, let operations else { return nil }
        self.init(
            title: title,
            reason: reason,
            base: base,
            operations: operations,
            schedule: schedule,
            resolve: resolve ?? [:]
        )
    }

    private static func resolution(
        _ reader: inout ObjectReader
    ) -> [Field: ConflictChoice]? {
        var choices: [Field: ConflictChoice] = [:]
        for path in reader.object.keys {
            guard let field = Field(path: path) else {
                _ = reader.value(path)
                reader.refuse(path, "\"\(path)\" is no field; it needs to be \(Field.grammar).")
                continue
            }
            choices[field] = reader.name(path, as: ConflictChoice.self)
        }
        return choices
    }

    private var resolution: JSONObject {
        var json: JSONObject = [:]
        for (field, choice) in resolve.sorted(by: { $0.key < $1.key }) {
            json[field.path] = .string(choice.rawValue)
        }
        return json
    }

    package var json: JSONObject {
        [
            "title": JSONValue(title?.text),
            "reason": JSONValue(reason?.text),
            "base": JSONValue(base),
            "operations": JSONValue(operations),
            "schedule": schedule.map { .object($0.json) } ?? .null,
            "resolve": resolve.isEmpty ? .null : .object(resolution),
        ]
    }
}
