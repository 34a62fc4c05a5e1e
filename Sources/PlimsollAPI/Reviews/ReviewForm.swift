package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/reviews/{position}/close`; whoever objects says to what.
package struct ReviewForm: Form {
    package let verdict: ReviewVerdict

    package init(verdict: ReviewVerdict) { self.verdict = verdict }

    package init?(_ reader: inout ObjectReader) {
        let outcome = reader.name("outcome", as: ReviewVerdict.Outcome.self)
        let comment =
            outcome == .objected ? reader.reason("comment") : reader.optionalReason("comment")
        guard let outcome, outcome == .confirmed || comment != nil else { return nil }
        self.init(verdict: ReviewVerdict(outcome, comment: comment))
    }

    package var json: JSONObject {
        [
            "outcome": .string(verdict.outcome.rawValue),
            "comment": JSONValue(verdict.comment?.text),
        ]
    }
}
