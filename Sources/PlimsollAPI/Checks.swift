package import PlimsollDomain
import PlimsollJSON

/// What a check found in a change, and what follows by the policy.
package struct CheckAnswer: Answer, Shaped {
    package let finding: CheckFinding
    package let severity: CheckRule.Severity
    package let overridableBy: Role?
    package let overriddenBy: PrincipalID?

    package init(
        finding: CheckFinding,
        severity: CheckRule.Severity = .warn,
        overridableBy: Role? = nil,
        overriddenBy: PrincipalID? = nil
    ) {
        self.finding = finding
        self.severity = severity
        self.overridableBy = overridableBy
        self.overriddenBy = overriddenBy
    }

    package static let shape = Shape<Self>(
        "Check",
        Self.init(finding:severity:overridableBy:overriddenBy:),
        .part(\.finding, CheckFinding.shape),
        .required("severity", \.severity, .names),
        .nullable("overridableBy", \.overridableBy, .names),
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
