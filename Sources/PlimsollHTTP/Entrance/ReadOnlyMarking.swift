import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollStore
import PlimsollService

/// Says on whatever is answered below `/v1`, refusals included, that the record may not be what was
/// signed, as long as that is so: what is read from it may not be what phones are served, and what
/// it does not know of may be there.
struct ReadOnlyMarking: RouterMiddleware {
    let useCases: UseCases

    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if request.uri.path.hasPrefix("/v1/"), let prohibition = useCases.prohibition {
            response.headers[.plimsollReadOnly] = prohibition.cause.problem.rawValue
        }
        return response
    }
}

extension HTTPField.Name {
    static let plimsollReadOnly = HTTPField.Name.knownName("Plimsoll-Read-Only")
}
