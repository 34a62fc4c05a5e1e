import Hummingbird
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollService

/// `/v1/apps`: what is kept above the line.
struct AppController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .post("apps", use: register)
            .get("apps", use: list)
            .get("apps/{app}", use: show)
            .post("apps/{app}/default", use: chooseDefault)
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

    private func chooseDefault(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let app = try context.app()
        let submission = try await Submission<DefaultAppForm>(request, context)
        let view = try await useCases.chooseDefaultApp(
            app,
            seen: submission.form.from,
            reason: submission.form.reason,
            submission.write
        )
        let isReal = submission.write.mode == .commit
        return Reply(DefaultAppAnswer(view, isReal: isReal), to: submission.write)
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

extension DefaultAppAnswer {
    init(_ view: DefaultAppView, isReal: Bool) {
        let (app, former) = (view.app, view.former)
        let before = former.map { Document(app: $0.slug, sequence: view.published?.sequence) }
        let after = Document(app: app.slug, sequence: SnapshotSequence(orderedBy: view.position))
        let files = Platform.allCases.compactMap { platform in
            AvailabilityDocument.fileName(for: platform).map {
                (name: $0, now: former?.has(platform) ?? false, then: app.has(platform))
            }
        }
        let prince = (name: PrinceOfVersionsDocument.fileName, now: former != nil, then: true)
        self.init(
            app: app.slug,
            from: former?.slug,
            position: isReal ? view.position : nil,
            addresses: (files + [prince]).filter { $0.now || $0.then }.map {
                Address(
                    path: "/distribution/\($0.name)",
                    before: $0.now ? before : nil,
                    after: $0.then ? after : nil
                )
            },
            keysBefore: former.map { view.keyring.activeKeys(of: $0.slug).map(\.record.id) } ?? [],
            keysAfter: view.keyring.activeKeys(of: app.slug).map(\.record.id)
        )
    }
}

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
