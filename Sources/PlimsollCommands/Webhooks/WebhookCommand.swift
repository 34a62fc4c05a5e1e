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
    /// In a line, as a list shows it.
    var row: [String] {
        [
            id.text, condition, settings.scope.app?.text ?? "all",
            delivered?.description ?? "-", excerpt(settings.url.text, 60),
        ]
    }

    func report(_ people: People) -> Report { Report(json, lines(people).map(Report.Block.line)) }

    func lines(_ people: People = People()) -> [String] {
        var lines = [
            "id         \(id)",
            "url        \(legible(settings.url.text))",
            "events     of \(settings.scope.app?.text ?? "everything"), \(typeNames)",
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
            lines.append("next       \(trouble.nextAttempt)")
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

    private var typeNames: String {
        settings.types.isEmpty
            ? "all types" : settings.types.map(\.text).joined(separator: ", ")
    }
}

extension SecretWebhookAnswer {
    func show(_ output: Output, dryRun: Bool) {
        if output.isQuiet, output.format == .table, let secret {
            output.show(bare: legible(secret))
            return
        }
        var (json, lines) = (json, webhook.lines())
        if dryRun { json["dryRun"] = true }
        if let secret { lines.append("secret     \(legible(secret))") }
        output.show(Report(json, lines.map(Report.Block.line)))
        switch (dryRun, secret) {
        case (true, _): output.noteDryRun()
        case (false, nil):
            output.note(
                "This secret was made by an earlier request, and cannot be shown again. Make another:"
                    + " plimsoll webhook rotate-secret \(webhook.id) --yes"
            )
        case (false, _): output.note("The secret is shown this once; keep it safe.")
        }
    }
}

extension DeliveryAnswer {
    var outcome: String {
        let answered = status.map { "answered \($0)" } ?? "no answer"
        return failure.map { excerpt($0, 200) } ?? answered
    }
}

extension WebhookAnswer {
    func show(_ output: Output, _ submission: SubmissionOptions, _ note: String) {
        var json = json
        if submission.dryRun { json["dryRun"] = true }
        output.show(Report(json, lines().map(Report.Block.line)))
        submission.note(output, note)
    }
}

/// `plimsoll webhook create`.
struct CreateWebhookCommand: PlimsollCommand {
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
              plimsoll webhook create https://hooks.slack.com/services/T0/B0/x --app harbour \\
                --body slack --grouped --names
              plimsoll webhook create https://hooks.example.com/plimsoll --app harbour
              plimsoll webhook create https://hooks.example.com/p --type ChangeApplied --type RolledBack
            """
    )

    @Argument(
        help: "Where to, beginning with https://.",
        transform: { text in
            guard let url = WebhookURL(text) else {
                throw ValidationError("It needs to be \(WebhookURL.grammar).")
            }
            return url
        }
    )
    var url: WebhookURL
    @Option(help: "Only events of this app; all there are without it.")
    var app: AppSlug?
    @Option(parsing: .singleValue, help: "Only events of this type; may be repeated.")
    var type: [String] = []
    @Option(help: "The form of a message: standard, slack or teams.")
    var body = WebhookFormat.standard
    @Flag(help: "Send all events of one act, such as an approval, as one message.")
    var grouped = false
    @Flag(help: "Send the name of whoever acted.")
    var names = false
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let types = try type.map { text in
            guard let type = EventName(text) else {
                throw ValidationError("--type needs to be \(EventName.grammar).")
            }
            return type
        }
        var settings = WebhookSettings(
            url: url,
            scope: app.map(Scope.app) ?? .all,
            types: types
        )
        (settings.format, settings.isGrouped, settings.tellsNames) = (body, grouped, names)
        let form = WebhookForm(settings)
        return try await service.withClient { client in
            let made = try await submission.write { options in
                try await client.call(Endpoints.registerWebhook, form, options)
            }
            made.show(output, dryRun: submission.dryRun)
            return .done
        }
    }
}

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
            let list = try await client.call(Endpoints.listWebhooks)
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
            let webhook = try await client.call(Endpoints.getWebhook, id)
            output.show(webhook.report(await output.people(client)))
            return .done
        }
    }
}

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
                try await client.call(Endpoints.removeWebhook, id, form, options)
            }
            submission.note(output, "Nothing is sent there any more.")
            return .done
        }
    }
}
