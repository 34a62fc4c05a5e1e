import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain

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
        try await turn.execute(output, "What happened meanwhile is sent first.") {
            client,
            id,
            form,
            options async throws(AdminError) in
            try await client.enableWebhook(id, form, options)
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
        try await turn.execute(output, "What happens meanwhile is sent when it is enabled.") {
            client,
            id,
            form,
            options async throws(AdminError) in
            try await client.disableWebhook(id, form, options)
        }
    }
}

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
        _ write: (AdminClient, WebhookID, WebhookReasonForm, WriteOptions)
            async throws(AdminError) -> WebhookAnswer
    ) async throws -> ExitStatus {
        let form = WebhookReasonForm(reason: try PlimsollCommands.reason(reason))
        return try await service.withClient { client in
            let webhook = try await submission.write { options in
                try await write(client, id, form, options)
            }
            webhook.show(output, submission, note)
            return .done
        }
    }
}

/// `plimsoll webhook rotate-secret`.
struct RotateSecretCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-secret",
        abstract: "Make a new secret, shown this once; the one before signs for a day more.",
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
        let form = WebhookReasonForm(reason: try PlimsollCommands.reason(reason))
        if !submission.dryRun {
            try confirmation.obtain("Remove the webhook \(id), with all that was not sent yet?")
        }
        return try await service.withClient { client in
            try await submission.write { options in
                try await client.removeWebhook(id, form, options)
            }
            output.note(
                submission.dryRun
                    ? "This was a rehearsal; nothing was written."
                    : "Nothing is sent there any more."
            )
            return .done
        }
    }
}
