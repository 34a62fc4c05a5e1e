import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll policy reset`: an app follows the default policy again.
struct ResetPolicyCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Have an app follow the default policy again.",
        discussion: """
            It shows which rules move and asks. Where the app has no policy of its own the exit \
            code is 3.

            For example: plimsoll policy reset harbour --reason "One rule for all" --yes
            """
    )

    @Argument(help: "The app.")
    var app: AppSlug
    @OptionGroup var decision: PolicyDecisionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let reason = try PlimsollCommands.reason(decision.reason)
        try decision.check()
        return try await service.withClient { client in
            let inForce = try await client.policy(of: app)
            let people = await People(client)
            let seen = try decision.position(
                toReplace: inForce,
                with: inForce.report(people).blocks,
                "Have \(app) follow the default policy again?",
                output
            )
            try await decision.submission.write { options in
                try await client.reset(
                    policyOf: app,
                    seen: seen,
                    ReasonForm(reason: reason),
                    options
                )
            }
            decision.submission.note(output, "\(app) follows the default policy.")
            return .done
        }
    }
}
