import Hummingbird
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollUseCases

/// `/v1/apps/{app}/documents/{platform}`: what phones read, as it is or as it was.
struct DocumentController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .get("apps/{app}/documents/{platform}", use: show)
            .get("apps/{app}/documents/{platform}/blame", use: blame)
    }

    private func show(_ request: Request, _ context: CallerContext) async throws -> Reply {
        var query = QueryReader(request)
        let moment = query.moment()
        try query.finish()
        let view = try await useCases.document(
            named: try context.app(),
            try context.platform(),
            moment,
            for: context.caller
        )
        return Reply(try DocumentAnswer(view))
    }

    private func blame(_ request: Request, _ context: CallerContext) async throws -> Reply {
        var query = QueryReader(request)
        let moment = query.moment()
        try query.finish()
        let (app, platform) = (try context.app(), try context.platform())
        let view = try await naming {
            () async throws(UseCaseError) in
            try await useCases.blame(of: app, on: platform, at: moment, for: context.caller)
        }
        return Reply(BlameAnswer(view))
    }
}

extension BlameAnswer {
    init(_ view: BlameView) {
        self.init(
            app: view.app,
            platform: view.platform,
            position: view.position,
            lines: view.lines.map { line in
                Line(
                    field: line.field,
                    value: line.value,
                    event: line.event.position,
                    since: line.event.recordedAt,
                    author: line.cause?.author ?? line.event.origin.actor,
                    approvers: line.cause?.approvers ?? [],
                    change: line.cause?.id,
                    reason: (line.cause?.reason ?? line.event.origin.reason)?.text
                )
            }
        )
    }
}

extension DocumentAnswer {
    init(_ view: DocumentView) throws(Problem) {
        let platform = view.document.platform
        guard AvailabilityDocument.fileName(for: platform) != nil else {
            throw Problem(
                .notFound,
                detail: "There is no availability document for \(platform.rawValue)."
            )
        }
        self.init(
            app: view.app,
            platform: platform,
            position: view.position,
            document: AvailabilityDocument(view.document, stamp: nil).json(view.profile)
        )
    }
}
