import HTTPTypes
import Hummingbird
import PlimsollAPI

/// Turns away a body that says it is too large before a byte of it is read.
///
/// A body that does not say its length is counted while it is read.
struct RequestBodyLimit: RouterMiddleware {
    static let bytesMaximum = 256 * 1024

    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }),
            length > Self.bytesMaximum
        {
            throw Problem.bodyTooLarge
        }
        return try await next(request, context)
    }
}

extension Problem {
    static let bodyTooLarge = Problem(
        .tooLarge,
        detail: "The body may have at most \(RequestBodyLimit.bytesMaximum) bytes.",
        errors: [
            Fault(
                at: .header("Content-Length"),
                code: "bodyTooLarge",
                detail: "The body is larger than that.",
                remedy: "Split it into several requests."
            )
        ]
    )
}
