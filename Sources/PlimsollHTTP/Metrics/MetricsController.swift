import CoreMetrics
import Hummingbird
import PlimsollService

/// `/metrics`: what was counted and measured, for Prometheus.
struct MetricsController {
    let registry: MetricsRegistry
    let useCases: UseCases

    var routes: RouteCollection<PlimsollContext> {
        RouteCollection(context: PlimsollContext.self).get("metrics", use: show)
    }

    private func show(_ request: Request, _ context: PlimsollContext) async throws -> Response {
        try QueryReader(request).finish()
        countReviews()
        return registry.response
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
}
