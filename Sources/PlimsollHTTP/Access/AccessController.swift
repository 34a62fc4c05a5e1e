import Hummingbird
import PlimsollAPI
import PlimsollUseCases

/// `/v1/tokens`, `/v1/principals` and `/v1/me`: who may come in, and as what.
struct AccessController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .post("tokens", use: issue)
            .get("tokens", use: list)
            .delete("tokens/{token}", use: revoke)
            .get("principals", use: listPrincipals)
            .delete("principals/{principal}/name", use: eraseName)
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
        self.init(id: principal.id, name: principal.name, roles: principal.grants)
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
