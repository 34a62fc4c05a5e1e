import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollService

/// `/v1/snapshots`: what was published.
struct PublicationController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listSnapshots) { call in
                var query = call.query
                let app = query.one("app", "an app's slug", AppSlug.init)
                let limit = query.limit(50, most: call.facts.limitMaximum)
                let question = ["snapshots", app?.text ?? ""]
                let place = query.cursor(of: question).flatMap(SnapshotSequence.init(rawValue:))
                if app == nil { query.require("app") }
                try query.finish()
                guard let app else { preconditionFailure("a missing parameter is refused") }
                let page = try await useCases.snapshots(
                    of: app,
                    after: place,
                    limit: limit,
                    for: call.caller
                )
                return SnapshotList(
                    snapshots: page.elements.map(SnapshotAnswer.init),
                    next: page.next.map { Cursor(after: $0.rawValue, of: question).text }
                )
            }
        ]
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
