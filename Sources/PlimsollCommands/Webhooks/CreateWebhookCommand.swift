import ArgumentParser
import PlimsollAPI
import PlimsollDomain

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
        var form = WebhookForm(url: url, app: app, types: types)
        (form.format, form.isGrouped, form.tellsNames) = (body, grouped, names)
        return try await service.withClient { client in
            let made = try await submission.write { options in
                try await client.registerWebhook(form, options)
            }
            made.show(output, dryRun: submission.dryRun)
            return .done
        }
    }
}
