/// Who may say what is so of an app: which releases it has, or on how many devices it runs.
///
/// It asks for no approvals: facts are told by jobs that wait for nobody.
package struct FactRule: Hashable, Sendable {
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

extension World {
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
        else objection: Objection
    ) throws(Refusal) -> App {
        let scope = Scope.app(slug)
        let isNamed = rule.people.isEmpty || rule.people.contains(principal)
        guard isNamed, rule.roles.contains(where: { access.permits(principal, $0, in: scope) })
        else {
            guard rule != .usual, access.permits(principal, .viewer, in: scope) else {
                throw Refusal(.roleMissing(.proposer, scope))
            }
            throw Refusal(objection)
        }
        return try existingApp(slug)
    }
}

extension FactRule {
    /// What about it nobody could satisfy, or makes no sense.
    func objections(at pointer: Pointer, in world: World) -> [Objection] {
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
            if world.access.principal(person) == nil {
                objections.append(.personUnknown(person, at: people.appending(index)))
            } else if self.people[..<index].contains(person) {
                objections.append(.repeated(person.text, at: people.appending(index)))
            }
        }
        return objections
    }
}
