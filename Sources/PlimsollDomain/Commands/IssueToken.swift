/// Lets somebody in: adds a principal, or takes a known one, gives it roles and issues a token.
package struct IssueToken: Command {
    package let token: TokenRecord
    package let grants: [RoleGrant]
    package let by: PrincipalID

    package init(
        token: TokenRecord,
        grants: [RoleGrant],
        by: PrincipalID
    ) {
        self.token = token
        self.grants = grants
        self.by = by
    }

    /// Who hands out a token hands out all that its principal may do.
    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let admission = AdmitPrincipal(token.principal, grants: grants, by: by)
        var objections = admission.objections(in: world)
        if let end = token.expiresAt, end <= now {
            objections.append(.expiryPassed(end, now: now))
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = admission.decision(in: world)
        decision.append(.access(.tokenIssued(token)), to: .access)
        return decision
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

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
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
