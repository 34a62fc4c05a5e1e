import HashTreeCollections

/// Who may do what, as the events of the `access` stream have left it.
package struct Access: Codable, Equatable, Sendable {
    private var principals: TreeDictionary<PrincipalID, Principal> = [:]
    private var tokens: TreeDictionary<TokenID, TokenRecord> = [:]
    private var tokensBySecret: TreeDictionary<SecretDigest, TokenID> = [:]
    private var births: TreeDictionary<TokenID, TokenIssuance> = [:]
    /// Whose each key is or was that people ever signed with.
    private var keyOwners: TreeDictionary<PersonKey, PrincipalID> = [:]
    /// Those whose names are not to be known any more.
    package private(set) var erased: Set<PrincipalID> = []
    /// The first event that says what a name was; names of before can be anything.
    package private(set) var namesCommittedSince: Position?

    package func principal(_ id: PrincipalID) -> Principal? {
        principals[id]
    }

    /// Everybody who was ever added, in the order of the ids.
    package var principalIDs: [PrincipalID] {
        principals.keys.sorted { $0.text < $1.text }
    }

    /// What the principal may do while it is not suspended, each role once.
    package func grants(of id: PrincipalID) -> [RoleGrant] {
        principals[id]?.grants ?? []
    }

    /// The places whose administrators look after the principal: where it has roles, or had the last
    /// ones.
    package func places(of id: PrincipalID) -> Set<Scope> {
        guard let principal = principals[id] else { return [] }
        return principal.grants.isEmpty
            ? principal.placesOnce : Set(principal.grants.map(\.scope))
    }

    package func isSuspended(_ id: PrincipalID) -> Bool { principals[id]?.suspension != nil }

    /// When the principal's last suspension ended.
    package func resumedAt(_ id: PrincipalID) -> Instant? { principals[id]?.resumedAt }

    /// Whether the principal is suspended, or was for any time after an instant.
    package func wasSuspended(_ id: PrincipalID, after instant: Instant) -> Bool {
        isSuspended(id) || resumedAt(id).map { instant < $0 } ?? false
    }

    /// The keys that the principal signs with at present, the oldest first.
    package func personKeys(of id: PrincipalID) -> [PersonKey] { principals[id]?.keys ?? [] }

    /// Whether anybody ever had one.
    package var hasPersonKeys: Bool { !keyOwners.isEmpty }

    /// Whose the key is, or was before it was revoked.
    func owner(of key: PersonKey) -> PrincipalID? { keyOwners[key] }

    /// The token until it is revoked, expired or not.
    package func token(_ id: TokenID) -> TokenRecord? {
        tokens[id]
    }

    /// Every token that was not revoked, in the order of the ids.
    package var unrevokedTokens: [TokenRecord] { unrevokedTokens { _ in true } }

    /// Only those that are wanted are sorted: what has ended stays among them until it is revoked.
    private func unrevokedTokens(_ isWanted: (TokenRecord) -> Bool) -> [TokenRecord] {
        tokens.values.filter(isWanted).sorted { $0.id.description < $1.id.description }
    }

    /// Whether the principal may do there what the role may; the service itself may do all, and
    /// somebody who is suspended nothing.
    package func permits(_ principal: PrincipalID, _ role: Role, in scope: Scope) -> Bool {
        if principal == .system { return true }
        guard let known = principals[principal], known.suspension == nil else { return false }
        return known.grants.permit(role, in: scope)
    }

    /// Whether an administrator of everything could still come in without this principal, or with
    /// tokens gone.
    func keepsAdministrator(
        without id: PrincipalID? = nil,
        tokens gone: [TokenID] = [],
        at now: Instant
    )
        -> Bool
    {
        tokens.values.contains { other in
            other.principal != id && !gone.contains(other.id)
                && permits(other.principal, .admin, in: .all)
                && livingToken(other.id, at: now) != nil
        }
    }

    /// The valid token that has this secret, or `nil`: unknown, revoked, expired, or of somebody who
    /// is suspended.
    package func token(secret: SecretDigest, at now: Instant) -> TokenRecord? {
        tokensBySecret[secret].flatMap { livingToken($0, at: now) }
    }

    /// The token unless it is unknown, revoked or expired, or its principal suspended.
    package func livingToken(_ id: TokenID, at now: Instant) -> TokenRecord? {
        guard let token = tokens[id], token.expiresAt.map({ now < $0 }) ?? true,
            !isSuspended(token.principal)
        else { return nil }
        return token
    }

    /// For how long the token was to live when it was issued; `nil` is until it is revoked.
    func lifetime(of id: TokenID) -> Duration? { births[id]?.lifetime }

    /// The token that was made of this one.
    func successor(of id: TokenID) -> TokenRecord? {
        births[id]?.successor.flatMap { tokens[$0] }
    }

    /// Tokens of others that live and whose secrets the principal has seen: it could still come in
    /// with them.
    package func tokensOfOthers(issuedBy id: PrincipalID, at now: Instant) -> [TokenRecord] {
        unrevokedTokens { token in
            token.principal != id && births[token.id]?.issuer == id
                && livingToken(token.id, at: now) != nil
        }
    }

    /// The principal's tokens that were issued by somebody who does not administer all the places.
    ///
    /// Who issued them can act with them, and so with every role that the principal is given later.
    package func tokens(of id: PrincipalID, outgrownIn scopes: Set<Scope>) -> [TokenID] {
        unrevokedTokens { token in
            guard token.principal == id, let issuer = births[token.id]?.issuer else { return false }
            return !scopes.allSatisfy { permits(issuer, .admin, in: $0) }
        }.map(\.id)
    }

    /// Whether the first principal owes its existence, a role or a token to the second, however
    /// indirectly.
    ///
    /// Such a principal could be a mask of the other, so it cannot approve the other's work. Whoever
    /// issues a token has seen its secret and can act with it, and that is not forgotten when it is
    /// revoked: by then it may have been used to let others in.
    package func depends(_ principal: PrincipalID, on other: PrincipalID) -> Bool {
        var seen: Set<PrincipalID> = [principal]
        var waiting = [principal]
        while let next = waiting.popLast() {
            for benefactor in benefactors(of: next) where seen.insert(benefactor).inserted {
                if benefactor == other { return true }
                waiting.append(benefactor)
            }
        }
        return false
    }

    private func benefactors(of id: PrincipalID) -> [PrincipalID] {
        guard let principal = principals[id] else { return [] }
        return [principal.addedBy] + principal.benefactors
    }

    mutating func evolve(_ event: AccessEvent, _ recorded: RecordedEvent) {
        let actor = recorded.origin.actor
        switch event {
        case .principalAdded(let id, let name):
            if name != nil, namesCommittedSince == nil { namesCommittedSince = recorded.position }
            let isBeforeNames = namesCommittedSince == nil
            principals[id] = Principal(addedBy: actor, name: name, isBeforeNames: isBeforeNames)
        case .roleGranted(let id, let grant):
            let unknown = Principal(addedBy: actor, isBeforeNames: namesCommittedSince == nil)
            principals[id, default: unknown].give(grant, by: actor)
        case .roleRevoked(let id, let grant): principals[id]?.grants.removeAll { $0 == grant }
        case .principalSuspended(let id): principals[id]?.suspension = Suspension(recorded)
        case .principalResumed(let id):
            principals[id]?.suspension = nil
            principals[id]?.resumedAt = recorded.recordedAt
        case .tokenIssued(let token):
            add(token, TokenIssuance(issuer: actor, lifetime: token.lifetime(from: recorded)))
            principals[token.principal]?.benefactors.insert(actor)
        case .tokenRenewed(let token, let old, let until):
            // Whoever has seen the old secret could have asked for the new one.
            let issuer = births[old]?.issuer ?? actor
            add(token, TokenIssuance(issuer: issuer, lifetime: token.lifetime(from: recorded)))
            births[old]?.successor = token.id
            tokens[old] = tokens[old]?.ending(at: until)
        case .tokenRevoked(let id):
            guard let token = tokens.removeValue(forKey: id) else { return }
            tokensBySecret[token.secret] = nil
            births[id] = nil
        case .nameErased(let id): erased.insert(id)
        case .personKeyAdded(let id, let key):
            keyOwners[key] = id
            // Whoever added it could have added one of their own.
            principals[id]?.add(key, by: actor)
        case .personKeyRevoked(let id, let key): principals[id]?.keys.removeAll { $0 == key }
        }
    }

    private mutating func add(_ token: TokenRecord, _ birth: TokenIssuance) {
        tokens[token.id] = token
        tokensBySecret[token.secret] = token.id
        births[token.id] = birth
    }
}

