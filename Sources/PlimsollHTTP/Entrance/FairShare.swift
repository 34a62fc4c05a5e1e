import Hummingbird
import PlimsollAPI
import PlimsollService

/// Lets nobody ask for so much that others have to wait.
struct FairShare: RouterMiddleware {
    let allowances: Allowances

    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        guard let principal = context.caller?.principal else { throw Problem.unauthenticated }
        let kind = kind(of: request)
        try allowances.begin(principal, kind)
        defer { allowances.end(principal, kind) }
        return try await next(request, context)
    }

    private func kind(of request: Request) -> Allowances.Kind {
        let last = request.uri.path.split(separator: "/").last ?? ""
        let isEmergency = ["rollback", "block", "emergency", "freeze"].contains(last)
        return isEmergency && request.method != .get ? .emergency : .usual
    }
}
