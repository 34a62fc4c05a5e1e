import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll change comment`: a word to all who decide on it.
struct CommentCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "comment",
        abstract: "Comment on a change.",
        discussion: "For example: plimsoll change comment 17 \"Release notes follow at noon\""
    )

    @Argument(help: "The change's number.")
    var id: ChangeID
    @Argument(help: "The words.")
    var comment: String
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let words = try PlimsollCommands.reason(comment) else { return .usage }
        return try await service.withClient { client in
            let change = try await submission.write { options in
                try await client.comment(on: id, CommentForm(comment: words), options)
            }
            output.show(change.report(await output.people(client), dryRun: submission.dryRun))
            return .done
        }
    }
}
