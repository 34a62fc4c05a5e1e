import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll change apply`: what has its approvals and was kept waiting comes into force.
struct ApplyCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Apply an approved change that a freeze kept waiting.",
        discussion: "For example: plimsoll change apply 17 --yes --wait"
    )

    @OptionGroup var decision: DecisionOptions
    @OptionGroup var wait: WaitOption
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let edge = try wait.edge()
        let (change, report) = try await service.withClient { client in
            let digest = try await decision.digest(toDecide: "Apply", client)
            let change = try await decision.submission.write { options in
                try await client.apply(decision.id, seen: digest, options)
            }
            let people = await output.people(client)
            return (change, change.report(people, dryRun: decision.submission.dryRun))
        }
        guard !decision.submission.dryRun else {
            output.show(report)
            output.noteRehearsal()
            return .done
        }
        try await output.show(
            report,
            of: AppliedWrite(change),
            servedBy: edge,
            trusting: service
        )
        return .done
    }
}
