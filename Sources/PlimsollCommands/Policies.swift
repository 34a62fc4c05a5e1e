import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// A policy in a file, and what it is for: an app that is named before it, or all.
struct PolicyArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The app; or the file, for all apps without a policy of their own.",
            valueName: "app-or-file"
        )
    )
    private var first: String

    @Argument(
        help: ArgumentHelp(
            "The file, where an app is named; - is standard input.",
            valueName: "file"
        )
    )
    private var second: String?

    func validate() throws {
        if second != nil, AppSlug(first) == nil {
            throw ValidationError("\"\(legible(first))\" is no app: \(AppSlug.grammar).")
        }
    }

    /// `nil` is every app.
    var app: AppSlug? { second == nil ? nil : AppSlug(first) }

    /// What the file says: the policy, and perhaps why; or a policy as `policy show --json` has it,
    /// whose reason is that of another change.
    func form() throws -> PolicyForm {
        let path = second ?? first
        let bytes = Self.policy(in: try contents(of: path, upTo: Self.bytesMaximum))
        do throws(Problem) {
            return try PolicyForm(body: bytes)
        } catch {
            throw Failure(
                .failed,
                "\(legible(path)) is no policy.",
                detail: error.detail,
                checks: error.errors.map(Failure.Check.init)
            )
        }
    }

    private static func policy(in bytes: [UInt8]) -> [UInt8] {
        // What cannot be read here is refused, with its faults, by whoever reads the policy.
        guard let json = try? JSONValue(parsing: bytes), json["source"] != nil,
            let policy = json["policy"]?.object
        else { return bytes }
        return policy.canonicalBytes()
    }

    private static let bytesMaximum = 256 * 1024
}

/// `plimsoll policy apply`: what a file says comes into force.
struct ApplyPolicyCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Put the policy in a file into force.",
        discussion: """
            It shows which rules move and asks. A script names the event of the policy that the \
            file was made from. Where the file says what is in force the exit code is 3.

            Examples:
              plimsoll policy apply harbour policy.json --reason "Two for a higher minimum"
              plimsoll policy apply harbour policy.json --dry-run
              plimsoll policy apply default-policy.json --seen 42
            """
    )

    @OptionGroup var arguments: PolicyArguments
    @OptionGroup var decision: PolicyDecisionOptions
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let written = try arguments.form()
        let reason = try Reason(written: decision.reason) ?? written.reason
        try decision.check()
        return try await service.withClient { client in
            let inForce = try await client.policy(of: arguments.app)
            let difference = PolicyDifference(inForce, to: written.policy, await People(client))
            let seen = try decision.position(
                toReplace: inForce,
                with: difference.blocks,
                "Put it into force?",
                output
            )
            let form = PolicyForm(policy: written.policy, reason: reason)
            let submission = decision.submission
            let asked = decision.asked(form)
            let policy = try await submission.write(asked: asked) { options in
                try await client.change(policyOf: arguments.app, seen: seen, form, options)
            }
            output.show(policy.report(await output.people(client), dryRun: submission.dryRun))
            submission.note(output)
            return .done
        }
    }
}

/// `plimsoll policy diff`: which rules a file would move.
struct DiffPolicyCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show which rules a policy file would change, in words.",
        discussion: """
            The exit code is 0 where the file says what is in force and 3 where it does not.

            Examples:
              plimsoll policy diff harbour policy.json
              plimsoll policy diff default-policy.json
            """
    )

    @OptionGroup var arguments: PolicyArguments
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = try arguments.form()
        return try await service.withClient { client in
            let policy = try await client.policy(of: arguments.app)
            let people = await output.people(client)
            let difference = PolicyDifference(policy, to: form.policy, people)
            output.show(difference.report)
            return difference.isEmpty ? .done : .differs
        }
    }
}

extension PolicyAnswer {
    func report(_ people: People, dryRun: Bool = false) -> Report {
        Report(json, blocks(people), dryRun: dryRun)
    }

    private func blocks(_ people: People) -> [Report.Block] {
        var lines = [origin]
        if let decision {
            lines.append("made by \(people.name(decision.by)), \(decision.since)")
            if let reason = decision.reason { lines.append("reason  \(excerpt(reason.text, 400))") }
        }
        let clauses = policy.clauses(naming: people.name).map(\.sentence)
        let warnings = warnings.map(people.naming)
        let gaps = warnings.isEmpty ? [] : ["", "As people and roles are now:"] + warnings
        return (lines + [""] + clauses + gaps).map { Report.Block.line(legible($0)) }
    }

