import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/freeze` and `/v1/freeze`: nothing applies but rollbacks and emergencies.
struct FreezeController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.freezeApp) { try await start(.app($0.names), $0.form, $0.write) },
            .write(Endpoints.freezeAll) { try await start(.all, $0.form, $0.write) },
            .write(Endpoints.thawApp) { try await end(.app($0.names), $0.form, $0.write) },
            .write(Endpoints.thawAll) { try await end(.all, $0.form, $0.write) },
            .read(Endpoints.getFreeze) { try await show(.app(try $0.names()), $0.caller) },
            .read(Endpoints.getFreezeOfAll) { try await show(.all, $0.caller) },
            .write(Endpoints.planFreeze) { try await plan(.app($0.names), $0.form, $0.write) },
            .write(Endpoints.planFreezeOfAll) { try await plan(.all, $0.form, $0.write) },
            .write(Endpoints.cancelFreezePlan) { call in
                try await useCases.cancelFreezePlan(
                    call.names.position,
                    of: .app(call.names.app),
                    reason: call.form.reason,
                    call.write
                )
            },
            .write(Endpoints.cancelFreezePlanOfAll) { call in
                let reason = call.form.reason
                try await useCases.cancelFreezePlan(
                    call.names,
                    of: .all,
                    reason: reason,
                    call.write
                )
            },
        ]
    }

    private func show(_ scope: Scope, _ caller: Caller) async throws -> FreezesAnswer {
        let freezes = try await useCases.freezes(of: scope, for: caller)
        return FreezesAnswer(
            freeze: freezes.current.map(FreezeAnswer.init),
            plans: freezes.plans.map(FreezePlanAnswer.init)
        )
    }

    private func plan(
        _ scope: Scope,
        _ form: FreezePlanForm,
        _ write: WriteRequest
    ) async throws -> FreezePlanAnswer {
        FreezePlanAnswer(
            try await useCases.planFreeze(of: scope, form.window, reason: form.reason, write)
        )
    }

    private func start(
        _ scope: Scope,
        _ form: MandatoryReasonForm,
        _ write: WriteRequest
    ) async throws -> FreezeAnswer {
        FreezeAnswer(try await useCases.startFreeze(of: scope, reason: form.reason, write))
    }

    private func end(_ scope: Scope, _ form: ReasonForm, _ write: WriteRequest) async throws {
        try await useCases.endFreeze(of: scope, reason: form.reason, write)
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
