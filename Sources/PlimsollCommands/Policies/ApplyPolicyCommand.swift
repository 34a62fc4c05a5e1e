import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll policy apply`: what a file says comes into force.
struct ApplyPolicyCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Put the policy in a file into force.",
        discussion: """
            It shows which rules move and asks. A script names the event of the policy that the \
            file was made from. Where the file says what is in force the exit code is 3.

            Examples:
              plimsoll policy apply harbour policy.json --reason "Two for a higher minimum"
              plimsoll policy apply harbour policy.json --dry-run
              plimsoll policy apply default-policy.json --seen 42
            """
    )

    @OptionGroup var arguments: PolicyArguments
    @OptionGroup var decision: PolicyDecisionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let written = try arguments.form()
        let reason = try PlimsollCommands.reason(decision.reason) ?? written.reason
        try decision.check()
        return try await service.withClient { client in
            let inForce = try await client.policy(of: arguments.app)
            let difference = PolicyDifference(inForce, to: written.policy, await People(client))
            let seen = try decision.position(
                toReplace: inForce,
                with: difference.blocks,
                "Put it into force?",
                output
            )
            let form = PolicyForm(policy: written.policy, reason: reason)
            let isTrial = decision.submission.dryRun
            let policy = try await decision.submission.write { options in
                try await client.change(policyOf: arguments.app, seen: seen, form, options)
            }
            output.show(policy.report(await output.people(client), dryRun: isTrial))
            if isTrial { output.noteRehearsal() }
            return .done
        }
    }
}
