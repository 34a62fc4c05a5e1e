import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain
import PlimsollJSON

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
              plimsoll propose --file change.json --dry-run
            """
    )

    @Option(help: "The platform of paths that name none.")
    var platform: Platform?
    @Option(
        name: .customLong("set"),
        parsing: .singleValue,
        help: ArgumentHelp("Set a value; may be repeated.", valueName: "path=value")
    )
    var values: [String] = []
    @Option(
        name: .customLong("text"),
        parsing: .singleValue,
        help: ArgumentHelp(
            "Set a text, from a file with =@file; may be repeated.",
            valueName: "path=text"
        )
    )
    var texts: [String] = []
    @Option(
        name: .customLong("clear"),
        parsing: .singleValue,
        help: ArgumentHelp("Clear a threshold with its texts.", valueName: "threshold")
    )
    var clears: [String] = []
    @Option(
        name: .customLong("remove-text"),
        parsing: .singleValue,
        help: ArgumentHelp("Remove a text; may be repeated.", valueName: "path")
    )
    var removals: [String] = []
    @Option(help: ArgumentHelp("A proposal as JSON, as the API takes it.", valueName: "path"))
    var file: String?
    @Option(help: "One line that says what the change does.")
    var title: String?
    @Option(help: "Why it is made.")
    var reason: String?
    @Option(help: ArgumentHelp("The position of the state it is based on.", valueName: "position"))
    var base: Position?
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var output: OutputOptions

    private var edits: EditArguments {
        EditArguments(clears: clears, values: values, texts: texts, removals: removals)
    }

    func validate() throws {
        if edits.isEmpty, file == nil {
            throw ValidationError("Say what to change: --set, --text, --clear or --file.")
        }
        if title == nil, file == nil {
            throw ValidationError("A change needs a --title.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let written = try file.map(changeFile)
        let edits = try edits.operations(on: platform) { try contents(of: $0) }
        let title = try title.map { try PlimsollCommands.title($0, "--title") } ?? written?.title
        guard let title else { throw ValidationError("The file has no title; give a --title.") }
        let reason = try PlimsollCommands.reason(reason) ?? written?.reason
        return try await service.withClient { client in
            let app = try await app.resolve(client)
            let form = ProposalForm(
                title: title,
                reason: reason,
                base: base ?? written?.base ?? app.position,
                operations: (written?.operations ?? []) + edits
            )
            return try await propose(form, for: app, client, submission, output)
        }
    }

    private func changeFile(_ path: String) throws -> ChangeFile {
        do {
            return try ChangeFile(parsing: try contents(of: path))
        } catch let issues as JSONIssues {
            throw Failure(.failed, "\(path) is not a proposal.", checks: issues.checks)
        }
    }
}

/// Proposes, and shows what came of it.
func propose(
    _ form: ProposalForm,
    for app: AppAnswer,
    _ client: AdminClient,
    _ submission: SubmissionOptions,
    _ output: Output
) async throws -> ExitStatus {
    let change = try await submission.write { options in
        try await client.propose(form, for: app.slug, options)
    }
    output.show(change.report(await output.people(client), dryRun: submission.dryRun))
    if submission.dryRun {
        output.note("This was a rehearsal; nothing was written.")
    } else {
        output.note("Somebody else approves it with: plimsoll change approve \(change.summary.id)")
    }
    return .done
}
