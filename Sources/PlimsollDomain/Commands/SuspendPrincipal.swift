/// Takes a role away from somebody; asks for an administrator of the place where it holds.
///
/// Whom they let in, and which tokens they issued, stays known: see ``Access/depends(_:on:)``.
package struct RevokeRole: Command {
    package let principal: PrincipalID
    package let grant: RoleGrant
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        _ grant: RoleGrant,
        of principal: PrincipalID,
        reason: Reason?,
        by: PrincipalID
    ) {
        self.principal = principal
        self.grant = grant
        self.reason = reason
        self.by = by
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        // Whether there is somebody is told only to those who could know.
        try world.require(.admin, of: by, in: grant.scope)
        guard world.access.principal(principal) != nil else {
            throw Refusal(.nobodyKnown(principal))
        }
        guard world.access.grants(of: principal).contains(grant) else {
            throw Refusal(.nothingChanges)
        }
        if grant == RoleGrant(.admin, in: .all) {
            try world.requireAdministrator(besides: principal, at: now)
        }
        var decision = Decision(relyingOn: [.access, .service])
        decision.append(.access(.roleRevoked(principal, grant)), to: .access)
        return decision
    }
}

/// Has somebody do nothing until they are resumed: their tokens are refused and what they approved
/// does not count any more.
package struct SuspendPrincipal: Command {
    package let principal: PrincipalID
    package let reason: Reason?
    package let by: PrincipalID

    package init(_ principal: PrincipalID, reason: Reason, by: PrincipalID) {
        self.principal = principal
        self.reason = reason
        self.by = by
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        try world.requireKeeper(by, of: principal)
        guard !world.access.isSuspended(principal) else { throw Refusal(.nothingChanges) }
        if world.access.permits(principal, .admin, in: .all) {
            try world.requireAdministrator(besides: principal, at: now)
        }
        var decision = Decision(relyingOn: [.access, .service])
        decision.append(.access(.principalSuspended(principal)), to: .access)
        return decision
    }
}

/// Has somebody act again who was suspended, with the roles and the tokens that they have.
package struct ResumePrincipal: Command {
    package let principal: PrincipalID
    package let reason: Reason?
    package let by: PrincipalID

    package init(_ principal: PrincipalID, reason: Reason?, by: PrincipalID) {
        self.principal = principal
        self.reason = reason
        self.by = by
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        try world.requireKeeper(by, of: principal)
        guard world.access.isSuspended(principal) else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: [.access])
        decision.append(.access(.principalResumed(principal)), to: .access)
        return decision
    }
}

extension World {
    /// Refuses unless the one administers every place where the other has roles.
    ///
    /// To whoever administers nothing there is nobody.
    func requireKeeper(_ keeper: PrincipalID, of principal: PrincipalID) throws(Refusal) {
        let places = access.places(of: principal)
        guard !places.isEmpty else {
            try require(.admin, of: keeper, in: .all)
            throw Refusal(.nobodyKnown(principal))
        }
        for place in places.sorted(by: { $0.order < $1.order }) {
            try require(.admin, of: keeper, in: place)
        }
    }

    /// Refuses where nobody would be left who administers everything and has a token that lives.
    fileprivate func requireAdministrator(
        besides principal: PrincipalID,
        at now: Instant
    ) throws(Refusal) {
        guard access.keepsAdministrator(without: principal, at: now) else {
            throw Refusal(.lastAdministrator)
        }
    }
}

extension Scope {
    /// All before any app, and apps by their slugs.
    fileprivate var order: String {
        switch self {
        case .app(let slug): slug.text
        case .all: ""
        }
    }
}
