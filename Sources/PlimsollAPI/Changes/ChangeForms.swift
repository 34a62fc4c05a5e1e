package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/apps/{app}/changes`.
///
/// `base` is required: it is the position of the document that the author looked at, and it is
/// what keeps a change from silently undoing somebody else's.
package struct ProposalForm: Form {
    package let title: Title
    package let reason: Reason?
    package let base: Position
    package let operations: [Operation]
    package let schedule: Schedule?
    /// What it is made of, such as a repository and a path; open changes that its author made of the
    /// same are superseded.
    package let source: Title?

    package init(
        title: Title,
        reason: Reason?,
        base: Position,
        operations: [Operation],
        schedule: Schedule? = nil,
        source: Title? = nil
    ) {
        self.title = title
        self.reason = reason
        self.base = base
        self.operations = operations
        self.schedule = schedule
        self.source = source
    }

    package init?(_ reader: inout ObjectReader) {
        let title = reader.title("title")
        let reason = reader.optionalReason("reason")
        let base = reader.position("base")
        let operations = reader.objects("operations", .refused, Operation.init)
        let schedule = reader.optionalObject("schedule", Schedule.init)
        let source = reader.optionalTitle("source")
        guard let title, let base, let operations else { return nil }
        self.init(
            title: title,
            reason: reason,
            base: base,
            operations: operations,
            schedule: schedule,
            source: source
        )
    }

    package var json: JSONObject {
        [
            "title": .string(title.text),
            "reason": JSONValue(reason?.text),
            "base": JSONValue(base),
            "operations": JSONValue(operations),
            "schedule": schedule.map { .object($0.json) } ?? .null,
            "source": JSONValue(source?.text),
        ]
    }
}

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

/// The body of `POST /v1/changes/{id}/approve`; an empty body is an approval without a comment.
package struct ApprovalForm: Form {
    package let comment: Reason?
    /// The counts of devices that were seen with the change; `nil` says nothing of them.
    ///
    /// Where others are there by now the approval is refused.
    package let counted: [Platform: Position]?

    package init(comment: Reason? = nil, counted: [Platform: Position]? = nil) {
        (self.comment, self.counted) = (comment, counted)
    }

    package init?(_ reader: inout ObjectReader) {
        let comment = reader.optionalReason("comment")
        self.init(comment: comment, counted: reader.optionalCounts("counted"))
    }

    package var json: JSONObject {
        var json: JSONObject = ["comment": JSONValue(comment?.text)]
        json["counted"] = counted.map { .object($0.json) }
        return json
    }
}

/// The body of `POST /v1/changes/{id}/reject`: nobody is turned down without a reason.
package struct RejectionForm: Form {
    package let reason: Reason

    package init(reason: Reason) { self.reason = reason }

    package init?(_ reader: inout ObjectReader) {
        guard let reason = reader.reason("reason") else { return nil }
        self.init(reason: reason)
    }

    package var json: JSONObject { ["reason": .string(reason.text)] }
}

/// The body of a request that says all with its address; an empty body does.
package struct EmptyForm: Form {
    package init() {}

    package init?(_ reader: inout ObjectReader) {}

    package var json: JSONObject { [:] }
}
