import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll change reject`: it is turned down for good.
struct RejectCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject",
        abstract: "Reject a change, for good.",
        discussion: """
            For example:
              plimsoll change reject 17 --reason "3.2.0 is not in the store yet" --yes
            """
    )

    @OptionGroup var decision: DecisionOptions
    @Option(help: "Why; its author reads it.")
    var reason: String
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let words = try PlimsollCommands.reason(reason) else { return .usage }
        return try await service.withClient { client in
            let digest = try await decision.digest(toDecide: "Reject", client)
            let change = try await decision.submission.write { options in
                let form = RejectionForm(reason: words)
                return try await client.reject(decision.id, seen: digest, form, options)
            }
            let people = await output.people(client)
            output.show(change.report(people, dryRun: decision.submission.dryRun))
            return .done
        }
    }
}
