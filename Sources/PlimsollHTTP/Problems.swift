import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
package import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollService
import PlimsollStore

/// Answers every error with a problem, and writes the unexpected ones to the log, once.
struct ProblemAnswering: RouterMiddleware {
    let table: RouteTable

    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            var problem = Problem(error)
            if problem.code == .internalError { log(error, context.logger) }
            var headers = (error as? LimitReached)?.fields ?? [:]
            if problem == .noSuchResource, let methods = table.methods(at: request.uri.path) {
                problem = .methodNotAllowed(request.method, methods)
                headers[.allow] = methods.joined(separator: ", ")
            }
            problem.instance = request.uri.path
            problem.requestID = context.requestID
            return response(problem, headers, to: request)
        }
    }

    private func response(
        _ problem: Problem,
        _ headers: HTTPFields,
        to request: Request
    ) -> Response {
        var headers = headers
        headers[.contentType] = Problem.mediaType
        // What is not there yet may be there in a moment, and no cache is to say otherwise.
        headers[.cacheControl] = "no-store"
        if problem.code == .unauthenticated {
            let isDead =
                problem.errors == Problem.deadToken.errors ? ", error=\"invalid_token\"" : ""
            headers[.wwwAuthenticate] = "Bearer realm=\"plimsoll\"\(isDead)"
        }
        if headers[.retryAfter] == nil, let seconds = problem.code?.declaration.retryAfter {
            headers[.retryAfter] = String(seconds)
        }
        let response = Response(
            status: HTTPResponse.Status(code: problem.status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: problem.bytes))
        )
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func log(_ error: any Error, _ logger: Logger) {
        logger.error("Request failed", metadata: ["error": "\(type(of: error)): \(error)"])
    }
}

extension Problem {
    static func methodNotAllowed(_ method: HTTPRequest.Method, _ allowed: [String]) -> Problem {
        Problem(
            .methodNotAllowed,
            detail: "\(method.rawValue) is not known here; "
                + "\(allowed.joined(separator: ", ")) can be used."
        )
    }
}

extension Problem {
    /// What somebody is told of an error; the one place where errors become problems.
    ///
    /// Of an error that is not expected they are told nothing but the request's name, under which
    /// the log says the rest.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let reached as LimitReached: self = reached.problem
        case let error as UseCaseError: self.init(error)
        case let error as HTTPError where error.status == .notFound: self = .noSuchResource
        case is NIOTooManyBytesError: self = .bodyTooLarge()
        case let error as HTTPError where error.status == .contentTooLarge: self = .bodyTooLarge()
        default: self = .internalError
        }
    }

    private init(_ error: UseCaseError) {
        switch error {
        case .refused(let refusal): self.init(refusal)
        case .tokenDead: self = .deadToken
        case .keyReused:
            self.init(
                .keyReused,
                detail: "This idempotency key was used before, for another request.",
                errors: [
                    Fault(
                        at: .header("Idempotency-Key"),
                        code: "keyReused",
                        detail: "The earlier request with this key said something else.",
                        remedy: "Send a new key with a new request."
                    )
                ]
            )
        case .storeAway:
            self.init(
                .unavailable,
                detail: "The database cannot be reached or does not answer in time, or what became"
                    + " of the write is not known. The same request with the same Idempotency-Key"
                    + " is safe to send again."
            )
        case .readOnly(let prohibition):
            self.init(prohibition.cause.problem, detail: prohibition.sentence)
        case .problem(let problem): self = problem
        case .unexpected: self = .internalError
        }
    }

    private init(_ refusal: Refusal) {
        let faults = refusal.objections.map { objection in
            Fault(
                at: objection.pointer.map(Place.body) ?? objection.header.map(Place.header),
                code: objection.code,
                detail: objection.detail,
                remedy: objection.remedy
            )
        }
        let kind = ObjectionKind.weightiest(of: refusal.objections.map(\.kind))
        let detail =
            faults.count == 1
            ? faults[0].detail : "\(faults.count) things stand in the way; see the errors."
        self.init(kind.problem, detail: detail, errors: faults)
    }

    static let internalError = Problem(
        .internalError,
        detail: "An unexpected error. Tell the operator the request's id; the log has the rest."
    )

    package static let noSuchResource = Problem(
        .notFound,
        detail: "There is nothing at this address."
    )
}

