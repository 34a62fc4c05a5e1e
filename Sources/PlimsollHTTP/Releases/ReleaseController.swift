import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/releases`: the versions that are known to exist, and what they need.
struct ReleaseController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .get("apps/{app}/releases", use: list)
            .put("apps/{app}/releases/{platform}/{version}", use: register)
            .post("apps/{app}/releases/{platform}/{version}/amend", use: amend)
            .delete("apps/{app}/releases/{platform}/{version}", use: withdraw)
    }

    private func list(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let app = try context.app()
        var query = QueryReader(request)
        let moment = query.moment()
        let platforms = query.all("platform", Platform.grammar, Platform.init(rawValue:))
        try query.finish()
        let view = try await naming(at: moment.parameter) { () async throws(UseCaseError) in
            try await useCases.releases(of: app, at: moment, for: context.caller)
        }
        let releases = view.book.all.filter {
            platforms.isEmpty || platforms.contains($0.platform)
        }
        return Reply(ReleaseList(app: app, position: view.position, releases: releases))
    }

    private func register(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let (app, platform, version) = try context.release()
        let submission = try await Submission<ReleaseForm>(request, context)
        let facts = submission.form.facts
        let release = try await useCases.registerRelease(
            Release(platform: platform, version: version, facts: facts),
            of: app,
            reason: submission.form.reason,
            submission.write
        )
        return Reply(ReleaseAnswer(release), to: submission.write)
    }

    private func amend(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let (app, platform, version) = try context.release()
        let submission = try await Submission<ReleaseAmendmentForm>(request, context)
        let release = try await useCases.amendRelease(
            version,
            on: platform,
            of: app,
            edits: submission.form.edits,
            reason: submission.form.reason,
            submission.write
        )
        return Reply(ReleaseAnswer(release), to: submission.write)
    }

    private func withdraw(
        _ request: Request,
        _ context: CallerContext
    ) async throws -> Response {
        let (app, platform, version) = try context.release()
        let submission = try await Submission<ReasonForm>(request, context)
        try await useCases.withdrawRelease(
            version,
            on: platform,
            of: app,
            reason: submission.form.reason,
            submission.write
        )
        return try Reply.nothing(to: submission.write, from: request, context)
    }
}

extension CallerContext {
    /// The release that an address names.
    fileprivate func release() throws(Problem) -> (AppSlug, Platform, VersionValue) {
        let (app, platform) = (try app(), try platform())
        return (app, platform, try version(platform.versionKind))
    }
}
