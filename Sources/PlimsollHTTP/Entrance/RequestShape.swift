package import HTTPTypes
package import Hummingbird
package import PlimsollAPI
import PlimsollService
import PlimsollStore

/// Turns away what could be read in two ways: two names of a host, and a second spelling of an
/// address.
struct RequestShape: RouterMiddleware {
    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        guard !request.namesTwoHosts else { throw Problem.hostTwice }
        guard request.isSpelledOneWay else { throw Problem.noSuchResource }
        return try await next(request, context)
    }
}

extension Request {
    /// The first one is taken for the authority and is no field any more.
    package var namesTwoHosts: Bool { headers[.secondHost] != nil }

    /// Before the first slash is nothing, and behind the last there may be nothing.
    package var isSpelledOneWay: Bool {
        uri.path.split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst().dropLast().allSatisfy { !$0.isEmpty }
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
            throw Problem.bodyTooLarge()
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

    package static func bodyTooLarge(
        most maximum: Int = RequestBodyLimit.bytesMaximum
    ) -> Problem {
        Problem(
            .tooLarge,
            detail: "The body may have at most \(maximum) bytes.",
            errors: [
                Fault(
                    at: .header("Content-Length"),
                    code: "bodyTooLarge",
                    detail: "The body is larger than that.",
                    remedy: ProblemCode.tooLarge.declaration.remedy
                )
            ]
        )
    }
}

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

/// Keeps answers out of caches, frames and guesses about their type.
///
/// It stands outside the problems, so that a refusal carries the headers too. The content policy
/// is the strictest there is: an answer of this interface loads nothing. A page that was made with
/// a policy of its own keeps it.
package struct SecurityHeaders: RouterMiddleware {
    private let fields: HTTPFields

    package init(_ fields: HTTPFields) { self.fields = fields }

    /// For what programs read.
    static let interface = SecurityHeaders([
        .cacheControl: "no-store",
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
        .xContentTypeOptions: "nosniff",
        .knownName("Referrer-Policy"): "no-referrer",
        .vary: "Accept, Authorization",
    ])

    @concurrent package func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for field in fields where response.headers[field.name] == nil {
            response.headers[field.name] = field.value
        }
        return response
    }
}

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
