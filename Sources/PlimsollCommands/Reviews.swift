import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll reviews list`: open ones, oldest first, or closed ones.
struct ListReviewsCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the reviews that are open, oldest first; or those that are closed.",
        discussion: """
            Examples:
              plimsoll reviews
              plimsoll reviews list --overdue --owner rita
              plimsoll reviews list --closed --app harbour
            """
    )

    @Option(help: "Only reviews of this app.")
    var app: AppSlug?
    @Option(help: "Only reviews that somebody sees to, by name or id.")
    var owner: String?
    @Flag(help: "Only those that are later than they should be.")
    var overdue = false
    @Flag(help: "Those that are closed instead, newest first.")
    var closed = false
    @OptionGroup var page: ListOptions
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let owner = try await principal(called: owner, client)
            let (reviews, next) = try await page.collect { page in
                let list = try await client.reviews(
                    of: app,
                    owners: owner.map { [$0] } ?? [],
                    overdue: overdue ? true : nil,
                    closed: closed,
                    page
                )
                return (list.reviews, list.next)
            }
            let table = table(reviews, await output.people(client))
            let json: JSONObject = ["reviews": JSONValue(reviews), "next": JSONValue(next)]
            output.show(Report(json, table.blocks()))
            output.noteMore(next)
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

/// `plimsoll reviews close`: whether what was done was right.
struct CloseReviewCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "Close a review, and say what you found.",
        discussion: """
            Nobody closes a review of what they did themselves, or of somebody who let them in. \
            Whoever objects says to what.

            Examples:
              plimsoll reviews close 57 --verdict confirmed --comment "The crash was real"
              plimsoll reviews close 57 --verdict objected \\
                --comment "3.1.9 was fine; propose it"
            """
    )

    @Argument(help: "The event that ordered it, as plimsoll reviews lists it.")
    var position: Position
    @Option(help: "confirmed or objected.")
    var verdict: ReviewVerdict.Outcome
    @Option(help: "Words that are kept with it; needed to object.")
    var comment: String?
    @OptionGroup var writing: WritingOptions

    func validate() throws {
        if verdict == .objected, comment == nil {
            throw ValidationError("Whoever objects says to what: --comment.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let comment = try Reason(written: comment, "--comment")
        let form = ReviewForm(verdict: ReviewVerdict(verdict, comment: comment))
        return try await submit({ _ in position }, output) { client, position, options in
            try await client.call(Endpoints.closeReview, position, form, options)
        } receipt: { review, _, client in
            let blocks = review.blocks(await output.people(client))
            output.show(Report(review.json, blocks, dryRun: submission.dryRun))
            return nil
        }
    }
}

extension ReviewVerdict.Outcome: ExpressibleByArgument {}

/// `plimsoll reviews`: what was done in a hurry is looked at again.
struct ReviewsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reviews",
        abstract: "List the reviews of emergency actions, and close one.",
        discussion: "For example: plimsoll reviews --overdue",
        subcommands: [
            ListReviewsCommand.self, ShowReviewCommand.self, CloseReviewCommand.self,
        ],
        defaultSubcommand: ListReviewsCommand.self
    )
}

/// `plimsoll reviews show`: what was done, who may close it, and what was found.
struct ShowReviewCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a review, open or closed.",
        discussion: "For example: plimsoll reviews show 57"
    )

    @Argument(help: "The event that ordered it, as plimsoll reviews lists it.")
    var position: Position
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let review = try await client.call(Endpoints.getReview, position)
        return Report(review.json, review.blocks(await output.people(client)))
    }
}

extension ReviewAnswer {
    fileprivate func blocks(_ people: People) -> [Report.Block] {
        lines(people).map(Report.Block.line)
    }

    /// `emergency (change 12)` or `rollback`.
    var subject: String {
        change.map { "\(kind.rawValue) (change \($0))" } ?? kind.rawValue
    }

    private func lines(_ people: People) -> [String] {
        var lines = [
            "Review \(position) of the \(subject) of \(app)",
            "state     \(state.rawValue)",
            "done by   \(people.name(actor)), \(since)",
        ]
        if let reason { lines.append("reason    \(excerpt(reason.text, 400))") }
        if let incident { lines.append("incident  \(excerpt(incident.text, 200))") }
        lines.append("owner     \(people.name(order.owner))")
        lines.append("due       \(order.due)")
        if let verdict {
            let words = verdict.verdict.comment.map { ": \(excerpt($0.text, 400))" } ?? ""
            return lines + [
                "\(verdict.verdict.outcome.rawValue) by \(people.name(verdict.by)),"
                    + " \(verdict.at)\(words)"
            ]
        }
        let names = reviewers.map(people.name).joined(separator: ", ")
        return lines + ["may be closed by \(names.isEmpty ? "nobody who is here yet" : names)"]
    }
}
