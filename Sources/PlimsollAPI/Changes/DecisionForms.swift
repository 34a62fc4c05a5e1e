package import PlimsollDomain
package import PlimsollJSON

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
