import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll shares remove`: nobody counts any more.
struct RemoveSharesCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the count of devices of a platform.",
        discussion: """
            For example: plimsoll shares remove ios --reason "Nobody counts any more"
            """
    )

    @Argument(help: "The platform of the devices.")
    var platform: Platform
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var app: AppOption
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try PlimsollCommands.reason(reason))
        return try await service.withClient { client in
            let slug = try await app.slug(client)
            try await submission.write { options in
                try await client.removeVersionShares(of: slug, on: platform, form, options)
            }
            submission.note(output, "There is no count of \(platform.name) devices any more.")
            return .done
        }
    }
}
