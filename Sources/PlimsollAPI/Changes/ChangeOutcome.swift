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

    package static let shape = Shape<Self>(
        nil,
        Self.init(approvals:rejection:decidedAt:remarks:),
        .required("approvals", \.approvals, .objects(Approval.shape)),
        .nullable("rejection", \.rejection, .object(Verdict.shape)),
        .nullable("decidedAt", \.decidedAt, .instant),
        .required("remarks", \.remarks, .objects(Remark.shape))
    )

    /// An approval, and why it does not count, if it does not.
    package struct Approval: Answer, Shaped {
        package let verdict: Verdict
        package var void: ApprovalVoid?
        /// The counts of devices that the change was judged by then.
        package let counted: [Platform: Position]
        /// What its approver signed it with; `nil` where the service alone says that they gave it.
        package let signature: PersonSignature?

        package var counts: Bool { void == nil }

        package init(
            _ verdict: Verdict,
            void: ApprovalVoid? = nil,
            counted: [Platform: Position] = [:],
            signature: PersonSignature? = nil
        ) {
            self.verdict = verdict
            self.void = void
            self.counted = counted
            self.signature = signature
        }

        package static let shape = Shape<Self>(
            "GivenApproval",
            Self.init(_:void:counted:signature:),
            .part(\.verdict, Verdict.shape),
            .nullable("void", \.void, .object(ApprovalVoid.shape)),
            .required("counted", \.counted, .keyed(.position), before: [:]),
            .nullable("signature", \.signature, .object(PersonSignature.shape))
        )
        .telling(.required("counts", \.counts, .bool))
    }

    /// Who approved it or turned it down, and with which words.
    package struct Verdict: Answer, Shaped {
        package let by: PrincipalID
        package let at: Instant
        package let comment: Reason?

        package init(by: PrincipalID, at: Instant, comment: Reason?) {
            self.by = by
            self.at = at
            self.comment = comment
        }

        package static let shape = Shape<Self>(
            "Verdict",
            Self.init(by:at:comment:),
            .required("by", \.by, .principal),
            .required("at", \.at, .instant),
            .nullable("comment", \.comment, .reason)
        )
    }
}

extension ApprovalVoid {
    package static let shape = Shape<Self>(
        nil,
        { Self($0, $1) },
        .required("cause", \.cause, .names),
        .part(\.lapse, lapseShape)
    )
    .telling(.required("sentence", \.told, .string))

    private static let lapseShape = Shape<Lapse?>(
        members: [
            .required("by", .nullable(.principal)), .required("at", .nullable(.instant)),
            .required("reason", .nullable(.reason)),
        ],
        read: { reader in
            let by = reader.optionalMember("by", .principal)
            let at = reader.optionalMember("at", .instant)
            let reason = reader.optionalMember("reason", .reason)
            guard let by, let at else { return .some(nil) }
            return Lapse(by: by, at: at, reason: reason)
        },
        write: { lapse, json in
            json["by"] = JSONValue(lapse?.by.text)
            json["at"] = JSONValue(lapse?.at)
            json["reason"] = JSONValue(lapse?.reason?.text)
        }
    )

    private var told: String { sentence() }
}

extension ChangeOutcome {
    /// What somebody said of a change, or did to it, before it was decided on.
    package struct Remark: Answer, Shaped {
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

        package static let shape = Shape<Self>(
            "Remark",
            Self.init(_:by:at:text:check:),
            .required("kind", \.kind, .names),
            .required("by", \.by, .principal),
            .required("at", \.at, .instant),
            .nullable("text", \.text, .reason),
            .nullable("check", \.check, .names)
        )
    }
}

/// `{"check": "minimumLowered", …, "severity": "refuse", "overridableBy": "approver", …}`
extension CheckResult: Answer, Shaped {
    package static let shape = Shape<Self>(
        "Check",
        { Self(finding: $0, rule: CheckRule($1, overridableBy: $2), overriddenBy: $3) },
        .part(\.finding, CheckFinding.shape),
        .required("severity", \.rule.severity, .names),
        .nullable("overridableBy", \.rule.overridableBy, .names),
        .nullable("overriddenBy", \.overriddenBy, .principal)
    )
}

/// `{"check": "textsEqual", "field": "ios.minimumOS.description.en", "sentence": "…"}`
extension CheckFinding: Answer, Shaped {
    package static let shape = Shape<Self>(
        "CheckFinding",
        { Self($0, $1, $2) },
        .required("check", \.check, .names),
        .required("field", \.field, .field),
        .required("sentence", \.sentence, .string)
    )
}

/// The body of `POST /v1/changes/{id}/override`: why what a check found is right.
package struct OverrideForm: Form, Shaped {
    package let check: CheckName
    package let reason: Reason

    package init(check: CheckName, reason: Reason) {
        self.check = check
        self.reason = reason
    }

    package static let shape = Shape<Self>(
        "Override",
        Self.init(check:reason:),
        .required("check", \.check, .names),
        .required("reason", \.reason, .reason)
    )
}
