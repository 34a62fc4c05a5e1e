/// What follows where a check finds something.
package struct CheckRule: Hashable, Sendable {
    package let severity: Severity
    /// Who may say why it is right all the same; of a refusal without a role nobody may.
    package let overridableBy: Role?

    /// Whether a change that looks like a mistake goes on.
    package enum Severity: String, CaseIterable, Sendable {
        /// It is told, and whoever approves has seen it.
        case warn
        /// It does not apply as it is.
        case refuse
    }

    /// What holds of most checks that a policy does not speak of: see ``CheckName/usualRule``.
    package static let warning = CheckRule(.warn)

    package init(_ severity: Severity, overridableBy role: Role? = nil) {
        self.severity = severity
        overridableBy = role
    }
}

/// Somebody's word that what a check found is right.
package struct CheckOverride: Equatable, Sendable {
    package let check: CheckName
    package let by: PrincipalID
    /// What they saw; if the change has another digest now, they spoke of something else.
    package let digest: ChangeDigest
    /// Whether what the check looks at was counted anew since.
    var isOutdated = false
}

/// What a check found in a change, and what follows by the policy.
package struct CheckResult: Equatable, Sendable {
    package let finding: CheckFinding
    package let rule: CheckRule
    /// Who said that it is right, and may.
    package let overriddenBy: PrincipalID?

    /// Whether it keeps the change from applying.
    package var isRefused: Bool { rule.severity == .refuse && overriddenBy == nil }
}
