import Crypto
import FoundationEssentials
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Lets somebody in; the secret is shown this once.
    package func issueToken(
        _ wish: TokenRequest,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> IssuedToken {
        let world = try world()
        if let principal = wish.principal, world.access.principal(principal) == nil {
            throw UseCaseError(.principalUnknown(principal))
        }
        let secret = TokenSecret.random()
        let principal = wish.principal ?? PrincipalID(UUID())
        let token = TokenRecord(
            id: TokenID(UUID()),
            principal: principal,
            secret: secret.digest,
            expiresAt: wish.expiresAt ?? clock().advanced(by: Self.tokenLifetime)
        )
        let command = IssueToken(
            token: token,
            grants: wish.grants,
            by: request.caller.principal
        )
        let receipt = try await perform(command, request)
        guard case .access(.tokenIssued(let issued)) = receipt.events.last?.event else {
            throw .unexpected("the last event of letting somebody in is not a token's")
        }
        // After the event: whoever repeats the request, because it died here, names them again.
        if request.mode == .commit, let name = wish.name {
            try await remember(name.text, of: issued.principal)
        }
        return IssuedToken(
            token: view(of: issued, wish.name?.text, receipt.world),
            secret: receipt.freshness == .written && issued.secret == secret.digest
                ? secret.text : nil
        )
    }

    /// Puts an end to a token, at once; asks for its owner, or an administrator of every place where
    /// the owner has a role.
    package func revokeToken(
        _ token: TokenID,
        _ request: WriteRequest
    ) async throws(UseCaseError) {
        _ = try await perform(
            RevokeToken(token: token, by: request.caller.principal),
            request
        )
    }

    /// The caller that a secret belongs to; `nil` for one that is unknown, revoked or expired.
    package func authenticate(secret: String) throws(UseCaseError) -> Caller? {
        let world = try world()
        guard
            let secret = TokenSecret(secret),
            let token = world.access.token(secret: secret.digest, at: clock())
        else { return nil }
        return Caller(principal: token.principal, authentication: .token(token.id))
    }

    /// The tokens that the caller may administer, and own ones.
    package func tokens(for caller: Caller) async throws(UseCaseError) -> [TokenView] {
        let world = try world()
        let tokens = world.access.unrevokedTokens.filter { token in
            token.principal == caller.principal
                || world.access.grants(of: token.principal).allSatisfy {
                    world.access.permits(caller.principal, .admin, in: $0.scope)
                }
        }
        let names = try await read {
            try await directory.names(of: Set(tokens.map(\.principal)))
        }
        return tokens.map { view(of: $0, names[$0.principal], world) }
    }

    /// Who the caller is, what they may do, and until when their token lives.
    package func identity(of caller: Caller) async throws(UseCaseError) -> IdentityView {
        let world = try world()
        let names = try await read { try await directory.names(of: [caller.principal]) }
        var token: TokenRecord?
        if case .token(let id) = caller.authentication { token = world.access.token(id) }
        return IdentityView(
            principal: caller.principal,
            name: names[caller.principal],
            grants: world.access.grants(of: caller.principal),
            token: token?.id,
            expiresAt: token?.expiresAt
        )
    }

    private func view(of token: TokenRecord, _ name: String?, _ world: World) -> TokenView {
        TokenView(
            id: token.id,
            principal: token.principal,
            name: name,
            grants: world.access.grants(of: token.principal),
            expiresAt: token.expiresAt
        )
    }
}
