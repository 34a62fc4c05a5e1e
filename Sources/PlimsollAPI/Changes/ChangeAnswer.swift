package import PlimsollDomain
package import PlimsollJSON

/// A change, as every resource of changes answers it: the members of its summary and these.
package struct ChangeAnswer: Answer {
    package let summary: ChangeSummaryAnswer
    package let reason: Reason?
    package let operations: [Operation]
    /// Each field before and after: against what is live while the change is open, as it was
    /// decided on afterwards.
    package let effect: [FieldChange]
    /// What an approval has to name; `nil` once the change was withdrawn.
    package let digest: ChangeDigest?
    package let outcome: ChangeOutcome

    package init(
        summary: ChangeSummaryAnswer,
        reason: Reason?,
        operations: [Operation],
        effect: [FieldChange],
        digest: ChangeDigest?,
        outcome: ChangeOutcome
    ) {
        self.summary = summary
        self.reason = reason
        self.operations = operations
        self.effect = effect
        self.digest = digest
        self.outcome = outcome
    }

    package init?(_ reader: inout ObjectReader) {
        let summary = ChangeSummaryAnswer(&reader)
        let reason = reader.optionalReason("reason")
        let operations = reader.objects("operations", .ignored, Operation.init)
        let effect = reader.objects("effect", .ignored, FieldChange.init)
        let digest = reader.optionalString(
            "digest",
            needing: "64 hexadecimal digits",
            ChangeDigest.init(hex:)
        )
        let outcome = ChangeOutcome(&reader)
        guard let summary, let operations, let effect, let outcome else { return nil }
        self.init(
            summary: summary,
            reason: reason,
            operations: operations,
            effect: effect,
            digest: digest,
            outcome: outcome
        )
    }

    package var json: JSONObject {
        var json = summary.json
        json["reason"] = JSONValue(reason?.text)
        json["operations"] = JSONValue(operations)
        json["effect"] = JSONValue(effect)
        json["digest"] = JSONValue(digest?.hex)
        outcome.write(to: &json)
        return json
    }
}

/// How a change ended, if it did.
package struct ChangeOutcome: Equatable, Sendable {
    package let approvals: [Verdict]
    package let rejection: Verdict?
    package let decidedAt: Instant?

    package init(
        approvals: [Verdict] = [],
        rejection: Verdict? = nil,
        decidedAt: Instant? = nil
    ) {
        self.approvals = approvals
        self.rejection = rejection
        self.decidedAt = decidedAt
    }

    init?(_ reader: inout ObjectReader) {
        let approvals = reader.objects("approvals", .ignored, Verdict.init)
        let rejection = reader.optionalObject("rejection").flatMap { object in
            reader.nested(
                object,
                at: reader.pointer.appending("rejection"),
                .ignored,
                Verdict.init
            )
        }
        let decidedAt = reader.optionalInstant("decidedAt")
        guard let approvals else { return nil }
        self.init(approvals: approvals, rejection: rejection, decidedAt: decidedAt)
    }

    func write(to json: inout JSONObject) {
        json["approvals"] = JSONValue(approvals)
        json["rejection"] = rejection.map { .object($0.json) } ?? .null
        json["decidedAt"] = JSONValue(decidedAt)
    }

    /// Who approved it or turned it down, and with which words.
    package struct Verdict: Answer {
        package let by: PrincipalID
        package let at: Instant
        package let comment: Reason?

        package init(by: PrincipalID, at: Instant, comment: Reason?) {
            self.by = by
            self.at = at
            self.comment = comment
        }

        package init?(_ reader: inout ObjectReader) {
            let by = reader.principal("by")
            let at = reader.instant("at")
            let comment = reader.optionalReason("comment")
            guard let by, let at else { return nil }
            self.init(by: by, at: at, comment: comment)
        }

        package var json: JSONObject {
            [
                "by": .string(by.text),
                "at": JSONValue(at),
                "comment": JSONValue(comment?.text),
            ]
        }
    }
}
