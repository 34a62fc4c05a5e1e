import HTTPTypes
import Hummingbird
import PlimsollAPI

/// `/problems/{problem}`: for a person who follows the type of a problem.
struct ProblemController {
    var routes: RouteCollection<PlimsollContext> {
        RouteCollection(context: PlimsollContext.self).get("problems/{problem}", use: show)
    }

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
