import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/changes/{change}/override`: why what a check found is right.
struct CheckController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .post("changes/{change}/override", use: override)
    }

    private func override(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let (id, seen) = (try context.change(), try ChangeDigest(ifMatch: request.headers))
        let submission = try await Submission<OverrideForm>(request, context)
        let view = try await useCases.overrideCheck(
            submission.form.check,
            of: id,
            seen: seen,
            reason: submission.form.reason,
            submission.write
        )
        let answer = ChangeAnswer(view)
        return Reply(answer, to: submission.write, tag: EntityTag(of: answer))
    }
}

extension CheckAnswer {
    init(_ result: CheckResult) {
        self.init(
            finding: result.finding,
            severity: result.rule.severity,
            overridableBy: result.rule.overridableBy,
            overriddenBy: result.overriddenBy
        )
    }
}
