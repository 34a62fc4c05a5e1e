import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/policy` and `/v1/apps/{app}/policy`: who has to agree to what.
struct PolicyController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.getDefaultPolicy) { try await show(.all, try $0.moment(), $0.caller) },
            .write(Endpoints.changeDefaultPolicy) {
                try await change(.all, $0.seen, $0.form, $0.write)
            },
            .read(Endpoints.getPolicy) {
                try await show(.app(try $0.names()), try $0.moment(), $0.caller)
            },
            .write(Endpoints.changePolicy) {
                try await change(.app($0.names), $0.seen, $0.form, $0.write)
            },
            .write(Endpoints.resetPolicy) { call in
                try await useCases.resetPolicy(
                    of: call.names,
                    seen: call.seen,
                    reason: call.form.reason,
                    call.write
                )
            },
        ]
    }

    private func show(
        _ scope: Scope,
        _ moment: Moment,
        _ caller: Caller
    ) async throws -> PolicyAnswer {
        let view = try await naming(at: moment.parameter) { () async throws(UseCaseError) in
            try await useCases.policy(of: scope, at: moment, for: caller)
        }
        return PolicyAnswer(view)
    }

    private func change(
        _ scope: Scope,
        _ seen: Position?,
        _ form: PolicyForm,
        _ write: WriteRequest
    ) async throws -> PolicyAnswer {
        let view = try await useCases.changePolicy(
            of: scope,
            to: form.policy,
            seen: seen,
            reason: form.reason,
            write
        )
        return PolicyAnswer(view)
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
