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
        case (true, _): output.noteRehearsal()
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
