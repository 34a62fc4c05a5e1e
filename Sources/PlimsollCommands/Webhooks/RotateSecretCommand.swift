import ArgumentParser
import PlimsollAPI
import PlimsollDomain

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
                try await client.rotateWebhookSecret(of: id, options)
            }
            rotated.show(output, dryRun: submission.dryRun)
            return .done
        }
    }
}
