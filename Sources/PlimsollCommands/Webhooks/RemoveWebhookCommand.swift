import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll webhook remove`.
struct RemoveWebhookCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Send nothing to a webhook any more, for good.",
        discussion: """
            For example: plimsoll webhook remove 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --yes
            """
    )

    @Argument(help: "The webhook's id, as the list shows it.")
    var id: WebhookID
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try PlimsollCommands.reason(reason))
        if !submission.dryRun {
            try confirmation.obtain("Remove the webhook \(id), with all that was not sent yet?")
        }
        return try await service.withClient { client in
            try await submission.write { options in
                try await client.removeWebhook(id, form, options)
            }
            submission.note(output, "Nothing is sent there any more.")
            return .done
        }
    }
}
