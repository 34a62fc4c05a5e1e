import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll release withdraw`: a version does not exist, or not any more.
struct WithdrawReleaseCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Remove a release that does not exist, or no longer does.",
        discussion: """
            For example: plimsoll release withdraw ios 3.2.0 --reason "The review rejected it"
            """
    )

    @OptionGroup var release: ReleaseArguments
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let (version, platform) = (try release.version(), release.platform)
        let form = ReasonForm(reason: try PlimsollCommands.reason(reason))
        return try await service.withClient { client in
            let app = try await release.app.slug(client)
            try await submission.write { options in
                try await client.withdraw(version, on: platform, of: app, form, options)
            }
            submission.note(output, "\(platform.name) \(version) of \(app) is withdrawn.")
            return .done
        }
    }
}
