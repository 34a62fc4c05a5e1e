import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/tokens`, `/v1/principals` and `/v1/me`: who may come in, and as what.
struct AccessController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .post("tokens", use: issue)
            .get("tokens", use: list)
            .post("tokens/renew", use: renew)
            .delete("tokens/{token}", use: revoke)
            .get("principals", use: listPrincipals)
            .delete("principals/{principal}/name", use: eraseName)
            .post("principals/{principal}/suspend", use: suspend)
            .post("principals/{principal}/resume", use: resume)
            .post("principals/{principal}/revoke-role", use: revokeRole)
            .get("me", use: identify)
    }

    private func issue(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let submission = try await Submission<TokenForm>(request, context)
        let issued = try await useCases.issueToken(
            TokenRequest(submission.form),
            submission.write
        )
        var reply = Reply(IssuedTokenAnswer(issued), to: submission.write, status: .created)
        // The secret is shown this once, whatever anybody prefers.
        reply.mayBeBrief = false
        return reply
    }

    private func renew(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let submission = try await Submission<RenewalForm>(request, context)
        let issued = try await useCases.renewToken(
            until: submission.form.expiresAt,
            submission.write
        )
        var reply = Reply(IssuedTokenAnswer(issued), to: submission.write, status: .created)
        reply.mayBeBrief = false
        return reply
    }

    private func list(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let tokens = try await useCases.tokens(for: context.caller)
        return Reply(TokenList(tokens: tokens.map(TokenAnswer.init)))
    }

    private func revoke(_ request: Request, _ context: CallerContext) async throws -> Response {
        let token = try context.token()
        let submission = try await Submission<EmptyForm>(request, context)
        try await useCases.revokeToken(token, submission.write)
        return try Reply.nothing(to: submission.write, from: request, context)
    }

    private func eraseName(_ request: Request, _ context: CallerContext) async throws -> Response {
        let principal = try context.principal()
        let submission = try await Submission<EmptyForm>(request, context)
        try await useCases.eraseName(of: principal, submission.write)
        return try Reply.nothing(to: submission.write, from: request, context)
    }

    private func suspend(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let principal = try context.principal()
        let submission = try await Submission<SuspensionForm>(request, context)
        let (reason, write) = (submission.form.reason, submission.write)
        return Reply(
            PrincipalStandingAnswer(
                try await useCases.suspend(principal, reason: reason, write)
            ),
            to: write
        )
    }

    private func resume(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let principal = try context.principal()
        let submission = try await Submission<ReasonForm>(request, context)
        let (reason, write) = (submission.form.reason, submission.write)
        return Reply(
            PrincipalStandingAnswer(try await useCases.resume(principal, reason: reason, write)),
            to: write
        )
    }

    private func revokeRole(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let principal = try context.principal()
        let submission = try await Submission<RoleRevocationForm>(request, context)
        let standing = try await useCases.revokeRole(
            submission.form.grant,
            of: principal,
            reason: submission.form.reason,
            submission.write
        )
        return Reply(PrincipalStandingAnswer(standing), to: submission.write)
    }

    private func listPrincipals(
        _ request: Request,
        _ context: CallerContext
    ) async throws -> Reply {
        try QueryReader(request).finish()
        let principals = try await useCases.principals(for: context.caller)
        return Reply(PrincipalList(principals: principals.map(PrincipalAnswer.init)))
    }

    private func identify(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        return Reply(IdentityAnswer(try await useCases.identity(of: context.caller)))
    }
}

extension TokenRequest {
    init(_ form: TokenForm) {
        self.init(
            name: form.name,
            principal: form.principal,
            grants: form.roles,
            expiresAt: form.expiresAt
        )
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
