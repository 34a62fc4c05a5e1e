import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/reviews`: what was done in a hurry is looked at again.
struct ReviewController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .get("reviews", use: list)
            .get("reviews/{position}", use: show)
            .post("reviews/{position}/close", use: close)
    }

    private func list(_ request: Request, _ context: CallerContext) async throws -> Reply {
        var query = QueryReader(request)
        let (wanted, question) = try query.reviews()
        let page = try await naming { () async throws(UseCaseError) in
            try await useCases.reviews(wanted, for: context.caller)
        }
        let next = page.next.map { Cursor(after: $0.rawValue, of: question) }
        let list = ReviewList(reviews: page.elements.map(ReviewAnswer.init), next: next?.text)
        return Reply(list).linked(to: next, of: request)
    }

    private func show(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let position = try context.position()
        return Reply(ReviewAnswer(try await useCases.review(position, for: context.caller)))
    }

    private func close(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let position = try context.position()
        let submission = try await Submission<ReviewForm>(request, context)
        let review = try await useCases.closeReview(
            position,
            submission.form.verdict,
            submission.write
        )
        return Reply(ReviewAnswer(review), to: submission.write)
    }
}

extension QueryReader {
    fileprivate mutating func reviews() throws(Problem) -> (ReviewQuery, question: [String]) {
        var reviews = ReviewQuery()
        reviews.apps = all("app", "an app's slug", AppSlug.init)
        reviews.owners = all("owner", "a principal's id", PrincipalID.init)
        reviews.isOverdue = one("overdue", "true or false", Bool.init)
        reviews.limit = limit(reviews.limit, most: ReviewQuery.limitMaximum)
        let question = reviews.question
        reviews.after = cursor(of: question).flatMap(Position.init(rawValue:))
        try finish()
        return (reviews, question)
    }
}

extension ReviewQuery {
    /// What chooses and orders the reviews.
    fileprivate var question: [String] {
        ["reviews", "overdue=\(isOverdue.map(String.init) ?? "")"]
            + apps.map { "app=\($0)" }.sorted() + owners.map { "owner=\($0)" }.sorted()
    }
}

extension ReviewAnswer {
    fileprivate init(_ review: ReviewView) {
        let kind: Kind
        var change: ChangeID?
        switch review.subject {
        case .emergency(let id): (kind, change) = (.emergency, id)
        case .rollback: kind = .rollback
        }
        self.init(
            position: review.position,
            app: review.app,
            kind: kind,
            change: change,
            state: State(review.state),
            actor: review.actor,
            since: review.since,
            reason: review.reason,
            incident: review.incident,
            order: review.order,
            reviewers: review.reviewers,
            verdict: review.verdict.map { Verdict(verdict: $0.verdict, by: $0.by, at: $0.at) }
        )
    }
}

extension ReviewAnswer.State {
    fileprivate init(_ state: ReviewState) {
        switch state {
        case .open: self = .open
        case .overdue: self = .overdue
        case .closed: self = .closed
        }
    }
}
