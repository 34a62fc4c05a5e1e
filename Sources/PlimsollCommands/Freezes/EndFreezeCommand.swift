import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll freeze off`: changes apply again.
struct EndFreezeCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Allow changes to be applied again.",
        discussion: """
            What was approved meanwhile waits for plimsoll change apply.

            Examples:
              plimsoll freeze off
              plimsoll freeze off --all --reason "The stores are back"
            """
    )

    @OptionGroup var scope: FreezeOptions
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try PlimsollCommands.reason(reason))
        return try await service.withClient { client in
            let app = try await scope.slug(client)
            try await submission.write { options in
                try await client.thaw(app, form, options)
            }
            let name = app?.text ?? "everything"
            submission.note(output, "The freeze of \(name) is over.")
            return .done
        }
    }
}
