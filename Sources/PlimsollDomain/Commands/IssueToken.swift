/// Lets somebody in: adds a principal, or takes a known one, gives it roles and issues a token.
package struct IssueToken: Command {
    package let token: TokenRecord
    package let grants: [RoleGrant]
    package let by: PrincipalID

    package static let grantsMaximum = 100

    package init(token: TokenRecord, grants: [RoleGrant], by: PrincipalID) {
        self.token = token
        self.grants = grants
        self.by = by
    }

    /// A principal that the world does not know yet is added.
    package func decide(in world: World) throws(Refusal) -> Decision {
        let principal = world.access.principal(token.principal)
        let known = Set(principal?.grants.map(\.grant) ?? [])
        let objections = objections(isNew: principal == nil, known: known, in: world)
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .service])
        if principal == nil {
            decision.append(.access(.principalAdded(token.principal)), to: .access)
        }
        for grant in grants where !known.contains(grant) {
            decision.append(.access(.roleGranted(token.principal, grant)), to: .access)
        }
        decision.append(.access(.tokenIssued(token)), to: .access)
        return decision
    }

    /// Who hands out a token hands out all that its principal may do, so the giver has to be an
    /// administrator of every place where the token will count.
    private func objections(
        isNew: Bool,
        known: Set<RoleGrant>,
        in world: World
    ) -> [Objection] {
        var objections: [Objection] = []
        if grants.isEmpty, isNew { objections.append(.listEmpty(at: "/roles")) }
        if grants.count > Self.grantsMaximum {
            objections.append(.listTooLong(maximum: Self.grantsMaximum, at: "/roles"))
        }
        for scope in Set(grants.map(\.scope)).union(known.map(\.scope))
        where !world.access.permits(by, .admin, in: scope) {
            objections.append(.roleMissing(.admin, scope))
        }
        for (index, grant) in grants.enumerated() {
            guard case .app(let slug) = grant.scope, world.app(slug) == nil else { continue }
            let pointer = Pointer("/roles").appending(index).appending("app")
            objections.append(.scopeUnknown(slug, at: pointer))
        }
        return objections
    }
}

/// Puts an end to a token, at once.
package struct RevokeToken: Command {
    package let token: TokenID
    package let by: PrincipalID

    package init(token: TokenID, by: PrincipalID) {
        self.token = token
        self.by = by
    }

    package func decide(in world: World) throws(Refusal) -> Decision {
        guard let record = world.access.token(token) else { throw Refusal(.tokenUnknown(token)) }
        if record.principal != by {
            let grants = world.access.principal(record.principal)?.grants ?? []
            for scope in Set(grants.map(\.grant.scope)) {
                try world.require(.admin, of: by, in: scope)
            }
        }
        var decision = Decision(relyingOn: [.access])
        decision.append(.access(.tokenRevoked(token)), to: .access)
        return decision
    }
}
