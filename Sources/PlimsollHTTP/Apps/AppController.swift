import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollUseCases

/// `/v1/apps`: what is kept above the line.
struct AppController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .post("apps", use: register)
            .get("apps", use: list)
            .get("apps/{app}", use: show)
    }

    private func register(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let submission = try await Submission<RegistrationForm>(request, context)
        let app = try await useCases.registerApp(
            AppRegistration(submission.form),
            submission.write
        )
        return Reply(
            AppAnswer(app),
            to: submission.write,
            status: .created,
            location: "/v1/apps/\(app.slug)"
        )
    }

    private func list(_ request: Request, _ context: CallerContext) async throws -> Reply {
        var query = QueryReader(request)
        let moment = query.moment()
        try query.finish()
        let apps = try await naming(at: moment.parameter) { () async throws(UseCaseError) in
            try await useCases.apps(at: moment, for: context.caller)
        }
        return Reply(AppList(apps: apps.map(AppAnswer.init)))
    }

    private func show(_ request: Request, _ context: CallerContext) async throws -> Reply {
        var query = QueryReader(request)
        let moment = query.moment()
        try query.finish()
        let app = try context.app()
        let view = try await naming(at: moment.parameter) { () async throws(UseCaseError) in
            try await useCases.app(app, at: moment, for: context.caller)
        }
        return Reply(AppAnswer(view))
    }
}

extension AppRegistration {
    init(_ form: RegistrationForm) {
        self.init(slug: form.slug, settings: form.settings, isDefault: form.isDefault)
    }
}

extension AppAnswer {
    init(_ app: AppView) {
        self.init(
            slug: app.slug,
            settings: app.settings,
            isDefault: app.isDefault,
            position: app.position,
            sequence: app.published?.sequence,
            freeze: app.freeze.map(FreezeAnswer.init),
            freezePlans: app.freezePlans.map(FreezePlanAnswer.init)
        )
    }
}