extension Prohibition.Cause {
    var problem: ProblemCode {
        switch self {
        case .logBehind: .logBehind
        case .logForked: .logForked
        case .logDamaged: .logDamaged
        }
    }
}

extension Objection {
    /// The header it objects to: what a decision binds to stands in none of its members.
    fileprivate var header: String? { kind == .stale || kind == .unseen ? "If-Match" : nil }
}

extension ObjectionKind {
    var problem: ProblemCode {
        switch self {
        case .unknown: .notFound
        case .forbidden: .forbidden
        case .tooMuch: .tooManyRequests
        case .conflict: .conflict
        case .stale: .stale
        case .unseen: .preconditionRequired
        case .noOperation: .nothingToDo
        case .invalid: .invalidRequest
        }
    }
}

/// `/problems/{problem}`: for a person who follows the type of a problem.
struct ProblemController {
    var handler: EndpointHandler<PlimsollContext> { .raw(Endpoints.getProblem, show) }

    private func show(_ request: Request, _ context: PlimsollContext) async throws -> Reply {
        try QueryReader(request).finish()
        guard let code = context.parameters.get("problem").flatMap(ProblemCode.init(rawValue:))
        else { throw Problem.unknownProblem }
        var reply = Reply(bytes: Array(ProblemPage(code).html.text.utf8), mediaType: .html)
        reply.headers[.contentSecurityPolicy] = ProblemPage.policy
        reply.headers[.cacheControl] = "public, max-age=3600"
        return reply
    }
}

extension Problem {
    fileprivate static let unknownProblem: Problem = {
        let fault = Fault(
            at: .parameter("problem"),
            code: "problemUnknown",
            detail: "There is no kind of problem with this name."
        )
        return Problem(.notFound, detail: fault.detail, errors: [fault])
    }()
}

/// The page that a problem's type leads to: what it means, how to clear it, and an example.
struct ProblemPage {
    let html: HTML

    init(_ code: ProblemCode) {
        let declaration = code.declaration
        html = """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(code.title) – Plimsoll</title>
            <style>\(ProblemPage.style)</style>
            <h1>\(code.title)</h1>
            <p><code>\(code.type)</code>, status \(String(code.status))</p>
            <h2>What it means</h2>
            <p>\(HTML(sentence: capitalized(declaration.meaning))).</p>
            <h2>How to clear it</h2>
            <p>\(HTML(sentence: declaration.remedy))</p>
            <h2>An example</h2>
            <pre>\(example(of: code))</pre>
            </html>

            """
    }

    /// Loads nothing; the one style is allowed by its digest (CSP 3, 2.3.1).
    static let policy =
        "default-src 'none'; style-src 'sha256-\(digest(of: style.text))'; base-uri 'none';"
        + " form-action 'none'; frame-ancestors 'none'"

    private static let style: HTML = """
        body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}\
        pre{overflow:auto;padding:1rem;background:#8881;border-radius:.3rem}\
        :root{color-scheme:light dark}
        """
}

private func digest(of text: String) -> String {
    Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
}

/// A sentence that begins with code keeps its letters.
private func capitalized(_ sentence: String) -> String {
    sentence.prefix(1).uppercased() + sentence.dropFirst()
}

private func example(of code: ProblemCode) -> String {
    let problem = code.example
    let lines = [
        "HTTP/1.1 \(code.status)", "Content-Type: \(Problem.mediaType)", "",
        String(decoding: problem.bytes, as: UTF8.self),
    ]
    return lines.joined(separator: "\n")
}
