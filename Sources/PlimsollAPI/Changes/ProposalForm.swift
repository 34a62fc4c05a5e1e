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
