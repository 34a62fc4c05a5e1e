import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// Says how far the record has come that an answer knows of, and has a request wait until this
/// instance knows as much: whoever wrote at one instance goes on at another.
struct PositionMarking: RouterMiddleware {
    let useCases: UseCases

    /// Where a request says how much has to be known.
    private static let parameter = "atLeast"

    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        let isQuestion = request.method == .get || request.method == .head
        let (request, wanted) = try Self.taking(from: request)
        if let wanted, !(await useCases.reaches(wanted)) {
            throw Problem.behind(useCases.position, wanted)
        }
        let before = useCases.position
        var response = try await next(request, context)
        // What was written is known by now; what is told may be as old as the question.
        let known = isQuestion ? before : useCases.position
        response.headers[.plimsollPosition] = "\(known)"
        return response
    }

    /// What the request wants, and the request without it.
    static func taking(
        from request: Request
    ) throws(Problem) -> (request: Request, wanted: Position?) {
        guard let query = request.uri.query, query.contains(parameter) else {
            return (request, nil)
        }
        let prefix = parameter + "="
        let pairs = query.split(separator: "&", omittingEmptySubsequences: false)
        let wanted = pairs.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
        guard let text = wanted.first else { return (request, nil) }
        guard wanted.count == 1, let position = Int64(text).flatMap(Position.init(rawValue:))
        else { throw .wrong(parameter) }
        let rest = pairs.filter { !$0.hasPrefix(prefix) }.joined(separator: "&")
        var head = request.head
        head.path = request.uri.path + (rest.isEmpty ? "" : "?" + rest)
        return (Request(head: head, body: request.body), position)
    }
}

extension HTTPField.Name {
    static let plimsollPosition = HTTPField.Name.knownName("Plimsoll-Position")
}

extension Problem {
    fileprivate static func wrong(_ parameter: String) -> Problem {
        let detail = "\(parameter) needs to stand once, and to be \(Position.grammar)."
        return Problem(
            .invalidParameter,
            detail: detail,
            errors: [Fault(at: .parameter(parameter), code: "valueWrong", detail: detail)]
        )
    }

    fileprivate static func behind(_ known: Position, _ wanted: Position) -> Problem {
        Problem(
            .positionUnknown,
            detail: "This instance knows the record up to \(known), and not yet up to \(wanted)."
        )
    }
}
