import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll change request-changes`: its author is to revise it.
struct RequestChangesCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "request-changes",
        abstract: "Ask the author of a change for something else.",
        discussion: """
            For example:
              plimsoll change request-changes 17 --reason "The Welsh text is missing" --yes
            """
    )

    @OptionGroup var decision: DecisionOptions
    @Option(help: "The reason, which the author reads: what has to be different.")
    var reason: String
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let words = try PlimsollCommands.reason(reason) else { return .usage }
        return try await service.withClient { client in
            let digest = try await decision.digest(toDecide: "Ask for another", client)
            let change = try await decision.submission.write { options in
                let form = RejectionForm(reason: words)
                return try await client.requestChanges(
                    of: decision.id,
                    seen: digest,
                    form,
                    options
                )
            }
            let people = await output.people(client)
            output.show(change.report(people, dryRun: decision.submission.dryRun))
            return .done
        }
    }
}
