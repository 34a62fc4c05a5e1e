import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// A command that decides on a change as it was seen.
protocol DecidingCommand: CommonCommand, Writing {
    var decision: DecisionOptions { get }
}

extension DecidingCommand {
    var submission: SubmissionOptions { decision.submission }

    /// Shows the change, asks, has the decision taken, and shows what became of the change.
    func decide<Body: Form>(
        _ verb: String,
        _ endpoint: Endpoint<ChangeID, SeenChange, Body, ChangeAnswer>,
        _ form: Body,
        _ output: Output,
        note: (ChangeAnswer) -> String? = { _ in nil }
    ) async throws -> ExitStatus {
        try await service.withClient { client in
            let digest = try await decision.seen(toDecide: verb, client).digest
            let change = try await decision.write(endpoint, seen: digest, form, client)
            let people = await output.people(client)
            output.show(change.report(people, dryRun: submission.dryRun))
            submission.note(output, note(change))
            return .done
        }
    }
}

/// `plimsoll change approve`: with the last approval the change is live.
struct ApproveCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve what the change shows, and nothing else.",
        discussion: """
            It shows the change and asks. A script names the digest it has reviewed. While more \
            approvals are needed the exit code is 6. A change that has them all and a time of its \
            own comes into force then; --wait does not wait for that. A signature is made over what \
            the change shows, by ssh-keygen or the agent that it knows.

            Examples:
              plimsoll change approve 17
              plimsoll change approve 17 \\
                --digest "$(plimsoll change show 17 | jq -r .digest)"
              plimsoll change approve 17 --yes --wait
              plimsoll change approve 17 --sign-with ~/.ssh/plimsoll
            """
    )

    @OptionGroup var decision: DecisionOptions
    @Option(help: "A comment that is kept with the approval.")
    var comment: String?
    @OptionGroup var signing: SigningOption
    @OptionGroup var wait: WaitOption
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let comment = try Reason(written: comment)
        let edge = try wait.edge()
        let (change, report, missing) = try await service.withClient { client in
            let (digest, shown) = try await decision.seen(toDecide: "Approve", client)
            let form = ApprovalForm(
                comment: comment,
                counted: shown?.counts,
                signature: try await signing.signature(
                    of: shown,
                    decision.id,
                    digest,
                    isDryRun: decision.submission.dryRun,
                    client
                )
            )
            let change = try await decision.write(
                Endpoints.approveChange,
                seen: digest,
                form,
                typed: [
                    "comment": JSONValue(comment?.text), "isSigned": .bool(signing.isAsked),
                ],
                client
            )
            let people = await output.people(client)
            var missing: String?
            if change.summary.state == .approved {
                missing = try await whatIsMissing(for: change, client)
            }
            let report = change.report(people, dryRun: decision.submission.dryRun)
            return (change, report, missing)
        }
        guard change.summary.state == .applied, !decision.submission.dryRun else {
            output.show(report)
            if let missing { output.note(missing) }
            return outcome(of: change, output)
        }
        let remark =
            "Change \(decision.id) is applied as of event \(change.summary.position);"
            + " plimsoll revert \(decision.id) takes it back."
        return try await output.show(
            report,
            of: AppliedWrite(change, remark: remark),
            servedBy: edge,
            trusting: service
        )
    }

    /// How it ends where the approval has brought nothing into force.
    private func outcome(of change: ChangeAnswer, _ output: Output) -> ExitStatus {
        guard !decision.submission.dryRun else {
            output.noteDryRun()
            return .done
        }
        return [ChangeState.scheduled, .suspended].contains(change.summary.state)
            ? output.later(change) : .waitsForApproval
    }

    /// It has all its approvals and is not applied, which only a freeze brings about.
    private func whatIsMissing(
        for change: ChangeAnswer,
        _ client: AdminClient
    ) async throws -> String {
        let next = "plimsoll change apply \(decision.id)"
        guard let freeze = try await client.call(Endpoints.getApp, change.summary.app).freeze else {
            return "It has all the approvals it needs; \(next) brings it into force."
        }
        return "It has all the approvals it needs. \(next) brings it into force after"
            + " the freeze. \(freeze.sentence(await People(client)))"
    }
}

extension Output {
    /// Says when a change that has all its approvals comes into force, or why it does not.
    fileprivate func later(_ change: ChangeAnswer) -> ExitStatus {
        if let suspension = change.summary.suspension {
            note("\(suspension.sentence) \(change.remedy(of: suspension))")
            return .waitsForApproval
        }
        guard let words = change.timeWords else { return .done }
        note(words)
        return change.course.missingAtTime.isEmpty ? .done : .waitsForApproval
    }
}

extension ChangeAnswer {
    /// When what has all its approvals comes into force, or why it does not; `nil` without a time.
    var timeWords: String? {
        guard let start = summary.schedule?.start else { return nil }
        guard course.missingAtTime.isEmpty else {
            return
                "It has all the approvals it needs now, but not at \(start): some end before that,"
                + " and have to be given again."
        }
        if let ending = course.endsBefore.first {
            return
                "It has all the approvals it needs, but change \(ending) ends before \(start) and takes"
                + " back what it was made on, which suspends it: revise it after that end."
        }
        return course.freezeAtTime == nil
            ? "It has all the approvals it needs and comes into force at \(start)."
            : "It has all the approvals it needs, but \(start) falls into a planned freeze,"
                + " which suspends it: give it another time, or apply it after the freeze."
    }

