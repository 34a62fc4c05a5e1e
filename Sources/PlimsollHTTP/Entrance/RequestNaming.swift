import HTTPTypes
import Hummingbird
import Logging

/// Gives every request a name, which its answer and all its lines in the log carry.
///
/// A caller's own `X-Request-Id` is taken over where it is harmless in a log, and so is the trace
/// that the request is part of.
struct RequestNaming: RouterMiddleware {
    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let given = request.headers[.requestID], isHarmless(given) { context.requestID = given }
        context.trace = Trace(continuing: request.headers[values: .traceParent])
        context.logger[metadataKey: "request.id"] = .string(context.requestID)
        context.logger[metadataKey: "trace.id"] = .string(context.trace.name)
        var response = try await next(request, context)
        response.headers[.requestID] = context.requestID
        response.headers[.traceParent] = context.trace.traceparent
        return response
    }

    private func isHarmless(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
                    || [0x2D, 0x2E, 0x5F].contains($0)
            }
    }
}

extension HTTPField.Name {
    static let requestID = knownName("X-Request-Id")
    static let traceParent = knownName("traceparent")
    static let idempotencyKey = knownName("Idempotency-Key")
    static let idempotencyInput = knownName("Idempotency-Input")

    /// A name that is known to be one.
    static func knownName(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("a header's name is written in letters and hyphens")
        }
        return name
    }
}
