import ArgumentParser
import PlimsollAPI
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
              plimsoll propose --platform ios --clear recommendedOS \\
                --title "Advise no system"
              plimsoll propose --platform ios --set minimumApp.value=3.2.0 \\
                --title "3.2.0" \\
                --at 2027-06-01T09:00 --until 2027-06-08T09:00 --time-zone Europe/London
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
        let title = try Title(written: title) ?? written?.title
        guard let title else { throw ValidationError("The file has no title; give a --title.") }
        let operations = try edits.operations(written)
        let reason = try Reason(written: reason) ?? written?.reason
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
            let input = isBased ? nil : form.asked()
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
        try await client.call(Endpoints.proposeChange, app.slug, form, options)
    }
    output.show(change.report(await output.people(client), dryRun: submission.dryRun))
    for id in change.origin.supersedes {
        output.note("Change \(id), from the same source, is withdrawn: this one takes its place.")
    }
    submission.note(output, change.nextStep)
    return .done
}

extension ChangeAnswer {
    /// What is done next with a change that was just proposed.
    fileprivate var nextStep: String {
        let id = summary.id
        let refusing = checks.filter(\.isRefused)
        guard let check = refusing.first else { return nextStepUnrefused }
        guard refusing.allSatisfy({ $0.rule.overridableBy != nil }) else {
            return
                "A check refuses it; put something else in its place: plimsoll change revise \(id)"
        }
        let name = check.finding.check.rawValue
        return "A check refuses it, which somebody has to override before it is approved:"
            + " plimsoll change override \(id) --check \(name)"
    }

    private var nextStepUnrefused: String {
        if summary.state == .scheduled, let timeWords { return timeWords }
        return summary.state == .approved
            ? "It has all the approvals it needs; bring it into force with: plimsoll change apply"
                + " \(summary.id)"
            : "Somebody else approves it with: plimsoll change approve \(summary.id)"
    }
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

    func title() throws -> Title? { try Title(written: source, "--source") }
}

extension ProposalForm {
    /// What was typed of it, without the base that was read for it; `edit` stands in the place of
    /// operations that were worked out from it.
    func asked(_ edit: JSONObject? = nil) -> String {
        let unbased = ProposalForm(
            title: title,
            reason: reason,
            base: .start,
            operations: operations,
            schedule: schedule,
            source: source
        )
        var typed = unbased.json
        if let edit { typed["operations"] = .object(edit) }
        return typedDigest(typed)
    }
}

/// `plimsoll change revise`: other edits than those that are there.
struct ReviseCommand: CommonCommand {
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
    @OptionGroup var common: CommonOptions

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
        let base = edits.base ?? written?.base
        let typed = try form(written, base ?? .start, try edits.operations(written))
        if !decision.submission.dryRun, decision.digest == nil {
            try decision.confirmation.check()
        }
        return try await service.withClient { client in
            let current = try await client.call(Endpoints.getChange, decision.id)
            let seen = try decision.seen(current)
            let live =
                if let base { base } else {
                    try await client.call(Endpoints.getApp, current.summary.app).position
                }
            let operations =
                written == nil
                ? typed.operations.taking(thePlaceIn: current.operations) : typed.operations
            return try await decision.decide(
                "Revise",
                Endpoints.reviseChange,
                seen: seen,
                try form(written, live, operations),
                typed: [
                    "form": .object(typed.json), "base": JSONValue(base),
                    "isWhole": .bool(written != nil),
                ],
                client,
                output
            )
        }
    }

    private func form(
        _ written: ChangeFile?,
        _ base: Position,
        _ operations: [Operation]
    ) throws -> RevisionForm {
        let choices = mine.map { ($0, ConflictChoice.mine) } + theirs.map { ($0, .theirs) }
        return RevisionForm(
            title: try Title(written: title) ?? written?.title,
            reason: try Reason(written: reason) ?? written?.reason,
            base: base,
            operations: operations,
            schedule: try schedule.schedule() ?? written?.schedule,
            resolve: Dictionary(choices) { first, _ in first }
        )
    }
}

/// `plimsoll change schedule`: a time of its own, another one, or none.
struct ScheduleCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Set when a change takes effect, and when it ends.",
        discussion: """
            The whole schedule is replaced: without --until it does not end, without --at it comes \
            into force with its last approval. The schedule is part of what is approved, so \
            earlier approvals count no more.

            Examples:
              plimsoll change schedule 17 --yes \\
                --at 2027-06-01T09:00 --time-zone Europe/London
              plimsoll change schedule 17 --at 2027-06-05T00:00:00Z \\
                --until 2027-06-08T00:00:00Z
              plimsoll change schedule 17 --clear --yes
            """
    )

    @OptionGroup var decision: DecisionOptions
    @OptionGroup var schedule: ScheduleOptions
    @Flag(help: "Take the schedule away.")
    var clear = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if clear != schedule.isEmpty {
            throw ValidationError("Give --at, --until or both, or else --clear.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = SchedulingForm(schedule: try schedule.schedule())
        return try await service.withClient { client in
            let seen =
                if let digest = decision.digest { digest } else {
                    try decision.seen(try await client.call(Endpoints.getChange, decision.id))
                }
            return try await decision.decide(
                clear ? "Take its time from" : "Schedule",
                Endpoints.scheduleChange,
                seen: seen,
                form,
                client,
                output
            ) { change in
                change.outcome.approvals.allSatisfy(\.counts)
                    ? nil : "It was approved for another time; it has to be approved anew."
            }
        }
    }
}
