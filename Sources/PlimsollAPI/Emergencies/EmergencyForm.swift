package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/apps/{app}/emergency`: a proposal that comes into force at once.
///
/// Without `base` it is based on what is live; without `owner` whoever acts sees to the review.
package struct EmergencyForm: Form {
    package let title: Title
    package let reason: Reason
    package let incident: Title
    package let owner: PrincipalID?
    package let base: Position?
    package let operations: [Operation]

    package init(
        title: Title,
        reason: Reason,
        incident: Title,
        owner: PrincipalID? = nil,
        base: Position? = nil,
        operations: [Operation]
    ) {
        self.title = title
        self.reason = reason
        self.incident = incident
        self.owner = owner
        self.base = base
        self.operations = operations
    }

    package init?(_ reader: inout ObjectReader) {
        let title = reader.title("title")
        let reason = reader.reason("reason")
        let incident = reader.title("incident")
        let owner = reader.optionalPrincipal("owner")
        let base = reader.optionalPosition("base")
        let operations = reader.objects("operations", .refused, Operation.init)
        guard let title, let reason, let incident, let operations else { return nil }
        self.init(
            title: title,
            reason: reason,
            incident: incident,
            owner: owner,
            base: base,
            operations: operations
        )
    }

    package var json: JSONObject {
        [
            "title": .string(title.text),
            "reason": .string(reason.text),
            "incident": .string(incident.text),
            "owner": JSONValue(owner?.text),
            "base": JSONValue(base),
            "operations": JSONValue(operations),
        ]
    }
}
