import HTTPTypes
import Hummingbird

/// Keeps answers out of caches, frames and guesses about their type.
///
/// It stands outside the problems, so that a refusal carries the headers too. The content policy
/// is the strictest there is: an answer of this interface loads nothing. A page that was made with
/// a policy of its own keeps it.
struct SecurityHeaders: RouterMiddleware {
    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for (name, value) in headers where response.headers[name] == nil {
            response.headers[name] = value
        }
        return response
    }

    private let headers: [(HTTPField.Name, String)] = [
        (.cacheControl, "no-store"),
        (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"),
        (.xContentTypeOptions, "nosniff"),
        (.knownName("Referrer-Policy"), "no-referrer"),
        (.vary, "Accept, Authorization"),
    ]
}
