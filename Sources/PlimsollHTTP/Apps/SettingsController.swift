import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/settings`: what an app is called, where it is kept and in which languages.
struct SettingsController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .get("apps/{app}/settings", use: show)
            .put("apps/{app}/settings", use: change)
    }

    private func show(_ request: Request, _ context: CallerContext) async throws -> Reply {
        var query = QueryReader(request)
        let moment = query.moment()
        try query.finish()
        let app = try context.app()
        let view = try await naming(at: moment.parameter) { () async throws(UseCaseError) in
            try await useCases.settings(of: app, at: moment, for: context.caller)
        }
        let answer = SettingsAnswer(view)
        return Reply(answer, tag: EntityTag(of: answer))
    }

    private func change(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let app = try context.app()
        let seen = try Position(ifMatchOfSettings: request.headers)
        let submission = try await Submission<SettingsForm>(request, context)
        let answer = SettingsAnswer(
            try await useCases.changeSettings(
                of: app,
                to: submission.form.settings,
                seen: seen,
                reason: submission.form.reason,
                submission.write
            )
        )
        return Reply(answer, to: submission.write, tag: EntityTag(of: answer))
    }
}

extension SettingsAnswer {
    init(_ view: SettingsView) {
        self.init(
            app: view.app,
            settings: view.settings,
            position: view.position,
            by: view.by,
            since: view.since,
            reason: view.reason,
            refusedBy: view.unread.map { SimulationAnswer.Refuser($0) }
        )
    }
}
