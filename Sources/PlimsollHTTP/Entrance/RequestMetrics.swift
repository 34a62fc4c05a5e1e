import Hummingbird
import Metrics

/// Counts requests and takes their time, by route, method and status.
struct RequestMetrics: RouterMiddleware {
    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        let started = ContinuousClock.now
        let response = try await next(request, context)
        let dimensions = [
            ("method", knownMethods.contains(request.method) ? request.method.rawValue : "other"),
            ("route", context.endpointPath ?? "unknown"),
            ("status", String(response.status.code)),
        ]
        Counter(label: "plimsoll.http.requests", dimensions: dimensions).increment()
        Metrics.Timer(label: "plimsoll.http.request.duration", dimensions: dimensions)
            .recordNanoseconds((ContinuousClock.now - started).nanoseconds)
        return response
    }

    /// Whatever else a caller makes up must not make a new time series.
    private let knownMethods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options,
    ]
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
