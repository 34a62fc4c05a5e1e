import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll reviews list`: open ones, oldest first.
struct ListReviewsCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the reviews that are open, oldest first.",
        discussion: """
            Examples:
              plimsoll reviews
              plimsoll reviews list --overdue --owner rita
            """
    )

    @Option(help: "Only reviews of this app.")
    var app: AppSlug?
    @Option(help: "Only reviews that somebody sees to, by name or id.")
    var owner: String?
    @Flag(help: "Only those that are later than they should be.")
    var overdue = false
    @OptionGroup var page: ListOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let owner = try await principal(called: owner, client)
            var reviews: [ReviewAnswer] = []
            let next = try await page.forEach { page in
                let list = try await client.reviews(
                    of: app,
                    owners: owner.map { [$0] } ?? [],
                    overdue: overdue ? true : nil,
                    page
                )
                reviews += list.reviews
                return (list.reviews.count, list.next)
            }
            let table = table(reviews, await output.people(client))
            output.show(
                Report(
                    ["reviews": JSONValue(reviews), "next": JSONValue(next)],
                    reviews.isEmpty ? [.line("There is none.")] : [.table(table)]
                )
            )
            if next != nil { output.note("There are more; --all or a larger --limit shows them.") }
            return .done
        }
    }

    private func table(_ reviews: [ReviewAnswer], _ people: People) -> Table {
        Table(
            ["REVIEW", "STATE", "DUE", "APP", "OF", "BY", "OWNER", "WHY"],
            reviews.map { review in
                [
                    review.position.description, review.state.rawValue, review.order.due.rfc3339,
                    review.app.text, review.subject, people.name(review.actor),
                    people.name(review.order.owner), excerpt(review.reason?.text ?? "", 40),
                ]
            }
        )
    }
}
