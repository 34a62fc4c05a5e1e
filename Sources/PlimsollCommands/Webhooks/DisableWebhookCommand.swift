import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll webhook disable`.
struct DisableWebhookCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Send nothing to a webhook until it is enabled again.",
        discussion: """
            For example: plimsoll webhook disable 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 \\
              --reason "They move house"
            """
    )

    @OptionGroup var turn: WebhookTurn
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await turn.execute(output, "Events of the meantime are sent when it is enabled.") {
            client,
            id,
            form,
            options async throws(AdminError) in
            try await client.disableWebhook(id, form, options)
        }
    }
}
