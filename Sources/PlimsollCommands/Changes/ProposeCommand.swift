import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain

/// `plimsoll propose`: edits are put up for approval.
struct ProposeCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "propose",
        abstract: "Propose a change for somebody else to approve.",
        discussion: """
            Paths are such as minimumApp.value or, with the platform in front, \
            ios.minimumApp.description.en-GB. Without --base the change is based on what is live \
            now; a script that read the documents before should say at which position.

            Examples:
              plimsoll propose --platform ios --set minimumApp.value=3.2.0 \\
                --text minimumApp.description.en-GB=@notice.txt \\
                --title "Raise the floor to 3.2.0" --reason "3.1 loses data"
              plimsoll propose --platform ios --clear recommendedOS --title "Advise no system"
              plimsoll propose --platform ios --set minimumApp.value=3.2.0 --title "3.2.0" \\
                --at 2026-12-01T09:00 --until 2026-12-08T09:00 --time-zone Europe/London
              plimsoll propose --file change.json --dry-run
            """
    )

    @OptionGroup var edits: EditOptions
    @Option(help: "One line that says what the change does.")
    var title: String?
    @Option(help: "Why it is made.")
    var reason: String?
    @OptionGroup var schedule: ScheduleOptions
    @OptionGroup var origin: SourceOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try edits.requireEdits()
        if title == nil, edits.file == nil {
            throw ValidationError("A change needs a --title.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let written = try edits.written()
        let title = try title.map { try PlimsollCommands.title($0, "--title") } ?? written?.title
        guard let title else { throw ValidationError("The file has no title; give a --title.") }
        let operations = try edits.operations(written)
        let reason = try PlimsollCommands.reason(reason) ?? written?.reason
        let schedule = try schedule.schedule() ?? written?.schedule
        let source = try origin.title()
        return try await service.withClient { client in
            let app = try await app.resolve(client)
            let form = ProposalForm(
                title: title,
                reason: reason,
                base: edits.base ?? written?.base ?? app.position,
                operations: operations,
                schedule: schedule,
                source: source
            )
            let isBased = (edits.base ?? written?.base) != nil
            let input = isBased ? nil : form.asked
            return try await propose(form, for: app, asked: input, client, submission, output)
        }
    }
}

/// Proposes, and shows what came of it.
func propose(
    _ form: ProposalForm,
    for app: AppAnswer,
    asked input: String? = nil,
    _ client: AdminClient,
    _ submission: SubmissionOptions,
    _ output: Output
) async throws -> ExitStatus {
    let change = try await submission.write(asked: input) { options in
        try await client.propose(form, for: app.slug, options)
    }
    output.show(change.report(await output.people(client), dryRun: submission.dryRun))
    for id in change.origin.supersedes {
        output.note("Change \(id), from the same source, is withdrawn: this one takes its place.")
    }
    if submission.dryRun {
        output.noteRehearsal()
    } else {
        output.note("Somebody else approves it with: plimsoll change approve \(change.summary.id)")
    }
    return .done
}

/// What a change is made of.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What it is made of, such as a repository and a path; your open changes from there are"
                + " superseded.",
            valueName: "name"
        )
    )
    var source: String?

    func title() throws -> Title? { try source.map { try PlimsollCommands.title($0, "--source") } }

    /// What was asked, for a key under which it happens once.
    static func digest(of bytes: [UInt8]) -> String { ContentDigest(of: bytes).hex }
}

extension ProposalForm {
    /// What was asked for, without what was read for it.
    var asked: String {
        let unbased = ProposalForm(
            title: title,
            reason: reason,
            base: .start,
            operations: operations,
            schedule: schedule,
            source: source
        )
        return SourceOptions.digest(of: unbased.bytes)
    }
}
