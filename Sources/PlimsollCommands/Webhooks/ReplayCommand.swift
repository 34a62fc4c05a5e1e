import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll webhook replay`.
struct ReplayCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Send events once more, under the same ids.",
        discussion: """
            Replays are done one after the other, before anything new.

            Examples:
              plimsoll webhook replay 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --since 57 --until 57
              plimsoll webhook replay 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --since 1
            """
    )

    @Argument(help: "The webhook's id, as the list shows it.")
    var id: WebhookID
    @Option(help: "The first event.")
    var since: Position
    @Option(help: "The last event; the newest there is without it.")
    var until: Position?
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReplayForm(since: since, until: until)
        return try await service.withClient { client in
            let webhook = try await submission.write { options in
                try await client.replay(form, to: id, options)
            }
            webhook.show(output, submission, "It will be sent once more, before anything new.")
            return .done
        }
    }
}
