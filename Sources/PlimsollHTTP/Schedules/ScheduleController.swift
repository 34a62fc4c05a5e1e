import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/changes/{change}/schedule`: when an open change comes into force, and when it ends.
struct ScheduleController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .post("changes/{change}/schedule", use: schedule)
    }

    private func schedule(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let (id, seen) = (try context.change(), try ChangeDigest(ifMatch: request.headers))
        let submission = try await Submission<SchedulingForm>(request, context)
        let schedule = submission.form.schedule
        let write = submission.write
        return Reply(
            decided: try await useCases.schedule(id, schedule, seen: seen, write),
            write
        )
    }
}
