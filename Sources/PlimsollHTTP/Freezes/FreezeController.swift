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
                try await cancel(
                    call.names.position,
                    of: .app(call.names.app),
                    call.form,
                    call.write
                )
            },
            .write(Endpoints.cancelFreezePlanOfAll) {
                try await cancel($0.names, of: .all, $0.form, $0.write)
            },
        ]
    }

    private func show(_ scope: Scope, _ caller: Caller) async throws -> FreezesAnswer {
        try await useCases.freezes(of: scope, for: caller)
    }

    private func start(
        _ scope: Scope,
        _ form: MandatoryReasonForm,
        _ write: WriteRequest
    ) async throws -> FreezeAnswer {
        let command = StartFreeze(of: scope, reason: form.reason, by: write.caller.principal)
        return try await useCases.perform(command, write) { started, _ in
            FreezeAnswer(Freeze(started))
        }.view
    }

    private func end(_ scope: Scope, _ form: ReasonForm, _ write: WriteRequest) async throws {
        let command = EndFreeze(of: scope, reason: form.reason, by: write.caller.principal)
        try await useCases.perform(command, write)
    }

    private func plan(
        _ scope: Scope,
        _ form: FreezePlanForm,
        _ write: WriteRequest
    ) async throws -> FreezePlanAnswer {
        let (window, reason) = (form.window, form.reason)
        let command = PlanFreeze(of: scope, window, reason: reason, by: write.caller.principal)
        return try await useCases.perform(command, write) { planned, isCommitted in
            FreezePlan(planned).map { FreezePlanAnswer($0, isCommitted: isCommitted) }
        }.view
    }

    private func cancel(
        _ plan: Position,
        of scope: Scope,
        _ form: ReasonForm,
        _ write: WriteRequest
    ) async throws {
        let by = write.caller.principal
        let command = CancelFreezePlan(plan, of: scope, reason: form.reason, by: by)
        try await useCases.perform(command, write)
    }
}
