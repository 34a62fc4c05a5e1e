import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll policy show`: the policy in force, in words.
struct ShowPolicyCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the policy of an app, or the default policy.",
        discussion: """
            Examples:
              plimsoll policy show harbour
              plimsoll policy show harbour --at 2026-11-21T08:00:00Z
              plimsoll policy show --json >policy.json
            """
    )

    @Argument(help: "The app; the default of all without it.")
    var app: AppSlug?
    @OptionGroup var moment: MomentOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let policy = try await client.policy(of: app, at: moment.moment)
            output.show(policy.report(await output.people(client)))
            return .done
        }
    }
}
