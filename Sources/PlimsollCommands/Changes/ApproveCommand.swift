import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll change approve`: with the last approval the change is live.
struct ApproveCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve what the change shows, and nothing else.",
        discussion: """
            It shows the change and asks. A script names the digest it has reviewed. While more \
            approvals are needed the exit code is 6. A change that has them all and a time of its \
            own comes into force then; --wait does not wait for that.

            Examples:
              plimsoll change approve 17
              plimsoll change approve 17 --digest "$(plimsoll change show 17 | jq -r .digest)"
              plimsoll change approve 17 --yes --wait
            """
    )

    @OptionGroup var decision: DecisionOptions
    @Option(help: "A comment that is kept with the approval.")
    var comment: String?
    @OptionGroup var wait: WaitOption
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let comment = try reason(comment)
        let edge = try wait.edge()
        let (change, report, missing) = try await service.withClient { client in
            let (digest, counts) = try await decision.seen(toDecide: "Approve", client)
            let form = ApprovalForm(comment: comment, counted: counts)
            let change = try await decision.submission.write { options in
                try await client.approve(decision.id, seen: digest, form, options)
            }
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
        try await output.show(
            report,
            of: AppliedWrite(change, remark: remark),
            servedBy: edge,
            trusting: service
        )
        return .done
    }

    /// How it ends where the approval has brought nothing into force.
    private func outcome(of change: ChangeAnswer, _ output: Output) -> ExitStatus {
        guard !decision.submission.dryRun else {
            output.noteRehearsal()
            return .done
        }
        return change.summary.state == .scheduled ? output.later(change) : .waitsForApproval
    }

    /// It has all its approvals and is not applied, which only a freeze brings about.
    private func whatIsMissing(
        for change: ChangeAnswer,
        _ client: AdminClient
    ) async throws -> String {
        let next = "plimsoll change apply \(decision.id)"
        guard let freeze = try await client.app(change.summary.app).freeze else {
            return "It has all the approvals it needs; \(next) brings it into force."
        }
        return "It has all the approvals it needs. \(next) brings it into force after"
            + " the freeze. \(freeze.sentence(await People(client)))"
    }
}

extension Output {
    /// Says when a change that has all its approvals comes into force, or why it does not.
    fileprivate func later(_ change: ChangeAnswer) -> ExitStatus {
        let course = change.course
        if let suspension = course.suspension {
            note("\(suspension.sentence) \(suspension.remedy)")
            return .waitsForApproval
        }
        if let start = course.schedule?.start, !course.missingAtTime.isEmpty {
            note(
                "It has all the approvals it needs now, but not at \(start): some end before that,"
                    + " and have to be given again."
            )
            return .waitsForApproval
        }
        if let start = course.schedule?.start {
            note("It has all the approvals it needs and comes into force at \(start).")
        }
        return .done
    }
}
