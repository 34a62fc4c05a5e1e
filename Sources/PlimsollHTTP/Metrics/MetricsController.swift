import CoreMetrics
import HTTPTypes
import Hummingbird
import NIOCore
import PlimsollUseCases

/// `/metrics`: what was counted and measured, for Prometheus.
struct MetricsController {
    let registry: MetricsRegistry
    let useCases: UseCases

    var routes: RouteCollection<PlimsollContext> {
        RouteCollection(context: PlimsollContext.self).get("metrics", use: show)
    }

    /// It differs every time, so it has no entity tag.
    private func show(_ request: Request, _ context: PlimsollContext) async throws -> Response {
        try QueryReader(request).finish()
        countReviews()
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: registry.exposition))
        )
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
