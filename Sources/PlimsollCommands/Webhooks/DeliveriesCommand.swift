import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll webhook deliveries`.
struct DeliveriesCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries",
        abstract: "List what was tried lately, newest first.",
        discussion: """
            The last thousand attempts are kept, for 30 days.

            For example: plimsoll webhook deliveries 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --limit 5
            """
    )

    @Argument(help: "The webhook's id, as the list shows it.")
    var id: WebhookID
    @OptionGroup var page: ListOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            var deliveries: [DeliveryAnswer] = []
            let next = try await page.forEach { page in
                let list = try await client.deliveries(to: id, page)
                deliveries += list.deliveries
                return (list.deliveries.count, list.next)
            }
            let rows = deliveries.map { delivery in
                [
                    delivery.attemptedAt.rfc3339, delivery.kind.rawValue,
                    delivery.position?.description ?? "-", "\(delivery.milliseconds) ms",
                    delivery.outcome,
                ]
            }
            let table = Table(["TIME", "KIND", "EVENT", "TOOK", "OUTCOME"], rows)
            output.show(
                Report(
                    ["deliveries": JSONValue(deliveries), "next": JSONValue(next)],
                    deliveries.isEmpty ? [.line("There is none.")] : [.table(table)]
                )
            )
            if next != nil { output.note("There are more; --all or a larger --limit shows them.") }
            return .done
        }
    }
}
