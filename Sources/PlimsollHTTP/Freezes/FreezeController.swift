import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollUseCases

/// `/v1/apps/{app}/freeze` and `/v1/freeze`: nothing applies but rollbacks and emergencies.
struct FreezeController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .post("apps/{app}/freeze") { try await start(.app(try $1.app()), $0, $1) }
            .delete("apps/{app}/freeze") { try await end(.app(try $1.app()), $0, $1) }
            .post("freeze") { try await start(.all, $0, $1) }
            .delete("freeze") { try await end(.all, $0, $1) }
    }

    private func start(
        _ scope: Scope,
        _ request: Request,
        _ context: CallerContext
    ) async throws -> Reply {
        let submission = try await Submission<FreezeForm>(request, context)
        let freeze = try await useCases.startFreeze(
            of: scope,
            reason: submission.form.reason,
            submission.write
        )
        return Reply(FreezeAnswer(freeze), to: submission.write)
    }

    private func end(
        _ scope: Scope,
        _ request: Request,
        _ context: CallerContext
    ) async throws -> Response {
        let submission = try await Submission<ReasonForm>(request, context)
        let reason = submission.form.reason
        try await useCases.endFreeze(of: scope, reason: reason, submission.write)
        return try Reply.nothing(to: submission.write, from: request, context)
    }
}

extension FreezeAnswer {
    init(_ freeze: FreezeView) {
        var app: AppSlug?
        if case .app(let slug) = freeze.scope { app = slug }
        self.init(app: app, by: freeze.by, since: freeze.since, reason: freeze.reason)
    }
}
