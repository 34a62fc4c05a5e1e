import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll webhook list`.
struct ListWebhooksCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the webhooks, and how they fare.",
        discussion: "For example: plimsoll webhook list"
    )

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let list = try await client.webhooks()
            let headings = ["WEBHOOK", "STATE", "APP", "DELIVERED", "URL"]
            let table = Table(headings, list.webhooks.map(\.row))
            output.show(
                Report(
                    list.json,
                    list.webhooks.isEmpty ? [.line("There is none.")] : [.table(table)]
                )
            )
            return .done
        }
    }
}
