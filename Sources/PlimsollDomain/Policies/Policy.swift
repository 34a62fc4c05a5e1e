/// Who has to agree to what, for an app or as the default of all.
///
/// A policy can ask for much, but never for an approval before a rollback or an emergency, and
/// never let an author approve: neither can be written down.
package struct Policy: Codable, Equatable, Sendable {
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

    /// The roles that are asked to approve something.
    var rolesThatApprove: Set<Role> {
        Set(ChangeKind.allCases.flatMap { rule(for: $0).requirements.map(\.role) })
    }

    /// The roles that may override what some check finds.
    var rolesThatOverride: Set<Role> {
        Set(CheckName.allCases.compactMap { rule(for: $0).overridableBy })
    }

    /// The rule for a kind; a policy that leaves one out asks for what the built-in one does.
    package func rule(for kind: ChangeKind) -> ApprovalRule {
        rules[kind] ?? Policy.builtIn.rules[kind] ?? ApprovalRule(requirements: [])
    }
}

/// Who looks at what was done in a hurry, and until when.
package struct ReviewRule: Codable, Equatable, Sendable {
    package let role: Role
    package let withinSeconds: Int64

    package init(role: Role, withinSeconds: Int64) {
        self.role = role
        self.withinSeconds = withinSeconds
    }
}

/// The policy in force, and the event that made it so.
package struct PolicyInForce: Codable, Equatable, Sendable {
    package let policy: Policy
    /// The position of its event; `nil` for the built-in one.
    package let since: Position?
    /// Whether it is the app's own, not the default of all.
    package let isOwn: Bool
}

/// What a policy asks for that nobody can give, as people and roles are now.
///
/// It is no objection: people may be let in after the policy that waits for them.
package enum PolicyGap: Hashable, Sendable {
    /// Fewer people have the role than are to approve.
    case approvals([ChangeKind], ApprovalRequirement, have: Int)
    /// Nobody may override what this check finds.
    case override(CheckName, Role)
    /// Nobody could close such a review.
    case review(Role)
    /// Nobody may say which releases there are.
    case releases(FactRule)
    /// Nobody may say how many devices there are.
    case shares(FactRule)
}

extension LogState {
    /// What a policy for these apps asks for and nobody can give.
    package func gaps(in policy: Policy, of scope: Scope) -> [PolicyGap] {
        var approvals: [PolicyGap] = []
        for (requirement, kinds) in policy.requirements {
            let have = people(
                requirement.role,
                among: requirement.people,
                signing: requirement.signedBy != nil,
                in: scope
            )
            guard have < requirement.count else { continue }
            approvals.append(.approvals(kinds, requirement, have: have))
        }
        let overrides = CheckName.allCases.compactMap { check -> PolicyGap? in
            guard let role = policy.rule(for: check).overridableBy,
                people(role, in: scope) == 0
            else { return nil }
            return .override(check, role)
        }
        let reviews = [policy.emergencyReview, policy.rollbackReview].compactMap { $0?.role }
        let unseen = Set(reviews.filter { people($0, in: scope) == 0 })
            .sorted { $0.rawValue < $1.rawValue }
        return approvals + overrides + unseen.map(PolicyGap.review)
            + (isMet(policy.releases, in: scope) ? [] : [.releases(policy.releases)])
            + (isMet(policy.shares, in: scope) ? [] : [.shares(policy.shares)])
    }

    private func isMet(_ rule: FactRule, in scope: Scope) -> Bool {
        rule.roles.contains { people($0, among: rule.people, in: scope) > 0 }
    }

    /// How many of some people, or of all, have a role there, and a key where they have to sign; for
    /// all apps, in any of them.
    private func people(
        _ role: Role,
        among named: [PrincipalID] = [],
        signing: Bool = false,
        in scope: Scope
    ) -> Int {
        let scopes = scope == .all ? [.all] + apps.map { .app($0.slug) } : [scope]
        return (named.isEmpty ? access.principalIDs : named).count { person in
            scopes.contains { access.permits(person, role, in: $0) }
                && !(signing && access.personKeys(of: person).isEmpty)
        }
    }
}

extension Policy {
    /// Every requirement once, and the kinds of changes that have it.
    fileprivate var requirements: [(ApprovalRequirement, [ChangeKind])] {
        var found: [(ApprovalRequirement, [ChangeKind])] = []
        for kind in ChangeKind.allCases {
            for requirement in rule(for: kind).requirements {
                if let place = found.firstIndex(where: { $0.0 == requirement }) {
                    found[place].1.append(kind)
                } else {
                    found.append((requirement, [kind]))
                }
            }
        }
        return found
    }
}
