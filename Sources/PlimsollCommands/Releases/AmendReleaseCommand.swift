import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll release amend`: something else is so.
struct AmendReleaseCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "amend",
        abstract: "Correct facts of a release; what is not named stays.",
        discussion: """
            Examples:
              plimsoll release amend ios 3.2.0 --live-since 2026-11-21T08:00:00Z
              plimsoll release amend ios 3.2.0 --os 16.0 --unset build
            """
    )

    @OptionGroup var release: ReleaseArguments
    @OptionGroup var options: ReleaseFactOptions
    @Option(
        parsing: .singleValue,
        help: "A fact that is taken away: name, build, os, store or liveSince; may be repeated."
    )
    var unset: [ReleaseFactName] = []
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let (version, platform) = (try release.version(), release.platform)
        let form = ReleaseAmendmentForm(
            facts: try options.facts(on: platform),
            unset: Set(unset),
            reason: try PlimsollCommands.reason(reason)
        )
        guard !form.edits.isEmpty else {
            throw ValidationError(
                "Say what is so: --name, --build, --os, --store, --live-since or --unset."
            )
        }
        return try await service.withClient { client in
            let app = try await release.app.slug(client)
            let answer = try await submission.write { options in
                try await client.amend(version, on: platform, of: app, form, options)
            }
            output.show(answer.report(dryRun: submission.dryRun))
            submission.note(output)
            return .done
        }
    }
}
