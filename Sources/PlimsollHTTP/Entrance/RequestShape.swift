import HTTPTypes
import Hummingbird
import PlimsollAPI

/// Turns away what could be read in two ways: two names of a host, and a second spelling of an
/// address.
struct RequestShape: RouterMiddleware {
    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        // The first one is taken for the authority and is no field any more.
        guard request.headers[.secondHost] == nil else { throw Problem.hostTwice }
        let segments = request.uri.path.split(separator: "/", omittingEmptySubsequences: false)
        // Before the first slash is nothing, and behind the last there may be nothing.
        guard segments.dropFirst().dropLast().allSatisfy({ !$0.isEmpty }) else {
            throw Problem.noSuchResource
        }
        return try await next(request, context)
    }
}

extension HTTPField.Name {
    fileprivate static let secondHost = knownName("Host")
}

extension Problem {
    fileprivate static let hostTwice = Problem(
        .invalidHeader,
        detail: "The request names its host twice.",
        errors: [
            Fault(
                at: .header("Host"),
                code: "headerRepeated",
                detail: "The header stands there more than once.",
                remedy: "Send it once."
            )
        ]
    )
}
