import PlimsollAPI
import PlimsollDomain

/// What was done in a hurry and is still to be looked at again, the oldest first; or was looked at.
enum ReviewsScreen {
    static let routes: [Route] = [.page("/reviews", page)]

    static func page(_ visit: Visit) async throws -> Page {
        let app = visit.query["app"].flatMap(AppSlug.init)
        let isOverdueOnly = visit.isOverdueOnly && !visit.isClosed
        let list = try await visit.rest.reviews(
            of: app,
            overdue: isOverdueOnly ? true : nil,
            closed: visit.isClosed,
            PageOptions(after: visit.query["cursor"])
        )
        let names = try await visit.names()
        let apps = try await visit.rest.call(Endpoints.listApps).apps
        return Page(
            "reviews",
            visit.language["reviews.title"],
            [
                "reviews": list.reviews.map { visit.row(of: $0, names) },
                "isEmpty": list.reviews.isEmpty, "isOverdueOnly": isOverdueOnly,
                "isClosedList": visit.isClosed, "isOpenList": !visit.isClosed,
                "isFiltered": isOverdueOnly || app != nil,
                "apps": apps.map { ["slug": $0.slug.text, "isChosen": $0.slug == app] },
                "next": list.next.map { visit.reviewsAddress(app, after: $0) },
            ]
        )
    }
}

extension Visit {
    fileprivate var isOverdueOnly: Bool { query["overdue"] == "true" }

    fileprivate var isClosed: Bool { query["closed"] == "true" }

    fileprivate func reviewsAddress(_ app: AppSlug?, after cursor: String) -> String {
        let filters =
            (app.map { [("app", $0.text)] } ?? [])
            + (isOverdueOnly ? [("overdue", "true")] : [])
            + (isClosed ? [("closed", "true")] : [])
        return "/reviews?\(FormFields(filters + [("cursor", cursor)]).encoded)"
    }

    func row(of review: ReviewAnswer, _ names: Names) -> Fields {
        Fields(all: [
            "position": review.position.description, "app": review.app.text,
            "kind": language["reviews.kind.\(review.kind.rawValue)"],
            "change": review.change?.description, "actor": names(review.actor),
            "since": time(review.since), "reason": review.reason?.text,
            "incident": review.incident?.text, "owner": names(review.order.owner),
            "due": time(review.order.due), "isOverdue": review.state == .overdue,
            "verdict": review.verdict.map { fields(of: $0, names) },
            "isClosed": review.state == .closed, "isDue": review.state == .open,
        ])
    }
}
