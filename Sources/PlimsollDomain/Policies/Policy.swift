/// Who has to agree to what, for an app or as the default of all.
///
/// A policy can ask for much, but never for an approval before a rollback or an emergency, and
/// never let an author approve: neither can be written down.
package struct Policy: Equatable, Sendable {
    package let rules: [ChangeKind: ApprovalRule]
    /// What is looked at again after an emergency.
    package let emergencyReview: ReviewRule
    /// What is looked at again after a rollback, if anything is.
    package let rollbackReview: ReviewRule?
    /// How late a schedule may be applied that came due while nothing ran.
    package let graceSeconds: Int64
    /// What follows where a check finds something; what is left out is as ``CheckName/usualRule``
    /// has it.
    package let checks: [CheckName: CheckRule]
    /// How long a store has to have had a release until people may be told to install it.
    package let storeSeconds: Int64
    /// Of how many of a hundred counted devices a change may take the app away without being named
    /// for it; `nil` is any number.
    package let blockedPercentMaximum: Int64?
    /// Who may say which releases there are.
    package let releases: FactRule
    /// Who may say on how many devices which versions run.
    package let shares: FactRule

    /// Look-ups of stores lag by hours, on some days by a whole one.
    package static let storeSecondsUsual: Int64 = 86_400

    package init(
        rules: [ChangeKind: ApprovalRule],
        emergencyReview: ReviewRule,
        rollbackReview: ReviewRule?,
        graceSeconds: Int64,
        checks: [CheckName: CheckRule] = [:],
        storeSeconds: Int64 = Policy.storeSecondsUsual,
        blockedPercentMaximum: Int64? = nil,
        releases: FactRule = .usual,
        shares: FactRule = .usual
    ) {
        self.rules = rules
        self.emergencyReview = emergencyReview
        self.rollbackReview = rollbackReview
        self.graceSeconds = graceSeconds
        self.checks = checks
        self.storeSeconds = storeSeconds
        self.blockedPercentMaximum = blockedPercentMaximum
        self.releases = releases
        self.shares = shares
    }

    /// What holds where no policy was ever applied: one other person approves.
    package static let builtIn = Policy(
        rules: Dictionary(
            uniqueKeysWithValues: ChangeKind.allCases.map {
                ($0, ApprovalRule(requirements: [ApprovalRequirement(1, of: .approver)]))
            }
        ),
        emergencyReview: ReviewRule(role: .approver, withinSeconds: 86_400),
        rollbackReview: nil,
        graceSeconds: 900
    )

    package func rule(for check: CheckName) -> CheckRule { checks[check] ?? check.usualRule }

    /// The roles whose word counts for or against a change.
    var rolesThatDecide: Set<Role> {
        let asked = ChangeKind.allCases.flatMap { rule(for: $0).requirements.map(\.role) }
        let overriders = CheckName.allCases.compactMap { rule(for: $0).overridableBy }
        return Set(asked + overriders + [.approver])
    }

    /// The rule for a kind; a policy that leaves one out asks for what the built-in one does.
    package func rule(for kind: ChangeKind) -> ApprovalRule {
        rules[kind] ?? Policy.builtIn.rules[kind] ?? ApprovalRule(requirements: [])
    }
}

/// Who looks at what was done in a hurry, and until when.
package struct ReviewRule: Equatable, Sendable {
    package let role: Role
    package let withinSeconds: Int64

    package init(role: Role, withinSeconds: Int64) {
        self.role = role
        self.withinSeconds = withinSeconds
    }
}

/// The policy in force, and the event that made it so.
package struct PolicyInForce: Equatable, Sendable {
    package let policy: Policy
    /// The position of its event; `nil` for the built-in one.
    package let since: Position?
    /// Whether it is the app's own, not the default of all.
    package let isOwn: Bool

    package init(policy: Policy, since: Position?, isOwn: Bool) {
        self.policy = policy
        self.since = since
        self.isOwn = isOwn
    }
}
