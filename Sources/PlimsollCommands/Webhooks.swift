import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll webhook`: who is told what happens.
struct WebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook",
        abstract: "Send events to a URL, to Slack or to Teams, signed, and see the deliveries.",
        discussion: "For example: plimsoll webhook list",
        subcommands: [
            CreateWebhookCommand.self, ListWebhooksCommand.self, ShowWebhookCommand.self,
            TestWebhookCommand.self, DeliveriesCommand.self, ReplayCommand.self,
            EnableWebhookCommand.self, DisableWebhookCommand.self, RotateSecretCommand.self,
            RemoveWebhookCommand.self,
        ]
    )
}

extension WebhookAnswer {
    var blocks: [Report.Block] { lines().map(Report.Block.line) }

    func lines(_ people: People = People()) -> [String] {
        let types = settings.types.map(\.text).joined(separator: ", ")
        var lines = [
            "id         \(id)",
            "url        \(legible(settings.url.text))",
            "events     of \(settings.scope.app?.text ?? "everything"), \(types.isEmpty ? "all types" : types)",
            "body       \(settings.format.rawValue)\(manner)",
            "state      \(condition)",
            "delivered  up to \(delivered?.description ?? "nothing yet"), from \(registered) on",
        ]
        if let stop {
            lines.append(
                "disabled   \(stop.since), by \(people.name(stop.by)): \(excerpt(stop.cause ?? "-", 400))"
            )
        }
        if let trouble {
            lines.append("failed     \(trouble.failures) times since \(trouble.since)")
            lines.append("because    \(excerpt(trouble.cause, 400))")
            if stop == nil { lines.append("next       \(trouble.nextAttempt)") }
        }
        if let previousSecretUntil {
            lines.append("secret     those before sign as well until \(previousSecretUntil)")
        }
        return lines
    }

    /// How it fares, in a word.
    var condition: String {
        switch (state, trouble) {
        case (.disabled, _): "disabled"
        case (.enabled, .some): "failing"
        case (.enabled, nil): "enabled"
        }
    }

    private var manner: String {
        (settings.isGrouped ? ", one message for all events of an act" : "")
            + (settings.tellsNames ? ", with names" : ", without names")
    }
}

extension SecretWebhookAnswer {
    /// Answers what is said of the secret.
    func show(_ output: Output, dryRun: Bool) throws(Failure) -> String {
        let lines = webhook.lines() + (secret.map { ["secret     \(legible($0))"] } ?? [])
        try output.show(Report(json, lines: lines, dryRun: dryRun), orAlone: secret)
        guard dryRun || secret != nil else {
            throw Failure(
                .failed,
                "This secret was made by an earlier request, and cannot be shown again.",
                detail: "Make another, under another key.",
                next: "plimsoll webhook rotate-secret \(webhook.id) --yes"
            )
        }
        return "The secret is shown this once; keep it safe."
    }
}

extension DeliveryAnswer {
    var outcome: String {
        let answered = status.map { "answered \($0)" } ?? "no answer"
        return failure.map { excerpt($0, 200) } ?? answered
    }
}

/// `plimsoll webhook create`.
struct CreateWebhookCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Send events to a URL; the secret is shown only now.",
        discussion: """
            Every event is a POST, signed as the Standard Webhooks specification says, in the order \
            of the log. The address stands in the record for good, so put no password in it. With \
            --quiet and --format table the secret alone is the result.

            With --body slack or teams a message is what an incoming webhook of Slack or a workflow of \
            Teams shows in a channel. Names of people are sent only with --names: what a receiver has \
            cannot be erased there.

            Examples:
              plimsoll webhook create https://hooks.slack.com/services/T0/B0/x \\
                --app harbour \\
                --body slack --grouped --names
              plimsoll webhook create https://hooks.example.com/plimsoll --app harbour
              plimsoll webhook create https://hooks.example.com/p --type ChangeApplied \\
                --type RolledBack
            """
    )

    @Argument(help: "Where to, beginning with https://.")
    var url: WebhookURL
    @Option(help: "Only events of this app; all there are without it.")
    var app: AppSlug?
    @Option(parsing: .singleValue, help: "Only events of this type; may be repeated.")
    var type: [EventName] = []
    @Option(help: "The form of a message: standard, slack or teams.")
    var body = WebhookFormat.standard
    @Flag(help: "Send all events of one act, such as an approval, in as few messages as go.")
    var grouped = false
    @Flag(help: "Send the name of whoever acted.")
    var names = false
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        var settings = WebhookSettings(url: url, scope: app.map(Scope.app) ?? .all, types: type)
        (settings.format, settings.isGrouped, settings.tellsNames) = (body, grouped, names)
        let form = WebhookForm(settings)
        return try await submit({ _ in NoNames() }, output) { client, _, options in
            try await client.call(Endpoints.registerWebhook, form, options)
        } receipt: { made, _, _ in
            try made.show(output, dryRun: submission.dryRun)
        }
    }
}

/// `plimsoll webhook list`.
struct ListWebhooksCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the webhooks, and how they fare.",
        discussion: "For example: plimsoll webhook list"
    )

    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let list = try await client.call(Endpoints.listWebhooks)
        let rows = list.webhooks.map { webhook in
            [
                webhook.id.text, webhook.condition, webhook.settings.scope.app?.text ?? "all",
                webhook.delivered?.description ?? "-", excerpt(webhook.settings.url.text, 60),
            ]
        }
        let heads = ["WEBHOOK", "STATE", "APP", "DELIVERED", "URL"]
        return Report(list.json, Table(heads, rows).blocks())
    }
}

/// `plimsoll webhook show`.
struct ShowWebhookCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a webhook: how far it has come, and what keeps it from going on.",
        discussion: "For example: plimsoll webhook show 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"
    )

    @Argument(help: "The webhook's id, as the list shows it.")
    var id: WebhookID
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let webhook = try await client.call(Endpoints.getWebhook, id)
        return Report(webhook.json, lines: webhook.lines(await output.people(client)))
    }
}

/// `plimsoll webhook remove`.
struct RemoveWebhookCommand: FormCommand {
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
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try Reason(written: reason))
        try confirmation.obtain(
            "Remove the webhook \(id), with all that was not sent yet?",
            for: submission
        )
        return try await write(Endpoints.removeWebhook, { _ in id }, form, output) { _ in
            "Nothing is sent there any more."
        }
    }
}

/// Turns a webhook on or off.
struct WebhookTurn: ParsableArguments, Writing {
    @Argument(help: "The webhook's id, as the list shows it.")
    var id: WebhookID
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions

    func execute(
        _ endpoint: Write<WebhookID, ReasonForm, WebhookAnswer>,
        _ done: String,
        _ output: Output
    ) async throws -> ExitStatus {
        let form = ReasonForm(reason: try Reason(written: reason))
        return try await write(endpoint, { _ in id }, form, output) {
            Receipt($0.blocks, done)
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
        let done = "Events of the meantime are sent first."
        return try await turn.execute(Endpoints.enableWebhook, done, output)
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
        let done = "Events of the meantime are sent when it is enabled."
        return try await turn.execute(Endpoints.disableWebhook, done, output)
    }
}

/// `plimsoll webhook rotate-secret`.
struct RotateSecretCommand: FormCommand {
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
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try confirmation.obtain("Make a new secret for the webhook \(id)?", for: submission)
        return try await submit({ _ in id }, output) { client, id, options in
            try await client.call(Endpoints.rotateWebhookSecret, id, EmptyForm(), options)
        } receipt: { rotated, _, _ in
            try rotated.show(output, dryRun: submission.dryRun)
        }
    }
}

/// `plimsoll webhook test`.
struct TestWebhookCommand: CommonCommand {
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
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let delivery = try await client.call(Endpoints.testWebhook, id, EmptyForm())
            let isDelivered = delivery.failure == nil
            let words = isDelivered ? "Delivered in \(delivery.milliseconds) ms" : "Not delivered"
            let line = "\(words): \(delivery.outcome)."
            output.show(Report(delivery.json, [.check(passed: isDelivered, line)]))
            return isDelivered ? .done : .failed
        }
    }
}

/// `plimsoll webhook replay`.
struct ReplayCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Send events once more, under the same ids.",
        discussion: """
            Replays are done one after the other, before anything new.

            Examples:
              plimsoll webhook replay 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --since 57 \\
                --until 57
              plimsoll webhook replay 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --since 1
            """
    )

    @Argument(help: "The webhook's id, as the list shows it.")
    var id: WebhookID
    @Option(help: "The first event.")
    var since: Position
    @Option(help: "The last event; the newest there is without it.")
    var until: Position?
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReplayForm(since: since, until: until)
        return try await write(Endpoints.replayToWebhook, { _ in id }, form, output) {
            let start = $0.state == .enabled ? "" : ", once the webhook is enabled"
            return Receipt($0.blocks, "It will be sent once more\(start), before anything new.")
        }
    }
}

/// `plimsoll webhook deliveries`.
struct DeliveriesCommand: CommonCommand {
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
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let (deliveries, next) = try await page.collect { page in
                let list = try await client.call(Endpoints.listDeliveries, id, page.query)
                return (list.deliveries, list.next)
            }
            let rows = deliveries.map { delivery in
                [
                    delivery.attemptedAt.rfc3339, delivery.kind.rawValue,
                    delivery.position?.description ?? "-", "\(delivery.milliseconds) ms",
                    delivery.outcome,
                ]
            }
            let json: JSONObject = ["deliveries": JSONValue(deliveries), "next": JSONValue(next)]
            let table = Table(["TIME", "KIND", "EVENT", "TOOK", "OUTCOME"], rows)
            output.show(Report(json, table.blocks()))
            output.noteMore(next)
            return .done
        }
    }
}
