import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// Turns a webhook on or off.
struct WebhookTurn: ParsableArguments {
    @Argument(help: "The webhook's id, as the list shows it.")
    var id: WebhookID
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions

    func execute(
        _ output: Output,
        _ note: String,
        _ write: (AdminClient, WebhookID, ReasonForm, WriteOptions)
            async throws(AdminError) -> WebhookAnswer
    ) async throws -> ExitStatus {
        let form = ReasonForm(reason: try PlimsollCommands.reason(reason))
        return try await service.withClient { client in
            let webhook = try await submission.write { options in
                try await write(client, id, form, options)
            }
            webhook.show(output, submission, note)
            return .done
        }
    }
}
