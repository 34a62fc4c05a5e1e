import HashTreeCollections

/// Who may do what, as the events of the `access` stream have left it.
package struct Access: Equatable, Sendable {
    private var principals: TreeDictionary<PrincipalID, Principal> = [:]
    private var tokens: TreeDictionary<TokenID, TokenRecord> = [:]
    private var tokensBySecret: TreeDictionary<SecretDigest, TokenID> = [:]
    /// Who has seen the secret of a token that was not revoked.
    private var issuers: TreeDictionary<TokenID, PrincipalID> = [:]
    /// Those whose names are not to be known any more.
    package private(set) var erased: Set<PrincipalID> = []

    package func principal(_ id: PrincipalID) -> Principal? {
        principals[id]
    }

    /// Everybody who was ever added, in the order of the ids.
    package var principalIDs: [PrincipalID] {
        principals.keys.sorted { $0.text < $1.text }
    }

    /// What the principal may do, each role once.
    package func grants(of id: PrincipalID) -> [RoleGrant] {
        principals[id]?.grants.map(\.grant) ?? []
    }

    /// The token until it is revoked, expired or not.
    package func token(_ id: TokenID) -> TokenRecord? {
        tokens[id]
    }

    /// Every token that was not revoked, in the order of the ids.
    package var unrevokedTokens: [TokenRecord] {
        tokens.values.sorted { $0.id.description < $1.id.description }
    }

    /// Whether the principal may do there what the role may; the service itself may do all.
    package func permits(_ principal: PrincipalID, _ role: Role, in scope: Scope) -> Bool {
        if principal == .system { return true }
        return principals[principal]?.grants.contains {
            $0.grant.role.includes(role) && $0.grant.scope.covers(scope)
        } ?? false
    }

    /// The living token that has this secret, or `nil`: unknown, revoked or expired.
    package func token(secret: SecretDigest, at now: Instant) -> TokenRecord? {
        tokensBySecret[secret].flatMap { livingToken($0, at: now) }
    }

    /// The token unless it is unknown, revoked or expired.
    package func livingToken(_ id: TokenID, at now: Instant) -> TokenRecord? {
        guard let token = tokens[id], token.expiresAt.map({ now < $0 }) ?? true else { return nil }
        return token
    }

    /// The principal's tokens that were issued by somebody who does not administer all the places.
    ///
    /// Who issued them can act with them, and so with every role that the principal is given later.
    package func tokens(of id: PrincipalID, outgrownIn scopes: Set<Scope>) -> [TokenID] {
        unrevokedTokens.filter { token in
            guard token.principal == id, let issuer = issuers[token.id] else { return false }
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
        return [principal.addedBy] + principal.grants.map(\.grantedBy) + principal.tokensIssuedBy
    }

    mutating func evolve(_ event: AccessEvent, by actor: PrincipalID) {
        switch event {
        case .principalAdded(let id):
            principals[id] = Principal(addedBy: actor, grants: [])
        case .roleGranted(let id, let grant):
            var principal = principals[id] ?? Principal(addedBy: actor, grants: [])
            principal.grants.append(Principal.Grant(grant: grant, grantedBy: actor))
            principals[id] = principal
        case .tokenIssued(let token):
            tokens[token.id] = token
            tokensBySecret[token.secret] = token.id
            issuers[token.id] = actor
            principals[token.principal]?.tokensIssuedBy.insert(actor)
        case .tokenRevoked(let id):
            guard let token = tokens.removeValue(forKey: id) else { return }
            tokensBySecret[token.secret] = nil
            issuers[id] = nil
        case .nameErased(let id): erased.insert(id)
        }
    }
}

/// Somebody who can act: a person or a machine.
package struct Principal: Equatable, Sendable {
    package let addedBy: PrincipalID
    package internal(set) var grants: [Grant]
    /// Everybody who has ever seen the secret of one of its tokens.
    package internal(set) var tokensIssuedBy: Set<PrincipalID> = []

    /// A role, and who gave it.
    package struct Grant: Equatable, Sendable {
        package let grant: RoleGrant
        package let grantedBy: PrincipalID
    }
}
