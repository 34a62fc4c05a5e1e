package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// The policy that holds for an app, or for every app without one of its own, now or then; asks
    /// for a viewer.
    package func policy(
        of scope: Scope,
        at moment: Moment = .live,
        for caller: Caller
    ) async throws(UseCaseError) -> PolicyView {
        let world = try world()
        try require(.viewer, of: caller, in: scope, world)
        if case .app(let slug) = scope { _ = try existingApp(slug, world) }
        guard moment == .live else { return try await policy(of: scope, at: moment, world) }
        guard let since = world.policyInForce(in: scope).since else {
            return PolicyView.builtIn(in: scope).naming(gapsIn: world)
        }
        let events = try await read { try await readModels.log.events(at: [since]) }
        guard let view = events.first.flatMap({ PolicyView($0, in: scope) }) else {
            throw .unexpected("the policy in force is of event \(since), which brought none")
        }
        return view.naming(gapsIn: world)
    }

    /// Puts a policy into force; asks for an administrator.
    package func changePolicy(
        of scope: Scope,
        to policy: Policy,
        seen: Position?,
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> PolicyView {
        let (view, world) = try await perform(
            ChangePolicy(
                of: scope,
                to: policy,
                seen: seen,
                reason: reason,
                by: request.caller.principal
            ),
            request,
            seenBy: { PolicyView($0, in: scope, isReal: $1) }
        )
        return view.naming(gapsIn: world)
    }

    /// Has an app follow the default policy again; asks for an administrator.
    package func resetPolicy(
        of app: AppSlug,
        seen: Position?,
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) {
        _ = try await perform(
            ChangePolicy(
                of: .app(app),
                to: nil,
                seen: seen,
                reason: reason,
                by: request.caller.principal
            ),
            request
        )
    }

    private func policy(
        of scope: Scope,
        at moment: Moment,
        _ world: World
    ) async throws(UseCaseError) -> PolicyView {
        let position: Position
        if case .app(let slug) = scope {
            position = try await resolve(moment, of: slug, world)
            let own = try await last(.policyChanged, of: slug, upTo: position)
            if let view = own.flatMap({ PolicyView($0, in: scope) }) { return view }
        } else {
            position = try await resolve(moment, world)
        }
        let event = try await last(.defaultPolicyChanged, upTo: position)
        return event.flatMap { PolicyView($0, in: scope) } ?? .builtIn(in: scope)
    }
}

extension PolicyView {
    fileprivate func naming(gapsIn world: World) -> PolicyView {
        var view = self
        view.gaps = world.gaps(in: policy, of: scope)
        return view
    }
}
