import Crypto
import FoundationEssentials
package import PlimsollAPI
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Lets somebody in; the secret is shown this once.
    package func issueToken(
        _ wish: TokenForm,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> IssuedTokenAnswer {
        let logState = try logState()
        if let principal = wish.principal, logState.access.principal(principal) == nil {
            throw UseCaseError(.principalUnknown(principal))
        }
        let secret = TokenSecret.random()
        let token = TokenRecord(
            id: TokenID(UUID()),
            principal: wish.principal ?? request.identity.newcomer,
            secret: secret.digest,
            expiresAt: wish.expiresAt ?? clock().advanced(by: Self.tokenLifetime)
        )
        let command: (NameCommitment?) -> IssueToken = {
            IssueToken(token: token, grants: wish.roles, name: $0, by: request.caller.principal)
        }
        let receipt =
            if let name = wish.name {
                try await perform(naming: name, request, command)
            } else {
                try await perform(command(nil), request)
            }
        guard case .access(.tokenIssued(let issued)) = receipt.events.last?.event else {
            throw .unexpected("the last event of letting somebody in is not a token's")
        }
        return answer(issued, wish.name?.text, secret, receipt)
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

    /// Makes a new token of the caller's own, which ends within minutes; the secret is shown this
    /// once.
    package func renewToken(
        until end: Instant?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> IssuedTokenAnswer {
        let (logState, caller) = (try logState(), request.caller)
        guard case .token(let old) = caller.authentication else { throw .tokenDead }
        let secret = TokenSecret.random()
        let token = TokenRecord(
            id: TokenID(UUID()),
            principal: caller.principal,
            secret: secret.digest,
            expiresAt: logState.access.end(ofRenewed: old, asked: end, at: clock())
        )
        let receipt = try await perform(RenewToken(old, as: token, by: caller.principal), request)
        guard case .access(.tokenRenewed(let issued, _, _)) = receipt.events.last?.event else {
            throw .unexpected("the last event of renewing a token is not its own")
        }
        let names = try await names(of: [caller.principal])
        return answer(issued, names[caller.principal], secret, receipt)
    }

    /// The secret is told only of a token that this request made.
    private func answer(
        _ issued: TokenRecord,
        _ name: String?,
        _ secret: TokenSecret,
        _ receipt: Receipt
    ) -> IssuedTokenAnswer {
        let isNew = receipt.freshness == .written && issued.secret == secret.digest
        return IssuedTokenAnswer(
            token: view(of: issued, name, receipt.logState),
            secret: isNew ? secret.text : nil
        )
    }

    /// The caller that a secret belongs to; `nil` for one that is unknown, revoked or expired, or of
    /// somebody who is suspended.
    package func authenticate(secret: String) throws(UseCaseError) -> Caller? {
        let logState = try logState()
        guard
            let secret = TokenSecret(secret),
            let token = logState.access.token(secret: secret.digest, at: clock())
        else { return nil }
        return Caller(principal: token.principal, authentication: .token(token.id))
    }

    /// The same for a token that may have been issued elsewhere by then: waits, not for long, until
    /// the record is known as far as that.
    ///
    /// Strangers may ask for it, so the database is asked nothing more because of it.
    package func authenticate(
        secret: String,
        knowing position: Position
    ) async throws(UseCaseError) -> Caller? {
        guard TokenSecret(secret) != nil else { return nil }
        if try logState().position < position {
            await writer.wait(for: position, patience: reachPatience)
        }
        return try authenticate(secret: secret)
    }

    /// When the caller's token ends; `nil` for one that does not, and for no token.
    package func tokenEnd(of caller: Caller) throws(UseCaseError) -> Instant? {
        guard case .token(let id) = caller.authentication else { return nil }
        return try logState().access.token(id)?.expiresAt
    }

    /// The tokens that the caller may administer, and own ones; without those that had ended by an
    /// instant, where one is named.
    package func tokens(
        since instant: Instant? = nil,
        for caller: Caller
    ) async throws(UseCaseError) -> [TokenAnswer] {
        let logState = try logState()
        let tokens = logState.access.unrevokedTokens.filter { token in
            guard let instant, let end = token.expiresAt else { return true }
            return instant < end
        }
        return try await views(of: tokens, for: caller, logState)
    }

    /// Those of some tokens that the caller may administer, and own ones.
    func views(
        of tokens: [TokenRecord],
        for caller: Caller,
        _ logState: LogState
    ) async throws(UseCaseError) -> [TokenAnswer] {
        let tokens = tokens.filter { token in
            token.principal == caller.principal
                || logState.access.places(of: token.principal).allSatisfy {
                    logState.access.permits(caller.principal, .admin, in: $0)
                }
        }
        let names = try await names(of: Set(tokens.map(\.principal)))
        return tokens.map { view(of: $0, names[$0.principal], logState) }
    }

    /// Who the caller is, what they may do, and until when their token lives.
    package func identity(of caller: Caller) async throws(UseCaseError) -> IdentityAnswer {
        let logState = try logState()
        let names = try await names(of: [caller.principal])
        var token: TokenRecord?
        if case .token(let id) = caller.authentication { token = logState.access.token(id) }
        return IdentityAnswer(
            principal: caller.principal,
            name: names[caller.principal],
            roles: logState.access.grants(of: caller.principal),
            token: token?.id,
            expiresAt: token?.expiresAt
        )
    }

    private func view(of token: TokenRecord, _ name: String?, _ logState: LogState) -> TokenAnswer {
        TokenAnswer(
            id: token.id,
            principal: token.principal,
            name: name,
            roles: logState.access.grants(of: token.principal),
            expiresAt: token.expiresAt
        )
    }
}

/// Makes signing keys and keeps their private halves; where, is not the use cases' business.
package struct KeyMaker: Sendable {
    /// Makes a key for an app and keeps it durably before it returns.
    package let make: @Sendable (AppSlug) async throws -> KeyRecord
    /// Forgets a key that never came to be used.
    package let discard: @Sendable (KeyRecord) async -> Void
    /// Has a key of an app at hand that is kept in the place, durably; nothing in a dry run.
    ///
    /// Throws ``KeyUnusable`` where somebody has to mend something first.
    package let keep: @Sendable (KeyPlace, AppSlug, WriteOptions.Mode) async throws -> KeptKey
    /// Has the key sign for trial; throws ``KeyUnusable`` where it does not.
    package let prove: @Sendable (KeyRecord) async throws -> Void

    package init(
        make: @escaping @Sendable (AppSlug) async throws -> KeyRecord,
        discard: @escaping @Sendable (KeyRecord) async -> Void,
        keep: @escaping @Sendable (KeyPlace, AppSlug, WriteOptions.Mode) async throws -> KeptKey,
        prove: @escaping @Sendable (KeyRecord) async throws -> Void
    ) {
        self.make = make
        self.discard = discard
        self.keep = keep
        self.prove = prove
    }
}

/// A key cannot be used where it is said to be; the reason is part of a sentence.
package struct KeyUnusable: Error, Equatable, Sendable {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
