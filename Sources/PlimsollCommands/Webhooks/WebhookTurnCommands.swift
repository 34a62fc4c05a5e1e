import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

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
            try await client.call(Endpoints.enableWebhook, id, form, options)
        }
    }
}

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
            try await client.call(Endpoints.disableWebhook, id, form, options)
        }
    }
}

/// `plimsoll webhook rotate-secret`.
struct RotateSecretCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-secret",
        abstract: "Make a new secret, shown this once; those before sign for a day more.",
        discussion: """
            For example: plimsoll webhook rotate-secret 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --yes
            """
    )

    @Argument(help: "The webhook's id, as the list shows it.")
    var id: WebhookID
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        if !submission.dryRun {
            try confirmation.obtain("Make a new secret for the webhook \(id)?")
        }
        return try await service.withClient { client in
            let rotated = try await submission.write { options in
                try await client.call(Endpoints.rotateWebhookSecret, id, EmptyForm(), options)
            }
            rotated.show(output, dryRun: submission.dryRun)
            return .done
        }
    }
}

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
            let delivery = try await client.call(Endpoints.testWebhook, id, EmptyForm())
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
                try await client.call(Endpoints.replayToWebhook, id, form, options)
            }
            webhook.show(output, submission, "It will be sent once more, before anything new.")
            return .done
        }
    }
}

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
                let list = try await client.call(Endpoints.listDeliveries, id, page.query)
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