/// How a token came to be that was not revoked.
private struct TokenIssuance: Codable, Equatable, Sendable {
    /// Who has seen its secret besides its owner.
    let issuer: PrincipalID
    let lifetime: Duration?
    /// The token that was made of it.
    var successor: TokenID?
}

extension TokenRecord {
    fileprivate func lifetime(from recorded: RecordedEvent) -> Duration? {
        expiresAt.map {
            .milliseconds($0.millisecondsSince1970 - recorded.recordedAt.millisecondsSince1970)
        }
    }

    fileprivate func ending(at end: Instant) -> TokenRecord {
        TokenRecord(id: id, principal: principal, secret: secret, expiresAt: end)
    }
}

/// Somebody who can act: a person or a machine.
package struct Principal: Codable, Equatable, Sendable {
    package let addedBy: PrincipalID
    /// What they have to be called, unless that was erased; `nil` where the log does not say.
    package let name: NameCommitment?
    /// Let in before the log said of anybody what their name is.
    package let isBeforeNames: Bool
    package fileprivate(set) var grants: [RoleGrant] = []
    /// Everybody who has ever given it a role, or seen the secret of one of its tokens; none of them
    /// is forgotten when a role or a token goes.
    fileprivate var benefactors: Set<PrincipalID> = []
    /// Everywhere it has ever had a role.
    package fileprivate(set) var placesOnce: Set<Scope> = []
    /// Why it may do nothing at present.
    package fileprivate(set) var suspension: Suspension?
    /// When its last suspension ended.
    fileprivate var resumedAt: Instant?
    /// What it signs approvals with.
    fileprivate var keys: [PersonKey] = []

    fileprivate init(
        addedBy: PrincipalID,
        name: NameCommitment? = nil,
        isBeforeNames: Bool
    ) {
        (self.addedBy, self.name, self.isBeforeNames) = (addedBy, name, isBeforeNames)
    }

    fileprivate mutating func give(_ grant: RoleGrant, by actor: PrincipalID) {
        grants.append(grant)
        placesOnce.insert(grant.scope)
        benefactors.insert(actor)
    }

    fileprivate mutating func add(_ key: PersonKey, by actor: PrincipalID) {
        keys.append(key)
        benefactors.insert(actor)
    }
}

