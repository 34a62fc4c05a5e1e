package import HTTPTypes
import Hummingbird
import Logging
import PlimsollAPI
package import PlimsollDomain
package import PlimsollService

/// Finds out whose token a request carries; without a living one it ends here.
///
/// Whoever has a token that ends is told when, with every answer that is no refusal.
struct Authentication: RouterMiddleware {
    let useCases: UseCases

    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        guard let secret = request.headers.bearerToken else { throw Problem.unauthenticated }
        guard let caller = try useCases.authenticate(secret: secret) else {
            throw Problem.deadToken
        }
        var context = context
        context.caller = caller
        context.logger[metadataKey: "principal.id"] = .string(caller.principal.text)
        let end = try useCases.tokenEnd(of: caller)
        var response = try await next(request, context)
        response.headers[.plimsollTokenEnd] = end?.rfc3339
        return response
    }
}

extension HTTPField.Name {
    static let plimsollTokenEnd = HTTPField.Name.knownName("Plimsoll-Token-End")
}

extension HTTPFields {
    /// The scheme is compared without regard to case (RFC 9110, 11.1).
    fileprivate var bearerToken: String? {
        let values = self[values: .authorization]
        guard values.count == 1, let value = values.first else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        let token = parts[1].trimmingPrefix { $0 == " " }
        return token.hasPrefix("plm_") ? String(token) : nil
    }
}

extension UseCases {
    /// Whose valid token the fields of a request carry.
    package func principal(of fields: HTTPFields) -> PrincipalID? {
        // Before the log is read nobody is known.
        fields.bearerToken.flatMap { try? authenticate(secret: $0)?.principal }
    }
}

extension Problem {
    static let unauthenticated = Problem(
        .unauthenticated,
        detail: "Send a token in the header Authorization, as \"Bearer plm_…\"."
    )

    static let deadToken = Problem(
        .unauthenticated,
        detail: "The token is unknown, has expired or was revoked, or whose it is was suspended.",
        errors: [
            Fault(
                at: .header("Authorization"),
                code: "invalidToken",
                detail: "No valid token has this secret; it may be revoked or expired.",
                remedy: "Ask an administrator for a new token."
            )
        ]
    )
}
