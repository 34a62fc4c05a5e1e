import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/reviews`: what was done in a hurry is looked at again.
struct ReviewController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listReviews) { call in
                var query = call.query
                let (wanted, question) = try query.reviews(most: call.facts.limitMaximum)
                let page = try await naming { () async throws(UseCaseError) in
                    try await useCases.reviews(wanted, for: call.caller)
                }
                return ReviewList(
                    reviews: page.elements,
                    next: page.next.map { Cursor(after: $0.rawValue, of: question).text }
                )
            },
            .read(Endpoints.getReview) { call in
                try await useCases.review(try call.names(), for: call.caller)
            },
            .write(Endpoints.closeReview) { call in
                try await useCases.closeReview(call.names, call.form.verdict, call.write)
            },
        ]
    }
}

extension QueryReader {
    fileprivate mutating func reviews(
        most maximum: Int
    ) throws(Problem) -> (ReviewQuery, question: [String]) {
        var reviews = ReviewQuery()
        reviews.apps = all("app", "an app's slug", AppSlug.init)
        reviews.owners = all("owner", "a principal's id", PrincipalID.init)
        reviews.isOverdue = one("overdue", "true or false", Bool.init)
        reviews.limit = limit(reviews.limit, most: maximum)
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
