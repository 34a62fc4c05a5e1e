import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll webhook enable`.
struct EnableWebhookCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Send to a webhook again, from where it stopped.",
        discussion: "For example: plimsoll webhook enable 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"
    )

    @OptionGroup var turn: WebhookTurn
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await turn.execute(output, "Events of the meantime are sent first.") {
            client,
            id,
            form,
            options async throws(AdminError) in
            try await client.enableWebhook(id, form, options)
        }
    }
}
