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

extension World {
    /// What a policy for these apps asks for and nobody can give.
    package func gaps(in policy: Policy, of scope: Scope) -> [PolicyGap] {
        var approvals: [PolicyGap] = []
        for (requirement, kinds) in policy.requirements {
            let have = people(requirement.role, among: requirement.people, in: scope)
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

    /// How many of some people, or of all, have a role there; for all apps, in any of them.
    private func people(_ role: Role, among named: [PrincipalID] = [], in scope: Scope) -> Int {
        let scopes = scope == .all ? [.all] + apps.map { .app($0.slug) } : [scope]
        return (named.isEmpty ? access.principalIDs : named).count { person in
            scopes.contains { access.permits(person, role, in: $0) }
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
