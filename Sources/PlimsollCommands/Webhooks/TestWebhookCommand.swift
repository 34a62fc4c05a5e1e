import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain
import PlimsollJSON

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

/// `plimsoll webhook replay`.
struct ReplayCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Send events once more, under the same ids.",
        discussion: """
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
                try await client.replay(form, to: id, options)
            }
            webhook.show(output, submission, "It will be sent once more, before anything new.")
            return .done
        }
    }
}

extension WebhookAnswer {
    func show(_ output: Output, _ submission: SubmissionOptions, _ note: String) {
        var json = json
        if submission.dryRun { json["dryRun"] = true }
        output.show(Report(json, lines.map(Report.Block.line)))
        output.note(
            submission.dryRun ? "This was a rehearsal; nothing was written." : note
        )
    }
}
