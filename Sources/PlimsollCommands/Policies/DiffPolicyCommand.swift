import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll policy diff`: which rules a file would move.
struct DiffPolicyCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show which rules a policy file would change, in words.",
        discussion: """
            The exit code is 0 where the file says what is in force and 3 where it does not.

            Examples:
              plimsoll policy diff harbour policy.json
              plimsoll policy diff default-policy.json
            """
    )

    @OptionGroup var arguments: PolicyArguments
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = try arguments.form()
        return try await service.withClient { client in
            let policy = try await client.policy(of: arguments.app)
            let people = await output.people(client)
            let difference = PolicyDifference(policy, to: form.policy, people)
            output.show(difference.report)
            return difference.isEmpty ? .done : .differs
        }
    }
}
