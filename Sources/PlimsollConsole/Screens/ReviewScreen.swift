import PlimsollAPI
import PlimsollDomain

/// A review: what was done, by whom and why, what it did, and what somebody else finds of it.
enum ReviewScreen {
    static let routes: [Route] = [
        .page("/reviews/:position", page),
        .act("/reviews/:position/close", on: page) { visit in
            let position = try visit.reviewPosition
            let outcome = try visit.needed("outcome", ReviewVerdict.Outcome.init(rawValue:))
            let comment =
                outcome == .objected
                ? try visit.reason("comment")
                : try visit.optional("comment", Reason.init(validating:))
            let form = ReviewForm(verdict: ReviewVerdict(outcome, comment: comment))
            _ = try await visit.rest.call(Endpoints.closeReview, position, form, visit.write)
            return .moved(to: "/reviews/\(position)?done=review-\(outcome.rawValue)")
        },
    ]

    static func page(_ visit: Visit) async throws -> Page {
        let review = try await visit.rest.call(Endpoints.getReview, try visit.reviewPosition)
        let (names, effect) = (try await visit.names(), try await visit.effect(of: review))
        var page = Page(
            "review",
            visit.language("reviews.of", ["position": review.position, "app": review.app.text])
        )
        page.fields = visit.row(of: review, names)
        let reviewers = review.reviewers.map { names($0) }.joined(separator: ", ")
        let more = Fields(all: [
            "sentences": effect.map { $0.sentence(visit.language) },
            "effect": effect.map { $0.fields(visit, [:], names) }, "hasEffect": !effect.isEmpty,
            "role": visit.language["roles.\(review.order.role.rawValue).name"],
            "reviewers": reviewers.isEmpty ? nil : reviewers,
            "isOwn": review.actor == visit.principal,
            "mayClose": review.verdict == nil && review.actor != visit.principal
                && visit.offers.has(review.order.role, in: .app(review.app)),
            "comment": visit.form["comment"],
        ])
        page.fields.merge(more) { $1 }
        return page
    }
}

extension Visit {
    fileprivate var reviewPosition: Position {
        get throws { try parameter("position", Position.init(typed:)) }
    }

    /// What the act that is to be looked at did to the documents.
    fileprivate func effect(of review: ReviewAnswer) async throws -> [FieldChange] {
        try await rest.diff(
            of: review.app,
            from: .event(review.before),
            to: .event(review.position)
        ).changes
    }

    func fields(of verdict: ReviewAnswer.Verdict, _ names: Names) -> Fields {
        let outcome = verdict.verdict.outcome
        return Fields(all: [
            "outcome": language["reviews.outcome.\(outcome.rawValue)"],
            "isObjection": outcome == .objected, "by": names(verdict.by),
            "at": time(verdict.at), "comment": verdict.verdict.comment?.text,
        ])
    }
}
