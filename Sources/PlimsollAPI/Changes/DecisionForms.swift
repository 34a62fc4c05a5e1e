package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/changes/{id}/approve`; an empty body is an approval without a comment.
package struct ApprovalForm: Form {
    package let comment: Reason?

    package init(comment: Reason? = nil) { self.comment = comment }

    package init?(_ reader: inout ObjectReader) {
        self.init(comment: reader.optionalReason("comment"))
    }

    package var json: JSONObject { ["comment": JSONValue(comment?.text)] }
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
