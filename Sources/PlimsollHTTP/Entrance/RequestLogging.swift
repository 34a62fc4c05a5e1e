import Hummingbird
import Logging

/// Writes one line for every request, and binds its logger for all that is called below.
struct RequestLogging: RouterMiddleware {
    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        let started = ContinuousClock.now
        let response = try await next(request, context)
        context.logger.info(
            "Request answered",
            metadata: [
                "http.method": .string(request.method.rawValue),
                "http.path": .string(request.uri.path),
                "http.status": .stringConvertible(response.status.code),
                "duration": .string("\(ContinuousClock.now - started)"),
            ]
        )
        return response
    }
}
