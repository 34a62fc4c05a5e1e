import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll change revise`: other edits than those that are there.
struct ReviseCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "revise",
        abstract: "Edit a change, or replace its edits by those of a file.",
        discussion: """
            What is said is edited on top of what the change has; only --file replaces all of it. \
            Without --base it is based on what is live now. Of fields that others changed since the \
            change was made, --mine keeps what the change says and --theirs what is live. It shows \
            the new effect and asks. Approvals stay only if the change does exactly what it did \
            before. A schedule is kept unless another one is given.

            Examples:
              plimsoll change revise 17 --platform ios --set minimumApp.value=3.2.1 --yes
              plimsoll change revise 17 --file change.json --reason "Welsh added" --dry-run
              plimsoll change revise 17 --mine ios.minimumApp.value --yes
            """
    )

    @OptionGroup var decision: DecisionOptions
    @OptionGroup var edits: EditOptions
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Keep what the change says of a field that others changed; may be repeated.",
            valueName: "field"
        )
    )
    var mine: [Field] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Keep what is live of a field that others changed; may be repeated.",
            valueName: "field"
        )
    )
    var theirs: [Field] = []
    @Option(help: "Another line that says what the change does.")
    var title: String?
    @Option(help: "Why it is made otherwise.")
    var reason: String?
    @OptionGroup var schedule: ScheduleOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if edits.isEmpty, mine.isEmpty, theirs.isEmpty, title == nil, schedule.isEmpty {
            try edits.requireEdits()
        }
        if let field = mine.first(where: theirs.contains) {
            throw ValidationError("\(field) is to be --mine and --theirs; say one of them.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let written = try edits.written()
        if !decision.submission.dryRun, decision.digest == nil {
            try decision.confirmation.check()
        }
        return try await service.withClient { client in
            let current = try await client.change(decision.id)
            let seen = try decision.seen(current)
            let form = try await form(written, revising: current, client)
            try await confirm(form, seen, client, output)
            let change = try await decision.submission.write { options in
                try await client.revise(decision.id, seen: seen, form, options)
            }
            let people = await output.people(client)
            output.show(change.report(people, dryRun: decision.submission.dryRun))
            return .done
        }
    }

    private func form(
        _ written: ChangeFile?,
        revising change: ChangeAnswer,
        _ client: AdminClient
    ) async throws -> RevisionForm {
        let choices = mine.map { ($0, ConflictChoice.mine) } + theirs.map { ($0, .theirs) }
        return RevisionForm(
            title: try title.map { try PlimsollCommands.title($0, "--title") } ?? written?.title,
            reason: try PlimsollCommands.reason(reason) ?? written?.reason,
            base: try await base(written, change.summary.app, client),
            operations: try edits.operations(written, revising: change),
            schedule: try schedule.schedule() ?? written?.schedule,
            resolve: Dictionary(choices) { first, _ in first }
        )
    }

    /// Shows what the change would do then, and asks; who names a digest is not asked.
    private func confirm(
        _ form: RevisionForm,
        _ seen: ChangeDigest,
        _ client: AdminClient,
        _ output: Output
    ) async throws {
        let (submission, confirmation) = (decision.submission, decision.confirmation)
        guard !submission.dryRun, !confirmation.yes, decision.digest == nil else { return }
        let rehearsal = try await client.revise(
            decision.id,
            seen: seen,
            form,
            WriteOptions(.dryRun)
        )
        output.preview(rehearsal.blocks(await People(client)))
        try confirmation.obtain("Revise change \(decision.id)?")
    }

    private func base(
        _ written: ChangeFile?,
        _ app: AppSlug,
        _ client: AdminClient
    ) async throws -> Position {
        if let base = edits.base ?? written?.base { return base }
        return try await client.app(app).position
    }
}
