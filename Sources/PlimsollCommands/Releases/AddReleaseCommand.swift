import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll release add`: a version exists.
struct AddReleaseCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Register a version; registering it again changes nothing.",
        discussion: """
            A release that is registered with other facts is left as it is and the exit code is 5; \
            plimsoll release amend mends it.

            Examples:
              plimsoll release add ios 3.2.0 --os 15.0 --build 412 --store "App Store"
              plimsoll release add android 320 --name 3.2.0 --os 24 \\
                --live-since 2026-11-21T08:00:00Z
            """,
        aliases: ["register"]
    )

    @OptionGroup var release: ReleaseArguments
    @OptionGroup var options: ReleaseFactOptions
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let (version, platform) = (try release.version(), release.platform)
        let form = ReleaseForm(
            facts: try options.facts(on: platform),
            reason: try PlimsollCommands.reason(reason)
        )
        return try await service.withClient { client in
            let app = try await release.app.slug(client)
            let answer = try await submission.write { options in
                try await client.register(version, on: platform, of: app, form, options)
            }
            output.show(answer.report(dryRun: submission.dryRun))
            submission.note(output)
            return .done
        }
    }
}
