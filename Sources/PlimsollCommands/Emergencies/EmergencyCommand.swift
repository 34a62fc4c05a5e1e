import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll emergency`: any edits at once and by one person.
struct EmergencyCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "emergency",
        abstract: "Apply edits at once, without approval; somebody else reviews them afterwards.",
        discussion: """
            It takes the edits that plimsoll propose takes, shows the effect and asks. Neither \
            approvals nor a freeze stand in its way. A file with a schedule is refused.

            Examples:
              plimsoll emergency --platform ios --set minimumOS.value=15.1 \\
                --title "Keep 15.0 out" --reason "It crashes there" --incident INC-731
              plimsoll emergency --file change.json --incident INC-731 --yes --wait
            """
    )

    @OptionGroup var edits: EditOptions
    @Option(help: "One line that says what it does.")
    var title: String?
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @Option(help: "The incident's number or address, by which people find it.")
    var incident: String
    @Option(help: "Who sees to the review, by name or id; you without it.")
    var owner: String?
    @OptionGroup var run: EmergencyRun
    @OptionGroup var output: OutputOptions

    func validate() throws { try edits.requireEdits() }

    func execute(_ output: Output) async throws -> ExitStatus {
        let written = try edits.written()
        guard written?.schedule == nil else {
            throw Failure(
                .failed,
                "The file has a schedule, and an emergency has none: it comes into force at once.",
                detail: "Leave the schedule out of the file, or propose the change with it.",
                next: "plimsoll propose, with the same edits"
            )
        }
        let operations = try edits.operations(written)
        let title = try title.map { try PlimsollCommands.title($0, "--title") } ?? written?.title
        let reason = try PlimsollCommands.reason(reason) ?? written?.reason
        guard let title, let reason else {
            throw ValidationError("An emergency needs a --title and a --reason.")
        }
        let incident = try PlimsollCommands.title(incident, "--incident")
        let edge = try run.check()
        let receipt = try await run.service.withClient { client in
            let slug = try await run.app.slug(client)
            let form = EmergencyForm(
                title: title,
                reason: reason,
                incident: incident,
                owner: try await principal(called: owner, client),
                base: edits.base ?? written?.base,
                operations: operations
            )
            return try await run.receipt(
                asking: "Bring this into force for \(slug)?",
                inStead: "plimsoll propose, with the same edits",
                client,
                output
            ) { options async throws(AdminError) in
                try await client.declareEmergency(slug, form, options)
            }
        }
        return try await run.finish(receipt, edge, output)
    }
}
