import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll change withdraw`: its author takes it back.
struct WithdrawCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Withdraw a change of yours.",
        discussion: "For example: plimsoll change withdraw 17 --yes"
    )

    @OptionGroup var decision: DecisionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let digest = try await decision.digest(toDecide: "Withdraw", client)
            let change = try await decision.submission.write { options in
                try await client.withdraw(decision.id, seen: digest, options)
            }
            let people = await output.people(client)
            output.show(change.report(people, dryRun: decision.submission.dryRun))
            return .done
        }
    }
}
