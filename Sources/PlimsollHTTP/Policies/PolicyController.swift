import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/policy` and `/v1/apps/{app}/policy`: who has to agree to what.
struct PolicyController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .get("policy") { try await show(.all, $0, $1) }
            .put("policy") { try await change(.all, $0, $1) }
            .get("apps/{app}/policy") { try await show(.app(try $1.app()), $0, $1) }
            .put("apps/{app}/policy") { try await change(.app(try $1.app()), $0, $1) }
            .delete("apps/{app}/policy", use: reset)
    }

    private func show(
        _ scope: Scope,
        _ request: Request,
        _ context: CallerContext
    ) async throws -> Reply {
        var query = QueryReader(request)
        let moment = query.moment()
        try query.finish()
        let view = try await naming(at: moment.parameter) { () async throws(UseCaseError) in
            try await useCases.policy(of: scope, at: moment, for: context.caller)
        }
        let answer = PolicyAnswer(view)
        return Reply(answer, tag: EntityTag(of: answer))
    }

    private func change(
        _ scope: Scope,
        _ request: Request,
        _ context: CallerContext
    ) async throws -> Reply {
        let seen = try Position(ifMatch: request.headers)
        let submission = try await Submission<PolicyForm>(request, context)
        let answer = PolicyAnswer(
            try await useCases.changePolicy(
                of: scope,
                to: submission.form.policy,
                seen: seen,
                reason: submission.form.reason,
                submission.write
            )
        )
        return Reply(answer, to: submission.write, tag: EntityTag(of: answer))
    }

    private func reset(_ request: Request, _ context: CallerContext) async throws -> Response {
        let (app, seen) = (try context.app(), try Position(ifMatch: request.headers))
        let submission = try await Submission<ReasonForm>(request, context)
        let reason = submission.form.reason
        try await useCases.resetPolicy(of: app, seen: seen, reason: reason, submission.write)
        return try Reply.nothing(to: submission.write, from: request, context)
    }
}

extension PolicyAnswer {
    init(_ view: PolicyView) {
        var app: AppSlug?
        if case .app(let slug) = view.scope { app = slug }
        self.init(
            app: app,
            source: view.isOwn ? .app : view.decision == nil ? .builtIn : .default,
            decision: view.decision.map {
                Decision(position: $0.position, by: $0.by, since: $0.at, reason: $0.reason)
            },
            policy: view.policy,
            warnings: view.gaps.map { $0.sentence() }
        )
    }
}
