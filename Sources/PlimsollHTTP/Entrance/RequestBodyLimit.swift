import HTTPTypes
import Hummingbird
import PlimsollAPI

/// Turns away a body that says it is too large, or compressed, before a byte of it is read.
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
        let codings = request.headers[values: .contentEncoding]
        guard codings.allSatisfy({ $0.lowercased() == "identity" }) else {
            throw Problem.bodyEncoded
        }
        return try await next(request, context)
    }
}

extension Problem {
    fileprivate static let bodyEncoded = Problem(
        .unsupportedMediaType,
        detail: "A body is read as it is, not compressed.",
        errors: [
            Fault(
                at: .header("Content-Encoding"),
                code: "bodyEncoded",
                detail: "The header names a coding.",
                remedy: "Send the body as it is, without this header."
            )
        ]
    )

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
