package import PlimsollDomain
package import PlimsollJSON

/// Who agreed to a change, and how it ended, if it did.
package struct ChangeOutcome: Equatable, Sendable {
    package let approvals: [Approval]
    package let rejection: Verdict?
    package let decidedAt: Instant?
    /// What was said of it before, oldest first.
    package let remarks: [Remark]

    package init(
        approvals: [Approval] = [],
        rejection: Verdict? = nil,
        decidedAt: Instant? = nil,
        remarks: [Remark] = []
    ) {
        self.approvals = approvals
        self.rejection = rejection
        self.decidedAt = decidedAt
        self.remarks = remarks
    }

    init?(_ reader: inout ObjectReader) {
        let approvals = reader.objects("approvals", .ignored, Approval.init)
        let rejection = reader.optionalObject("rejection").flatMap { object in
            reader.nested(
                object,
                at: reader.pointer.appending("rejection"),
                .ignored,
                Verdict.init
            )
        }
        let decidedAt = reader.optionalInstant("decidedAt")
        let remarks = reader.objects("remarks", .ignored, Remark.init)
        guard let approvals, let remarks else { return nil }
        self.init(
            approvals: approvals,
            rejection: rejection,
            decidedAt: decidedAt,
            remarks: remarks
        )
    }

    func write(to json: inout JSONObject) {
        json["approvals"] = JSONValue(approvals)
        json["rejection"] = rejection.map { .object($0.json) } ?? .null
        json["decidedAt"] = JSONValue(decidedAt)
        json["remarks"] = JSONValue(remarks)
    }

    /// An approval, and why it does not count, if it does not.
    package struct Approval: Answer {
        package let verdict: Verdict
        package let void: ApprovalVoid?
        /// The counts of devices that the change was judged by then.
        package let counted: [Platform: Position]

        package var counts: Bool { void == nil }

        package init(
            _ verdict: Verdict,
            void: ApprovalVoid? = nil,
            counted: [Platform: Position] = [:]
        ) {
            self.verdict = verdict
            self.void = void
            self.counted = counted
        }

        package init?(_ reader: inout ObjectReader) {
            let verdict = Verdict(&reader)
            let void = reader.optionalNested("void", ApprovalVoid.init)
            let counted = reader.optionalCounts("counted")
            guard let verdict else { return nil }
            self.init(verdict, void: void, counted: counted ?? [:])
        }

        package var json: JSONObject {
            var json = verdict.json
            json["counts"] = .bool(counts)
            json["counted"] = .object(counted.json)
            json["void"] = void.map { .object($0.json) } ?? .null
            return json
        }
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

extension ApprovalVoid {
    fileprivate init?(_ reader: inout ObjectReader) {
        let cause = reader.name("cause", as: Cause.self)
        let by = reader.optionalPrincipal("by")
        let at = reader.optionalInstant("at")
        let reason = reader.optionalReason("reason")
        guard let cause else { return nil }
        var lapse: Lapse?
        if let by, let at { lapse = Lapse(by: by, at: at, reason: reason) }
        self.init(cause, lapse)
    }

    fileprivate var json: JSONObject {
        [
            "cause": .string(cause.rawValue), "by": JSONValue(lapse?.by.text),
            "at": JSONValue(lapse?.at), "reason": JSONValue(lapse?.reason?.text),
            "sentence": .string(sentence()),
        ]
    }
}

extension ChangeOutcome {
    /// What somebody said of a change, or did to it, before it was decided on.
    package struct Remark: Answer {
        package let kind: RemarkKind
        package let by: PrincipalID
        package let at: Instant
        /// The comment, or the reason; `nil` where none was given.
        package let text: Reason?
        /// What was overridden.
        package let check: CheckName?

        package init(
            _ kind: RemarkKind,
            by: PrincipalID,
            at: Instant,
            text: Reason?,
            check: CheckName? = nil
        ) {
            self.kind = kind
            self.by = by
            self.at = at
            self.text = text
            self.check = check
        }

        package init?(_ reader: inout ObjectReader) {
            let kind = reader.name("kind", as: RemarkKind.self)
            let by = reader.principal("by")
            let at = reader.instant("at")
            let text = reader.optionalReason("text")
            let check = reader.optionalString(
                "check",
                needing: oneOf(CheckName.self),
                CheckName.init(rawValue:)
            )
            guard let kind, let by, let at else { return nil }
            self.init(kind, by: by, at: at, text: text, check: check)
        }

        package var json: JSONObject {
            [
                "kind": .string(kind.rawValue),
                "by": .string(by.text),
                "at": JSONValue(at),
                "text": JSONValue(text?.text),
                "check": JSONValue(check?.rawValue),
            ]
        }
    }
}
