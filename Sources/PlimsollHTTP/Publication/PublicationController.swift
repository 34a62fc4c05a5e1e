import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollService

/// `/v1/snapshots`: what was published.
struct PublicationController {
    let useCases: UseCases

    static let limitMaximum = 500
    private static let limitUsual = 50

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .get("snapshots", use: snapshots)
    }

    private func snapshots(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let query = try SnapshotQuery(request)
        let page = try await useCases.snapshots(
            of: query.app,
            after: query.after,
            limit: query.limit,
            for: context.caller
        )
        let next = page.next.map { Cursor(after: $0.rawValue, of: query.question) }
        let list = SnapshotList(
            snapshots: page.elements.map(SnapshotAnswer.init),
            next: next?.text
        )
        return Reply(list).linked(to: next, of: request)
    }

    private struct SnapshotQuery {
        let app: AppSlug
        let after: SnapshotSequence?
        let limit: Int

        var question: [String] { ["snapshots", app.text] }

        init(_ request: Request) throws {
            var query = QueryReader(request)
            let app = query.one("app", "an app's slug", AppSlug.init)
            limit = query.limit(limitUsual, most: limitMaximum)
            let question = ["snapshots", app?.text ?? ""]
            after = query.cursor(of: question).flatMap(SnapshotSequence.init(rawValue:))
            if app == nil { query.require("app") }
            try query.finish()
            guard let app else { preconditionFailure("a missing parameter is refused") }
            self.app = app
        }
    }
}

extension SnapshotAnswer {
    init(_ snapshot: PublishedSnapshot) {
        self.init(
            app: snapshot.app,
            record: snapshot.record,
            publishedAt: snapshot.publishedAt
        )
    }
}
