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
        if record.principal != by { try world.requireKeeper(by, of: record.principal) }
        if world.strictness == .full, world.access.permits(record.principal, .admin, in: .all),
            world.access.livingToken(token, at: now) != nil,
            !world.access.keepsAdministrator(token: token, at: now)
        {
            throw Refusal(.lastAdministrator)
        }
        var decision = Decision(relyingOn: [.access])
        decision.append(.access(.tokenRevoked(token)), to: .access)
        return decision
    }
}

/// Makes a new token of a living one of the same principal, which ends soon afterwards.
///
/// Whoever loses the answer may ask again with the old one while it lives: what was made of it before
/// ends then. The new one lives no longer than the old one was to live, so that nobody turns a day
/// into a year.
package struct RenewToken: Command {
    package let token: TokenRecord
    package let old: TokenID
    package let by: PrincipalID

    /// For how long the old one lives on, so that whoever uses it too can be told of the new one.
    package static let overlap = Duration.seconds(600)
    /// The longest life of a renewed token, also where the old one has no end.
    package static let lifetimeMaximum = Duration.seconds(90 * 86_400)

    package init(_ old: TokenID, as token: TokenRecord, by: PrincipalID) {
        self.old = old
        self.token = token
        self.by = by
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        guard let record = world.access.livingToken(old, at: now), record.principal == by,
            token.principal == by
        else { throw Refusal(.tokenUnknown(old)) }
        let latest = now.advanced(by: world.access.renewedLifetime(of: old))
        guard let end = token.expiresAt, end <= latest else {
            throw Refusal(.expiryTooFar(latest: latest))
        }
        guard now < end else { throw Refusal(.expiryPassed(end, now: now)) }
        var decision = Decision(relyingOn: [.access])
        if let successor = world.access.successor(of: old) {
            guard world.access.successor(of: successor.id) == nil else {
                throw Refusal(.renewedAlready(old))
            }
            decision.append(.access(.tokenRevoked(successor.id)), to: .access)
        }
        let overlap = now.advanced(by: Self.overlap)
        let until = record.expiresAt.map { min($0, overlap) } ?? overlap
        decision.append(.access(.tokenRenewed(token, of: old, until: until)), to: .access)
        return decision
    }
}

extension Access {
    /// The longest life of what is made of the token.
    package func renewedLifetime(of id: TokenID) -> Duration {
        min(lifetime(of: id) ?? RenewToken.lifetimeMaximum, RenewToken.lifetimeMaximum)
    }
}
