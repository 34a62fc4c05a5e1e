/// Who may say what is so of an app: which releases it has, or on how many devices it runs.
///
/// It asks for no approvals: facts are told by jobs that wait for nobody.
package struct FactRule: Codable, Hashable, Sendable {
    /// Any of them is enough.
    package let roles: [Role]
    /// Those of the people in the roles who may, if it is not all of them.
    package let people: [PrincipalID]

    /// What holds where a policy does not speak of it.
    package static let usual = FactRule(roles: [.proposer, .admin])

    package init(roles: [Role], people: [PrincipalID] = []) {
        (self.roles, self.people) = (roles, people)
    }

    /// Who may, as a sentence goes on: `people in the role proposer or admin`.
    package func permitted(naming name: (PrincipalID) -> String = \.text) -> String {
        let names = people.map(name).joined(separator: ", ")
        let who = people.isEmpty ? "people" : names
        return "\(who) in the role \(roles.map(\.rawValue).joined(separator: " or "))"
    }
}

extension LogState {
    /// The app, if the principal may say which releases it has.
    func app(
        _ slug: AppSlug,
        whoseReleasesAreKeptBy principal: PrincipalID
    ) throws(Refusal) -> App {
        let rule = policy(of: slug).policy.releases
        return try app(slug, of: principal, under: rule, else: .releasesReserved(slug, rule))
    }

    /// The app, if the principal may say how many devices it has.
    func app(
        _ slug: AppSlug,
        whoseDevicesAreCountedBy principal: PrincipalID
    ) throws(Refusal) -> App {
        let rule = policy(of: slug).policy.shares
        return try app(slug, of: principal, under: rule, else: .sharesReserved(slug, rule))
    }

    private func app(
        _ slug: AppSlug,
        of principal: PrincipalID,
        under rule: FactRule,
        else objection: @autoclosure () -> Objection
    ) throws(Refusal) -> App {
        let scope = Scope.app(slug)
        let isNamed = rule.people.isEmpty || rule.people.contains(principal)
        guard isNamed, rule.roles.contains(where: { access.permits(principal, $0, in: scope) })
        else {
            guard rule != .usual, access.permits(principal, .viewer, in: scope) else {
                throw Refusal(.roleMissing(.proposer, scope))
            }
            throw Refusal(objection())
        }
        return try existingApp(slug)
    }
}

extension FactRule {
    /// What about it nobody could satisfy, or makes no sense.
    func objections(at pointer: Pointer, in logState: LogState) -> [Objection] {
        let (roles, people) = (pointer.appending("roles"), pointer.appending("people"))
        guard !self.roles.isEmpty else { return [.listEmpty(at: roles)] }
        var objections: [Objection] = []
        for (index, role) in self.roles.enumerated() where self.roles[..<index].contains(role) {
            objections.append(.repeated(role.rawValue, at: roles.appending(index)))
        }
        let maximum = ApprovalRequirement.peopleMaximum
        guard self.people.count <= maximum else {
            return objections + [.listTooLong(maximum: maximum, at: people)]
        }
        for (index, person) in self.people.enumerated() {
            if logState.access.principal(person) == nil {
                objections.append(.personUnknown(person, at: people.appending(index)))
            } else if self.people[..<index].contains(person) {
                objections.append(.repeated(person.text, at: people.appending(index)))
            }
        }
        return objections
    }
}

/// What follows where a check finds something.
package struct CheckRule: Codable, Hashable, Sendable {
    package let severity: Severity
    /// Who may say why it is right all the same; of a refusal without a role nobody may.
    package let overridableBy: Role?

    /// Whether a change that looks like a mistake goes on.
    package enum Severity: String, Codable, CaseIterable, Sendable {
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
package struct CheckOverride: Codable, Equatable, Sendable {
    package let check: CheckName
    package let by: PrincipalID
    /// What they saw; if the change has another digest now, they spoke of something else.
    package let digest: ChangeDigest
    /// Whether what the check looks at was counted anew since.
    var isOutdated = false
    var lapsedBy: LapseRules = []
}

/// What a check found in a change, and what follows by the policy.
package struct CheckResult: Equatable, Sendable {
    package let finding: CheckFinding
    package let rule: CheckRule
    /// Who said that it is right, and may.
    package let overriddenBy: PrincipalID?

    package init(finding: CheckFinding, rule: CheckRule, overriddenBy: PrincipalID?) {
        (self.finding, self.rule, self.overriddenBy) = (finding, rule, overriddenBy)
    }

    /// Whether it keeps the change from applying.
    package var isRefused: Bool { rule.severity == .refuse && overriddenBy == nil }
}
