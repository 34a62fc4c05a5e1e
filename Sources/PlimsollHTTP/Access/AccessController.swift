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
                try await useCases.issueToken(call.form, call.write)
            },
            .read(Endpoints.listTokens) { call in
                TokenList(tokens: try await useCases.tokens(for: call.caller))
            },
            .write(Endpoints.renewToken) { call in
                try await useCases.renewToken(until: call.form.expiresAt, call.write)
            },
            .write(Endpoints.revokeToken) { call in
                try await useCases.revokeToken(call.names, call.write)
            },
            .read(Endpoints.getIdentity) { call in
                try await useCases.identity(of: call.caller)
            },
        ]
    }

    private var principals: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listPrincipals) { call in
                PrincipalList(principals: try await useCases.principals(for: call.caller))
            },
            .write(Endpoints.eraseName) { call in
                try await useCases.eraseName(of: call.names, call.write)
            },
            .write(Endpoints.suspendPrincipal) { call in
                try await useCases.suspend(call.names, reason: call.form.reason, call.write)
            },
            .write(Endpoints.resumePrincipal) { call in
                try await useCases.resume(call.names, reason: call.form.reason, call.write)
            },
            .write(Endpoints.revokeRole) { call in
                try await useCases.revokeRole(
                    call.form.grant,
                    of: call.names,
                    reason: call.form.reason,
                    call.write
                )
            },
        ]
    }
}
