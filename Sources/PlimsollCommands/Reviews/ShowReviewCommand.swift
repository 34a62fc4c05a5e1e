import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll reviews show`: what was done, who may close it, and what was found.
struct ShowReviewCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a review, open or closed.",
        discussion: "For example: plimsoll reviews show 57"
    )

    @Argument(help: "The event that ordered it, as plimsoll reviews lists it.")
    var position: Position
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let review = try await client.review(position)
            output.show(review.report(await output.people(client)))
            return .done
        }
    }
}

extension ReviewAnswer {
    func report(_ people: People, dryRun: Bool = false) -> Report {
        var json = json
        if dryRun { json["dryRun"] = true }
        return Report(json, lines(people).map(Report.Block.line))
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
