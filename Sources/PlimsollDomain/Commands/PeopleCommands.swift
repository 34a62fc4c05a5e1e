/// Adds a principal, or takes a known one, and gives it roles; a token is another matter.
package struct AdmitPrincipal: Command {
    package let principal: PrincipalID
    package let grants: [RoleGrant]
    /// What the principal is called, if it is new.
    package let name: NameCommitment?
    package let by: PrincipalID

    package static let grantsMaximum = 100

    package init(
        _ principal: PrincipalID,
        grants: [RoleGrant],
        name: NameCommitment? = nil,
        by: PrincipalID
    ) {
        self.principal = principal
        self.grants = grants
        self.name = name
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let objections = objections(in: logState)
        guard objections.isEmpty else { throw Refusal(objections) }
        let decision = decision(in: logState)
        guard !decision.events.isEmpty else { throw Refusal(.nothingChanges) }
        try logState.requireAdministrator(after: decision, at: now)
        return decision
    }

    /// What is missing: the principal, and those of the roles that it does not have.
    ///
    /// Roles in new places end the tokens whose issuers could not have given these roles: they have
    /// seen the secrets, and would have the roles too.
    func decision(in logState: LogState) -> Decision {
        var decision = Decision(relyingOn: [.access, .service])
        if logState.access.principal(principal) == nil {
            decision.append(.access(.principalAdded(principal, name)), to: .access)
        }
        var known = Set(logState.access.grants(of: principal))
        let new = grants.filter { known.insert($0).inserted }
        for token in logState.access.tokens(of: principal, outgrownIn: Set(new.map(\.scope))) {
            decision.append(.access(.tokenRevoked(token)), to: .access)
        }
        for grant in new {
            decision.append(.access(.roleGranted(principal, grant)), to: .access)
        }
        return decision
    }

    /// Whoever admits a principal answers for all that it may do, so the giver has to be an
    /// administrator of every place where it will count.
    func objections(in logState: LogState) -> [Objection] {
        var objections: [Objection] = []
        if grants.isEmpty, logState.access.principal(principal) == nil {
            objections.append(.listEmpty(at: "/roles"))
        }
        if grants.count > Self.grantsMaximum {
            objections.append(.listTooLong(maximum: Self.grantsMaximum, at: "/roles"))
        }
        let places = logState.access.places(of: principal).map { logState.access.shown($0, to: by) }
        for scope in Set(grants.map(\.scope)).union(places)
        where !logState.access.permits(by, .admin, in: scope) {
            objections.append(.roleMissing(.admin, scope))
        }
        if objections.isEmpty, logState.access.isSuspended(principal) {
            objections.append(.suspended(principal))
        }
        for (index, grant) in grants.enumerated() {
            // Whether there is such an app is told only to those who could know.
            guard
                case .app(let slug) = grant.scope, logState.app(slug) == nil,
                logState.access.permits(by, .admin, in: grant.scope)
            else { continue }
            let pointer = Pointer("/roles").appending(index).appending("app")
            objections.append(.scopeUnknown(slug, at: pointer))
        }
        return objections
    }
}

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

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        // Whether there is somebody is told only to those who could know.
        try logState.require(.admin, of: by, in: grant.scope)
        guard logState.access.principal(principal) != nil else {
            throw Refusal(.nobodyKnown(principal))
        }
        guard logState.access.grants(of: principal).contains(grant) else {
            throw Refusal(.nothingChanges)
        }
        if grant == RoleGrant(.admin, in: .all) {
            try logState.requireAdministrator(besides: principal, at: now)
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

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.requireKeeper(by, of: principal)
        guard !logState.access.isSuspended(principal) else { throw Refusal(.nothingChanges) }
        if logState.access.permits(principal, .admin, in: .all) {
            try logState.requireAdministrator(besides: principal, at: now)
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

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.requireKeeper(by, of: principal)
        guard logState.access.isSuspended(principal) else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: [.access])
        decision.append(.access(.principalResumed(principal)), to: .access)
        return decision
    }
}

extension LogState {
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
            guard access.permits(keeper, .admin, in: place) else {
                throw Refusal(.roleMissing(.admin, access.shown(place, to: keeper)))
            }
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

