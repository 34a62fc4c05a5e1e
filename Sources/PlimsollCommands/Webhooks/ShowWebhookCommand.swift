import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll webhook show`.
struct ShowWebhookCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a webhook: how far it has come, and what keeps it from going on.",
        discussion: "For example: plimsoll webhook show 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"
    )

    @Argument(help: "The webhook's id, as the list shows it.")
    var id: WebhookID
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let webhook = try await client.webhook(id)
            output.show(webhook.report(await output.people(client)))
            return .done
        }
    }
}
