import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/tokens`, `/v1/principals` and `/v1/me`: who may come in, and as what.
struct AccessController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] { tokens + principals }

    private var tokens: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.issueToken) { call in
                IssuedTokenAnswer(try await useCases.issueToken(call.form, call.write))
            },
            .read(Endpoints.listTokens) { call in
                let tokens = try await useCases.tokens(for: call.caller)
                return TokenList(tokens: tokens.map(TokenAnswer.init))
            },
            .write(Endpoints.renewToken) { call in
                let end = call.form.expiresAt
                return IssuedTokenAnswer(try await useCases.renewToken(until: end, call.write))
            },
            .write(Endpoints.revokeToken) { call in
                try await useCases.revokeToken(call.names, call.write)
            },
            .read(Endpoints.getIdentity) { call in
                IdentityAnswer(try await useCases.identity(of: call.caller))
            },
        ]
    }

    private var principals: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listPrincipals) { call in
                let principals = try await useCases.principals(for: call.caller)
                return PrincipalList(principals: principals.map(PrincipalAnswer.init))
            },
            .write(Endpoints.eraseName) { call in
                try await useCases.eraseName(of: call.names, call.write)
            },
            .write(Endpoints.suspendPrincipal) { call in
                let reason = call.form.reason
                return PrincipalStandingAnswer(
                    try await useCases.suspend(call.names, reason: reason, call.write)
                )
            },
            .write(Endpoints.resumePrincipal) { call in
                let reason = call.form.reason
                return PrincipalStandingAnswer(
                    try await useCases.resume(call.names, reason: reason, call.write)
                )
            },
            .write(Endpoints.revokeRole) { call in
                let standing = try await useCases.revokeRole(
                    call.form.grant,
                    of: call.names,
                    reason: call.form.reason,
                    call.write
                )
                return PrincipalStandingAnswer(standing)
            },
        ]
    }
}

extension TokenAnswer {
    init(_ token: TokenView) {
        self.init(
            id: token.id,
            principal: token.principal,
            name: token.name,
            roles: token.grants,
            expiresAt: token.expiresAt
        )
    }
}

extension PrincipalAnswer {
    init(_ principal: PrincipalView) {
        self.init(
            id: principal.id,
            name: principal.name,
            roles: principal.grants,
            suspension: principal.suspension.map {
                SuspensionAnswer(by: $0.by, since: $0.at, reason: $0.reason)
            }
        )
    }
}

extension PrincipalStandingAnswer {
    init(_ standing: PrincipalStandingView) {
        self.init(
            principal: PrincipalAnswer(standing.principal),
            tokensOfOthers: standing.tokensOfOthers.map(TokenAnswer.init)
        )
    }
}

extension IssuedTokenAnswer {
    init(_ issued: IssuedToken) {
        self.init(token: TokenAnswer(issued.token), secret: issued.secret)
    }
}

extension IdentityAnswer {
    init(_ identity: IdentityView) {
        self.init(
            principal: identity.principal,
            name: identity.name,
            roles: identity.grants,
            token: identity.token,
            expiresAt: identity.expiresAt
        )
    }
}
