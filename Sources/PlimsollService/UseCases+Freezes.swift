package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Keeps everything but rollbacks and emergencies from applying; asks for a responder or an
    /// administrator.
    package func startFreeze(
        of scope: Scope,
        reason: Reason,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> FreezeView {
        let command = StartFreeze(of: scope, reason: reason, by: request.caller.principal)
        let receipt = try await perform(command, request)
        guard let started = receipt.events.first else {
            throw .unexpected("a freeze does not begin with an event")
        }
        return FreezeView(started, of: scope)
    }

    /// Lets changes apply again; asks for a responder or an administrator.
    package func endFreeze(
        of scope: Scope,
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) {
        _ = try await perform(
            EndFreeze(of: scope, reason: reason, by: request.caller.principal),
            request
        )
    }

    /// Plans a freeze ahead; asks for a responder or an administrator.
    package func planFreeze(
        of scope: Scope,
        _ window: FreezeWindow,
        reason: Reason,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> FreezePlanView {
        let command = PlanFreeze(of: scope, window, reason: reason, by: request.caller.principal)
        return try await perform(command, request) { recorded, isReal in
            FreezePlan(recorded).map { FreezePlanView($0, in: scope, isReal: isReal) }
        }.view
    }

    /// Takes a planned freeze back before it begins; asks for a responder or an administrator.
    package func cancelFreezePlan(
        _ plan: Position,
        of scope: Scope,
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) {
        let principal = request.caller.principal
        _ = try await perform(
            CancelFreezePlan(plan, of: scope, reason: reason, by: principal),
            request
        )
    }

    /// What freezes an app, or everything, now and later; asks for a viewer, of any app for what is of
    /// everything.
    package func freezes(
        of scope: Scope,
        for caller: Caller
    ) async throws(UseCaseError) -> FreezesView {
        let (world, now) = (try world(), clock())
        switch scope {
        case .app(let slug):
            let view = try await app(slug, for: caller)
            return FreezesView(current: view.freeze, plans: view.freezePlans)
        case .all:
            let isKnown = world.apps.contains {
                world.access.permits(caller.principal, .viewer, in: .app($0.slug))
            }
            if !isKnown { try require(.viewer, of: caller, in: .all, world) }
            return FreezesView(
                current: world.serviceFreeze(at: now).map { FreezeView($0) },
                plans: world.freezePlans(of: .all).all.filter { now < $0.window.until }
                    .map { FreezePlanView($0, in: .all) }
            )
        }
    }
}
