import ArgumentParser
import PlimsollAPI
import PlimsollDomain

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
            output.preview(blocks)
            try confirmation.obtain(question)
        }
        return inForce.seen
    }

    /// Refuses to go on where somebody has to be asked and cannot be.
    func check() throws {
        if seen == nil, !submission.dryRun { try confirmation.check() }
    }
}
