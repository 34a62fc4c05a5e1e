import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll webhook test`.
struct TestWebhookCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send a message that says nothing, and tell what came of it.",
        discussion: """
            The exit code is 1 where it was not delivered. A webhook that is disabled can be tested \
            as well.

            For example: plimsoll webhook test 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07
            """
    )

    @Argument(help: "The webhook's id, as the list shows it.")
    var id: WebhookID
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let delivery = try await client.testWebhook(id)
            let isDelivered = delivery.failure == nil
            let line =
                isDelivered
                ? "Delivered in \(delivery.milliseconds) ms: \(delivery.outcome)."
                : "Not delivered: \(delivery.outcome)."
            output.show(Report(delivery.json, [.check(passed: isDelivered, line)]))
            return isDelivered ? .done : .failed
        }
    }
}
