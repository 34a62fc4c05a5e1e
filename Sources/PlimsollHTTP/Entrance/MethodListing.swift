import HTTPTypes
import Hummingbird

/// Answers `OPTIONS` with the methods that a resource knows (RFC 9110, 9.3.7).
///
/// They are no secret, so nobody has to say who they are.
struct MethodListing: RouterMiddleware {
    let table: RouteTable

    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .options, let methods = table.methods(at: request.uri.path) else {
            return try await next(request, context)
        }
        return Response(
            status: .noContent,
            headers: [.allow: methods.joined(separator: ", ")]
        )
    }
}