    /// Refuses a decision that revokes the last tokens that live of administrators of everything.
    fileprivate func requireAdministrator(after decision: Decision, at now: Instant) throws(Refusal)
    {
        let revoked = decision.events.compactMap { event -> TokenID? in
            if case .access(.tokenRevoked(let id)) = event.event { id } else { nil }
        }
        guard
            revoked.isEmpty || strictness == .original || !access.keepsAdministrator(at: now)
                || access.keepsAdministrator(tokens: revoked, at: now)
        else { throw Refusal(.lastAdministrator) }
    }
}

extension Access {
    /// The place, or all apps where somebody has no role there: who looks after somebody there as well is
    /// asked for, and where somebody else has roles is told to nobody who could not know.
    fileprivate func shown(_ place: Scope, to principal: PrincipalID) -> Scope {
        permits(principal, .viewer, in: place) ? place : .all
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

/// Has the name of a principal erased, for good; what they did stays recorded under their id.
package struct EraseName: Command {
    package let principal: PrincipalID
    package let by: PrincipalID

    package init(of principal: PrincipalID, by: PrincipalID) {
        self.principal = principal
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.admin, of: by, in: .all)
        guard logState.access.principal(principal) != nil else {
            throw Refusal(.nobodyKnown(principal))
        }
        guard !logState.access.erased.contains(principal) else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: [.access])
        decision.append(.access(.nameErased(principal)), to: .access)
        return decision
    }
}

/// Lets somebody in: adds a principal, or takes a known one, gives it roles and issues a token.
package struct IssueToken: Command {
    package let token: TokenRecord
    package let grants: [RoleGrant]
    /// What its principal is called, if that is new.
    package let name: NameCommitment?
    package let by: PrincipalID

    package init(
        token: TokenRecord,
        grants: [RoleGrant],
        name: NameCommitment? = nil,
        by: PrincipalID
    ) {
        self.token = token
        self.grants = grants
        self.name = name
        self.by = by
    }

    /// Who hands out a token hands out all that its principal may do.
    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let admission = AdmitPrincipal(token.principal, grants: grants, name: name, by: by)
        var objections = admission.objections(in: logState)
        if let end = token.expiresAt, end <= now {
            objections.append(.expiryPassed(end, now: now))
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = admission.decision(in: logState)
        // Its secret may never arrive, so the new one lets nobody in yet.
        try logState.requireAdministrator(after: decision, at: now)
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

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        guard let record = logState.access.token(token) else { throw Refusal(.tokenUnknown(token)) }
        if record.principal != by { try logState.requireKeeper(by, of: record.principal) }
        var decision = Decision(relyingOn: [.access])
        decision.append(.access(.tokenRevoked(token)), to: .access)
        try logState.requireAdministrator(after: decision, at: now)
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
    /// How far the clock of whoever asks for as long a life may be ahead.
    package static let clockTolerance = Duration.seconds(60)

    package init(_ old: TokenID, as token: TokenRecord, by: PrincipalID) {
        self.old = old
        self.token = token
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        guard let record = logState.access.livingToken(old, at: now), record.principal == by,
            token.principal == by
        else { throw Refusal(.tokenUnknown(old)) }
        let latest = now.advanced(by: logState.access.renewedLifetime(of: old))
        guard let end = token.expiresAt, end <= latest else {
            throw Refusal(.expiryTooFar(latest: latest))
        }
        guard now < end else { throw Refusal(.expiryPassed(end, now: now)) }
        var decision = Decision(relyingOn: [.access])
        if let successor = logState.access.successor(of: old) {
            guard logState.access.successor(of: successor.id) == nil else {
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
    fileprivate func renewedLifetime(of id: TokenID) -> Duration {
        min(lifetime(of: id) ?? RenewToken.lifetimeMaximum, RenewToken.lifetimeMaximum)
    }

    /// When what is made of the token now is to end.
    ///
    /// Who wants it to live as long reckons its end by a clock of their own, and from when they
    /// asked: what lies a little behind the latest end means that one.
    package func end(ofRenewed id: TokenID, asked end: Instant?, at now: Instant) -> Instant {
        let latest = now.advanced(by: renewedLifetime(of: id))
        let tolerated = latest.advanced(by: RenewToken.clockTolerance)
        guard let end, end <= latest || tolerated < end else { return latest }
        return end
    }
}
