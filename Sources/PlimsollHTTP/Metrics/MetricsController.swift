import HTTPTypes
import Hummingbird
import NIOCore

/// `/metrics`: what was counted and measured, for Prometheus.
struct MetricsController {
    let registry: MetricsRegistry

    var routes: RouteCollection<PlimsollContext> {
        RouteCollection(context: PlimsollContext.self).get("metrics", use: show)
    }

    /// It differs every time, so it has no entity tag.
    private func show(_ request: Request, _ context: PlimsollContext) async throws -> Response {
        try QueryReader(request).finish()
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: registry.exposition))
        )
    }
}
