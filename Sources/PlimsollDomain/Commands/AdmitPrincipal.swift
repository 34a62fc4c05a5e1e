/// Adds a principal, or takes a known one, and gives it roles; a token is another matter.
package struct AdmitPrincipal: Command {
    package let principal: PrincipalID
    package let grants: [RoleGrant]
    package let by: PrincipalID

    package static let grantsMaximum = 100

    package init(_ principal: PrincipalID, grants: [RoleGrant], by: PrincipalID) {
        self.principal = principal
        self.grants = grants
        self.by = by
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let objections = objections(in: world)
        guard objections.isEmpty else { throw Refusal(objections) }
        let decision = decision(in: world)
        guard !decision.events.isEmpty else { throw Refusal(.nothingChanges) }
        return decision
    }

    /// What is missing: the principal, and those of the roles that it does not have.
    ///
    /// Roles in new places end the tokens whose issuers could not have given these roles: they have
    /// seen the secrets, and would have the roles too.
    func decision(in world: World) -> Decision {
        var decision = Decision(relyingOn: [.access, .service])
        if world.access.principal(principal) == nil {
            decision.append(.access(.principalAdded(principal)), to: .access)
        }
        var known = Set(world.access.grants(of: principal))
        let new = grants.filter { known.insert($0).inserted }
        for token in world.access.tokens(of: principal, outgrownIn: Set(new.map(\.scope))) {
            decision.append(.access(.tokenRevoked(token)), to: .access)
        }
        for grant in new {
            decision.append(.access(.roleGranted(principal, grant)), to: .access)
        }
        return decision
    }

    /// Whoever admits a principal answers for all that it may do, so the giver has to be an
    /// administrator of every place where it will count.
    func objections(in world: World) -> [Objection] {
        var objections: [Objection] = []
        if grants.isEmpty, world.access.principal(principal) == nil {
            objections.append(.listEmpty(at: "/roles"))
        }
        if grants.count > Self.grantsMaximum {
            objections.append(.listTooLong(maximum: Self.grantsMaximum, at: "/roles"))
        }
        let known = world.access.grants(of: principal)
        let places = known.isEmpty ? world.access.places(of: principal) : []
        for scope in Set((grants + known).map(\.scope)).union(places)
        where !world.access.permits(by, .admin, in: scope) {
            objections.append(.roleMissing(.admin, scope))
        }
        if objections.isEmpty, world.access.isSuspended(principal) {
            objections.append(.suspended(principal))
        }
        for (index, grant) in grants.enumerated() {
            // Whether there is such an app is told only to those who could know.
            guard
                case .app(let slug) = grant.scope, world.app(slug) == nil,
                world.access.permits(by, .admin, in: grant.scope)
            else { continue }
            let pointer = Pointer("/roles").appending(index).appending("app")
            objections.append(.scopeUnknown(slug, at: pointer))
        }
        return objections
    }
}
