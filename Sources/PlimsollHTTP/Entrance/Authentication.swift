import Foundation
package import HTTPTypes
package import Hummingbird
import Logging
import Metrics
package import NIOCore
import PlimsollAPI
package import PlimsollDomain
package import PlimsollService

/// What is known of a request before anybody has been asked who they are.
package struct PlimsollContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The name under which the log and the answer know the request.
    package internal(set) var requestID: String
    /// The trace that the request is part of.
    var trace = Trace()
    /// Who asks, once the token has been looked at.
    package internal(set) var caller: Caller?
    /// What the answer is to be written in.
    var format = ContentType.json
    /// The connection that it came over; `nil` where it came from within the process.
    package let channel: (any Channel)?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        requestID = UUID().uuidString.lowercased()
    }

    /// What is asked within the answering of another request, by somebody who is known.
    init(within outer: PlimsollContext, for caller: Caller) {
        coreContext = CoreRequestContextStorage(source: LoggerSource(logger: outer.logger))
        channel = nil
        (requestID, trace, self.caller) = (outer.requestID, outer.trace, caller)
    }

    package var maxUploadSize: Int { RequestBodyLimit.bytesMaximum }
}

/// A request that comes over no channel of its own.
private struct LoggerSource: RequestContextSource {
    let logger: Logger
}

/// What is known of a request whose caller has been established.
///
/// Routes that need somebody take this context, so that one without a caller does not compile.
struct CallerContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    let requestID: String
    let trace: Trace
    let caller: Caller
    let format: ContentType

    init(context: PlimsollContext) throws {
        guard let caller = context.caller else { throw Problem.unauthenticated }
        coreContext = context.coreContext
        requestID = context.requestID
        trace = context.trace
        self.caller = caller
        format = context.format
    }

    var maxUploadSize: Int { RequestBodyLimit.bytesMaximum }
}

extension CallerContext {
    /// Who looks into the record is itself written down, though not in the record.
    func noteReading(_ request: Request, as form: ContentType? = nil) {
        Counter(
            label: "plimsoll.audit.reads",
            dimensions: [("form", (form ?? format).rawValue)]
        ).increment()
        logger.notice(
            "The record was read",
            metadata: [
                "principal": .string(caller.principal.text),
                "path": .string(request.uri.path),
                "query": .string(request.uri.query ?? ""),
            ]
        )
    }
}

/// Finds out whose token a request carries; without a living one it ends here.
///
/// Nothing that comes over the network is of somebody who is known already.
///
/// Whoever has a token that ends is told when, with every answer that is no refusal.
struct Authentication: RouterMiddleware {
    let useCases: UseCases

    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        guard context.caller == nil else { return try await next(request, context) }
        guard let secret = request.headers.bearerToken else { throw Problem.unauthenticated }
        guard let caller = try await caller(with: secret, request) else { throw Problem.deadToken }
        var context = context
        context.caller = caller
        context.logger[metadataKey: "principal.id"] = .string(caller.principal.text)
        let end = try useCases.tokenEnd(of: caller)
        var response = try await next(request, context)
        response.headers[.plimsollTokenEnd] = end?.rfc3339
        return response
    }

    /// Whose token it is; one that is not known is looked for once more where the request says how much
    /// has to be known.
    private func caller(with secret: String, _ request: Request) async throws -> Caller? {
        if let known = try useCases.authenticate(secret: secret) { return known }
        guard let wanted = (try? PositionMarking.taking(from: request))?.wanted else { return nil }
        return try await useCases.authenticate(secret: secret, knowing: wanted)
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
