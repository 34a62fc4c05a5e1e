import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain

/// `plimsoll change revise`: other edits in the place of those that are there.
struct ReviseCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "revise",
        abstract: "Replace the edits of a change.",
        discussion: """
            All edits that the change has are replaced. Without --base they are based on what is \
            live now. Approvals stay only if the change does exactly what it did before. A schedule is \
            kept unless another one is given.

            Examples:
              plimsoll change revise 17 --platform ios --set minimumApp.value=3.2.1 --yes
              plimsoll change revise 17 --file change.json --reason "Welsh added" --dry-run
            """
    )

    @OptionGroup var decision: DecisionOptions
    @OptionGroup var edits: EditOptions
    @Option(help: "Another line that says what the change does.")
    var title: String?
    @Option(help: "Why it is made otherwise.")
    var reason: String?
    @OptionGroup var schedule: ScheduleOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let written = try edits.written()
        let operations = try edits.operations(written)
        let title = try title.map { try PlimsollCommands.title($0, "--title") } ?? written?.title
        let reason = try PlimsollCommands.reason(reason) ?? written?.reason
        let schedule = try schedule.schedule() ?? written?.schedule
        return try await service.withClient { client in
            let digest = try await decision.digest(toDecide: "Revise", client)
            let form = RevisionForm(
                title: title,
                reason: reason,
                base: try await base(written, client),
                operations: operations,
                schedule: schedule
            )
            let change = try await decision.submission.write { options in
                try await client.revise(decision.id, seen: digest, form, options)
            }
            let people = await output.people(client)
            output.show(change.report(people, dryRun: decision.submission.dryRun))
            return .done
        }
    }

    private func base(_ written: ChangeFile?, _ client: AdminClient) async throws -> Position {
        if let base = edits.base ?? written?.base { return base }
        let app = try await client.change(decision.id).summary.app
        return try await client.app(app).position
    }
}
