import Hummingbird
import PlimsollAPI
import PlimsollService

/// `/healthz` and `/readyz`: for those who start, stop and watch the service.
///
/// Nobody has to say who they are.
struct HealthController {
    private let useCases: UseCases
    private let isOpened: @Sendable () -> Bool
    private let stopSignal: StopSignal

    init(_ dependencies: Dependencies) {
        useCases = dependencies.useCases
        isOpened = dependencies.isOpened
        stopSignal = dependencies.stopSignal
    }

    var handlers: [EndpointHandler<PlimsollContext>] {
        [.raw(Endpoints.getHealth, health), .raw(Endpoints.getReadiness, readiness)]
    }

    private func health(_ request: Request, _ context: PlimsollContext) async throws -> Reply {
        try QueryReader(request).finish()
        return Reply(HealthAnswer.alive)
    }

    private func readiness(_ request: Request, _ context: PlimsollContext) async throws -> Reply {
        try QueryReader(request).finish()
        if stopSignal.isUp { throw Problem.notReady(["The service is stopping."]) }
        switch useCases.readiness {
        case .ready where isOpened(): return Reply(HealthAnswer.ready)
        case .ready:
            throw Problem.notReady(["The first administrator has not been let in yet."])
        case .readsOnly(let prohibition): throw UseCaseError.readOnly(prohibition)
        case .notReady(let sentences): throw Problem.notReady(sentences)
        }
    }
}

extension Problem {
    fileprivate static func notReady(_ sentences: [String]) -> Problem {
        Problem(
            .unavailable,
            detail: "The service is not ready.",
            errors: sentences.map { Fault(at: nil, code: "notReady", detail: $0) }
        )
    }
}
