import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PlimsollAPI
import PlimsollService

/// Answers every error with a problem, and writes those nobody foresaw to the log, once.
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
        switch problem.code {
        case .unauthenticated:
            let isDead =
                problem.errors == Problem.deadToken.errors ? ", error=\"invalid_token\"" : ""
            headers[.wwwAuthenticate] = "Bearer realm=\"plimsoll\"\(isDead)"
        case .tooManyRequests where headers[.retryAfter] == nil: headers[.retryAfter] = "60"
        case .unavailable, .logBehind, .logForked: headers[.retryAfter] = "2"
        default: break
        }
        let response = Response(
            status: HTTPResponse.Status(code: problem.status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: problem.bytes))
        )
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func log(_ error: any Error, _ logger: Logger) {
        logger.error("Request failed", metadata: ["error": .string(String(reflecting: error))])
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
