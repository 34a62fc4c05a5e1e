import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/freeze` and `/v1/freeze`: nothing applies but rollbacks and emergencies.
struct FreezeController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .post("apps/{app}/freeze") { try await start(.app(try $1.app()), $0, $1) }
            .delete("apps/{app}/freeze") { try await end(.app(try $1.app()), $0, $1) }
            .post("freeze") { try await start(.all, $0, $1) }
            .delete("freeze") { try await end(.all, $0, $1) }
            .get("apps/{app}/freeze") { try await show(.app(try $1.app()), $0, $1) }
            .get("freeze") { try await show(.all, $0, $1) }
            .post("apps/{app}/freeze/plans") { try await plan(.app(try $1.app()), $0, $1) }
            .post("freeze/plans") { try await plan(.all, $0, $1) }
            .delete("apps/{app}/freeze/plans/{position}") {
                try await cancel(.app(try $1.app()), $0, $1)
            }
            .delete("freeze/plans/{position}") { try await cancel(.all, $0, $1) }
    }

    private func show(
        _ scope: Scope,
        _ request: Request,
        _ context: CallerContext
    ) async throws -> Reply {
        try QueryReader(request).finish()
        let freezes = try await useCases.freezes(of: scope, for: context.caller)
        return Reply(
            FreezesAnswer(
                freeze: freezes.current.map(FreezeAnswer.init),
                plans: freezes.plans.map(FreezePlanAnswer.init)
            )
        )
    }

    private func plan(
        _ scope: Scope,
        _ request: Request,
        _ context: CallerContext
    ) async throws -> Reply {
        let submission = try await Submission<FreezePlanForm>(request, context)
        let plan = try await useCases.planFreeze(
            of: scope,
            submission.form.window,
            reason: submission.form.reason,
            submission.write
        )
        return Reply(FreezePlanAnswer(plan), to: submission.write)
    }

    private func cancel(
        _ scope: Scope,
        _ request: Request,
        _ context: CallerContext
    ) async throws -> Response {
        let plan = try context.position()
        let submission = try await Submission<ReasonForm>(request, context)
        let reason = submission.form.reason
        try await useCases.cancelFreezePlan(plan, of: scope, reason: reason, submission.write)
        return try Reply.nothing(to: submission.write, from: request, context)
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
        self.init(
            app: freeze.scope.app,
            by: freeze.by,
            since: freeze.since,
            until: freeze.until,
            reason: freeze.reason
        )
    }
}

extension FreezePlanAnswer {
    init(_ plan: FreezePlanView) {
        self.init(
            plan: plan.id,
            app: plan.scope.app,
            window: plan.window,
            by: plan.by,
            reason: plan.reason
        )
    }
}

extension Scope {
    fileprivate var app: AppSlug? {
        if case .app(let slug) = self { slug } else { nil }
    }
}
