import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain

/// `plimsoll webhook create`.
struct CreateWebhookCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Have events sent somewhere; the secret is shown this once.",
        discussion: """
            Every event is a POST, signed as the Standard Webhooks specification says, in the order \
            of the log. The address stands in the record for good, so put no password in it. With \
            --quiet and --format table the secret alone is the result.

            Examples:
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
        let form = WebhookForm(url: url, app: app, types: types)
        return try await service.withClient { client in
            let made = try await submission.write { options in
                try await client.registerWebhook(form, options)
            }
            made.show(output, dryRun: submission.dryRun)
            return .done
        }
    }
}