    /// Whose policy it is, and where it comes from.
    private var origin: String {
        let event = decision?.position.map { ", of event \($0)" } ?? ""
        return switch (app, source) {
        case (let app?, .app): "\(app) has a policy of its own\(event)."
        case (let app?, .default):
            "\(app) has no policy of its own and follows the default\(event)."
        case (let app?, .builtIn): "\(app) has no policy of its own and follows the built-in one."
        case (nil, .builtIn): "The default policy of all apps is the built-in one."
        case (nil, _): "The default policy of all apps\(event)."
        }
    }
}

/// What one policy says otherwise than another.
struct PolicyDifference {
    let app: AppSlug?
    /// The event of the policy in force.
    let seen: Position
    private let changes: [Difference]

    init(_ inForce: PolicyAnswer, to policy: Policy, _ people: People) {
        app = inForce.app
        seen = inForce.seen
        changes = inForce.policy.differences(to: policy, naming: people.name)
    }

    var isEmpty: Bool { changes.isEmpty }

    var blocks: [Report.Block] {
        guard !isEmpty else { return [.line("The file says what is in force.")] }
        return changes.flatMap { change in
            [change.subject]
                + [change.before.map { "  - \($0)" }, change.after.map { "  + \($0)" }]
                .compactMap(\.self)
        }.map(Report.Block.line)
    }

    var report: Report {
        Report(
            [
                "app": JSONValue(app?.text), "seen": JSONValue(seen), "same": .bool(isEmpty),
                "changes": JSONValue(changes),
            ],
            blocks
        )
    }
}

/// `plimsoll policy`: who has to agree to what.
struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Show, compare and change who has to approve what.",
        discussion: "For example: plimsoll policy show harbour",
        subcommands: [
            ShowPolicyCommand.self, DiffPolicyCommand.self, ApplyPolicyCommand.self,
            ResetPolicyCommand.self,
        ]
    )
}

/// Which policy is replaced, as it was seen.
struct PolicyDecisionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The event of the policy in force as it was seen; refused if it is another.",
            valueName: "position"
        )
    )
    var seen: Position?
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var submission: SubmissionOptions

    /// Shows what would change, asks, and answers the event that the decision binds to.
    ///
    /// Who names an event has seen the policy, and is not asked again.
    func position(
        toReplace inForce: PolicyAnswer,
        with blocks: [Report.Block],
        _ question: String,
        _ output: Output
    ) throws -> Position {
        if let seen { return seen }
        if !submission.dryRun, !confirmation.yes {
            Output.preview(blocks)
            try confirmation.obtain(question)
        }
        return inForce.seen
    }

    /// What was typed: the form, and which policy was seen where that was said.
    func asked(_ form: some Form) -> String {
        typedDigest(["form": .object(form.json), "seen": JSONValue(seen)])
    }

    /// Refuses to go on where somebody has to be asked and cannot be.
    func check() throws {
        if seen == nil, !submission.dryRun { try confirmation.check() }
    }
}

/// `plimsoll policy reset`: an app follows the default policy again.
struct ResetPolicyCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Have an app follow the default policy again.",
        discussion: """
            It shows which rules move and asks. Where the app has no policy of its own the exit \
            code is 3.

            For example: plimsoll policy reset harbour --reason "One rule for all" --yes
            """
    )

    @Argument(help: "The app.")
    var app: AppSlug
    @OptionGroup var decision: PolicyDecisionOptions
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try Reason(written: decision.reason))
        try decision.check()
        return try await service.withClient { client in
            let inForce = try await client.policy(of: app)
            let people = await People(client)
            let seen = try decision.position(
                toReplace: inForce,
                with: inForce.report(people).blocks,
                "Have \(app) follow the default policy again?",
                output
            )
            try await decision.submission.write(asked: decision.asked(form)) { options in
                try await client.call(Endpoints.resetPolicy, app, seen: seen, form, options)
            }
            decision.submission.note(output, "\(app) follows the default policy.")
            return .done
        }
    }
}

/// `plimsoll policy show`: the policy in force, in words.
struct ShowPolicyCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the policy of an app, or the default policy.",
        discussion: """
            Examples:
              plimsoll policy show harbour
              plimsoll policy show harbour --at 2026-11-21T08:00:00Z
              plimsoll policy show --json >policy.json
            """
    )

    @Argument(help: "The app; the default of all without it.")
    var app: AppSlug?
    @OptionGroup var moment: MomentOptions
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let policy = try await client.policy(of: app, at: moment.moment)
        return policy.report(await output.people(client))
    }
}
