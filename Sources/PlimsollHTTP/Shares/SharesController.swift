import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/shares/{platform}`: how many devices were counted with which versions.
struct SharesController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .get("apps/{app}/shares/{platform}", use: show)
            .put("apps/{app}/shares/{platform}", use: replace)
            .delete("apps/{app}/shares/{platform}", use: remove)
    }

    private func show(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let (app, platform) = (try context.app(), try context.platform())
        let shares = try await naming { () async throws(UseCaseError) in
            try useCases.versionShares(of: app, on: platform, for: context.caller)
        }
        return Reply(VersionSharesAnswer(app: app, platform: platform, shares: shares))
    }

    private func replace(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let (app, platform) = (try context.app(), try context.platform())
        let submission = try await Submission<VersionSharesForm>(request, context)
        let shares = submission.form.shares
        try await useCases.replaceVersionShares(
            of: app,
            on: platform,
            with: shares,
            reason: submission.form.reason,
            submission.write
        )
        let answer = VersionSharesAnswer(app: app, platform: platform, shares: shares)
        return Reply(answer, to: submission.write)
    }

    private func remove(_ request: Request, _ context: CallerContext) async throws -> Response {
        let (app, platform) = (try context.app(), try context.platform())
        let submission = try await Submission<ReasonForm>(request, context)
        try await useCases.removeVersionShares(
            of: app,
            on: platform,
            reason: submission.form.reason,
            submission.write
        )
        return try Reply.nothing(to: submission.write, from: request, context)
    }
}