    /// What is left to do once somebody has approved it.
    fileprivate func remedy(of suspension: SuspensionCause) -> String {
        guard course.missing.isEmpty else { return "It still needs approvals." }
        return suspension == .approvals
            ? "It has all it needs now: plimsoll change apply \(summary.id) brings it into force, or"
                + " give it another time."
            : suspension.remedy
    }
}

/// `plimsoll change reject`: it is turned down for good.
struct RejectCommand: DecidingCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject",
        abstract: "Reject a change, for good.",
        discussion: """
            For example:
              plimsoll change reject 17 --reason "3.2.0 is not in the store yet" --yes
            """
    )

    @OptionGroup var decision: DecisionOptions
    @Option(help: "Why; its author reads it.")
    var reason: String
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = MandatoryReasonForm(reason: try Reason(written: reason))
        return try await decide("Reject", Endpoints.rejectChange, form, output)
    }
}

/// `plimsoll change request-changes`: its author is to revise it.
struct RequestChangesCommand: DecidingCommand {
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
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = MandatoryReasonForm(reason: try Reason(written: reason))
        return try await decide("Ask for another", Endpoints.requestChanges, form, output)
    }
}

/// `plimsoll change comment`: a word to all who decide on it.
struct CommentCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "comment",
        abstract: "Comment on a change.",
        discussion: "For example: plimsoll change comment 17 \"Release notes follow at noon\""
    )

    @Argument(help: "The change's number.")
    var id: ChangeID
    @Argument(help: "The words.")
    var comment: String
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = CommentForm(comment: try Reason(written: comment))
        return try await service.withClient { client in
            let change = try await submission.write { options in
                try await client.call(Endpoints.commentOnChange, id, form, options)
            }
            output.show(change.report(await output.people(client), dryRun: submission.dryRun))
            submission.note(output)
            return .done
        }
    }
}

/// `plimsoll change withdraw`: its author takes it back.
struct WithdrawCommand: DecidingCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Withdraw a change of yours.",
        discussion: "For example: plimsoll change withdraw 17 --yes"
    )

    @OptionGroup var decision: DecisionOptions
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await decide("Withdraw", Endpoints.withdrawChange, EmptyForm(), output)
    }
}

/// `plimsoll change apply`: what has its approvals and was kept waiting comes into force.
struct ApplyCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Apply an approved change that a freeze kept waiting.",
        discussion: "For example: plimsoll change apply 17 --yes --wait"
    )

    @OptionGroup var decision: DecisionOptions
    @OptionGroup var wait: WaitOption
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let edge = try wait.edge()
        let (change, report) = try await service.withClient { client in
            let digest = try await decision.seen(toDecide: "Apply", client).digest
            let change = try await decision.write(
                Endpoints.applyChange,
                seen: digest,
                EmptyForm(),
                client
            )
            let people = await output.people(client)
            return (change, change.report(people, dryRun: decision.submission.dryRun))
        }
        let applied = decision.submission.dryRun ? nil : AppliedWrite(change)
        return try await output.show(report, of: applied, servedBy: edge, trusting: service)
    }
}

/// `plimsoll change override`: what a check found is right.
struct OverrideCommand: DecidingCommand {
    static let configuration = CommandConfiguration(
        commandName: "override",
        abstract: "Override a check that refuses a change, with a reason.",
        discussion: """
            The policy says which checks refuse a change and which role may override them. It \
            holds for what the change says now, and is nobody's to give who had a hand in it.

            For example:
              plimsoll change override 17 --check minimumLowered \\
                --reason "3.1 works again" --yes
            """
    )

    @OptionGroup var decision: DecisionOptions
    @Option(help: "The check, as plimsoll change show names it.")
    var check: CheckName
    @Option(help: "Why it is right; it is kept with the event.")
    var reason: String
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = OverrideForm(check: check, reason: try Reason(written: reason))
        let verb = "Override \(check.rawValue) of"
        return try await decide(verb, Endpoints.overrideCheck, form, output)
    }
}

extension CheckName: ExpressibleByArgument {}

extension [CheckFinding] {
    /// What looks like a mistake, for whoever did it.
    var blocks: [Report.Block] { map { .line($0.line) } }
}

extension [CheckResult] {
    /// What looks like a mistake, for whoever decides on it.
    func blocks(_ people: People) -> [Report.Block] {
        map { .line($0.finding.line + $0.remark(people)) }
    }
}

extension CheckFinding {
    fileprivate var line: String { "check     \(check.rawValue): \(legible(sentence))" }
}

extension CheckResult {
    fileprivate func remark(_ people: People) -> String {
        if let overriddenBy { return " (overridden by \(people.name(overriddenBy)))" }
        guard rule.severity == .refuse else { return "" }
        return rule.overridableBy.map { " (refused, unless the role \($0.rawValue) overrides it)" }
            ?? " (refused)"
    }
}
