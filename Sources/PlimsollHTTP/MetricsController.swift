import Hummingbird
import Metrics
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/metrics`: what was counted and measured, for Prometheus.
struct MetricsController {
    private let registry: MetricsRegistry
    private let useCases: UseCases
    private let isReady: @Sendable () -> Bool

    init(_ dependencies: Dependencies) {
        registry = dependencies.metrics
        useCases = dependencies.useCases
        isReady = { dependencies.isReady }
    }

    var handler: EndpointHandler<PlimsollContext> { .raw(Endpoints.getMetrics, show) }

    private func show(_ request: Request, _ context: PlimsollContext) async throws -> Response {
        try QueryReader(request).finish()
        tellReadiness()
        countReviews()
        tellLogCheck()
        tellClock()
        tellVerification()
        tellLateness()
        return registry.response
    }

    /// Whoever watches need not ask twice.
    private func tellReadiness() {
        Gauge(label: "plimsoll.ready", factory: registry).record(isReady() ? 1 : 0)
    }

    /// What is overdue becomes so by the clock, so it is counted when somebody looks.
    ///
    /// Nobody has to say who they are here, so no app is named.
    private func countReviews() {
        guard let count = useCases.reviewCount else { return }
        let gauges = [
            ("plimsoll.reviews.open", count.open), ("plimsoll.reviews.overdue", count.overdue),
        ]
        for (label, number) in gauges {
            registry.makeRecorder(label: label, dimensions: [], aggregate: false)
                .record(Int64(number))
        }
    }

    /// What is not looked at grows old by the clock as well.
    private func tellLogCheck() {
        guard let (head, age) = useCases.logCheck else { return }
        Gauge(label: "plimsoll.log.head.position", factory: registry).record(head.rawValue)
        Gauge(label: "plimsoll.log.check.age.seconds", factory: registry).record(age / .seconds(1))
    }

    /// What the database said of the time is good for a while only, and an outage is no look.
    private func tellClock() {
        guard let isTrusted = useCases.isClockTrusted else { return }
        Gauge(label: "plimsoll.clock.trusted", factory: registry).record(isTrusted ? 1 : 0)
    }

    private func tellVerification() {
        guard let age = useCases.verificationAge else { return }
        Gauge(label: "plimsoll.verifier.round.age.seconds", factory: registry)
            .record(age / .seconds(1))
    }

    /// Whoever should keep an appointment may be who hangs.
    private func tellLateness() {
        guard let lateness = useCases.lateness else { return }
        Gauge(label: "plimsoll.schedules.overdue.seconds", factory: registry)
            .record(lateness / .seconds(1))
    }
}