/// Who suspended somebody, when and why.
package struct Suspension: Codable, Equatable, Sendable {
    package let by: PrincipalID
    package let at: Instant
    package let reason: Reason?

    package init(by: PrincipalID, at: Instant, reason: Reason?) {
        (self.by, self.at, self.reason) = (by, at, reason)
    }

    init(_ recorded: RecordedEvent) {
        (by, at) = (recorded.origin.actor, recorded.recordedAt)
        reason = recorded.origin.reason
    }
}

/// What a principal may do.
package enum Role: String, Codable, CaseIterable, Sendable {
    /// Reads apps, documents and changes.
    case viewer
    /// Proposes changes and withdraws own ones.
    case proposer
    /// Approves and rejects changes of others, and overrides checks where the policy says so.
    case approver
    /// Rolls back, acts in emergencies, blocks versions and freezes, alone.
    case responder
    /// Reads the whole record.
    case auditor
    /// Registers apps, changes policies, freezes, keeps principals and tokens, reads everything.
    case admin

    /// Whether somebody in this role may do what the other role may.
    package func includes(_ other: Role) -> Bool {
        switch self {
        case .viewer: other == .viewer
        case .proposer, .approver, .responder, .auditor: other == self || other == .viewer
        case .admin: other == .admin || other == .auditor || other == .viewer
        }
    }
}

/// Where a role holds.
package enum Scope: Codable, Hashable, Sendable {
    case app(AppSlug)
    case all

    package func covers(_ other: Scope) -> Bool { self == .all || self == other }
}

extension Scope {
    /// The app, unless it is all of them.
    package var app: AppSlug? {
        if case .app(let slug) = self { slug } else { nil }
    }

    /// `of the app harbour`, or `of all apps`.
    var place: String {
        switch self {
        case .app(let slug): "of the app \(slug)"
        case .all: "of all apps"
        }
    }
}

/// A role and where it holds.
package struct RoleGrant: Codable, Hashable, Sendable {
    package let role: Role
    package let scope: Scope

    package init(_ role: Role, in scope: Scope) {
        self.role = role
        self.scope = scope
    }
}

extension Sequence<RoleGrant> {
    /// Whether they let somebody do there what a role is needed for.
    package func permit(_ role: Role, in scope: Scope) -> Bool {
        contains { $0.role.includes(role) && $0.scope.covers(scope) }
    }
}

/// What is recorded of an access token; never its secret.
package struct TokenRecord: Codable, Equatable, Sendable {
    package let id: TokenID
    package let principal: PrincipalID
    package let secret: SecretDigest
    /// `nil` where it lives until it is revoked.
    package let expiresAt: Instant?

    package init(id: TokenID, principal: PrincipalID, secret: SecretDigest, expiresAt: Instant?) {
        self.id = id
        self.principal = principal
        self.secret = secret
        self.expiresAt = expiresAt
    }
}

/// SHA-256 of a token's 256 random bits: 64 lower-case hexadecimal digits.
package struct SecretDigest: Codable, Hashable, Sendable {
    package let hex: String

    package init?(hex: String) {
        guard hex.utf8.count == 64, hex.utf8.allSatisfy(isHexDigit) else { return nil }
        self.hex = hex
    }
}
