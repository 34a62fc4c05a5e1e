import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// What a change of one list says of itself.
struct ListChangeOptions: ParsableArguments {
    @Option(help: "One line that says what the change does.")
    var title: String
    @Option(help: "Why it is made.")
    var reason: String?
    @Option(
        help: ArgumentHelp(
            "The position at which you looked at the list; what is live now without it.",
            valueName: "position"
        )
    )
    var base: Position?

    func change(_ schedule: Schedule? = nil) throws -> ListChange {
        ListChange(
            title: try Title(written: title),
            reason: try Reason(written: reason),
            base: base,
            schedule: schedule
        )
    }
}

/// A change of one list, before it is known what the list is.
struct ListChange {
    let title: Title
    let reason: Reason?
    let base: Position?
    let schedule: Schedule?

    /// Proposes it on what the author looked at, or else on what was read at a position; `edit` is what
    /// was typed, where the operation was worked out from what was read.
    func propose(
        _ operation: Operation,
        typed edit: JSONObject? = nil,
        to app: AppAnswer,
        readAt position: Position,
        _ client: AdminClient,
        _ submission: SubmissionOptions,
        _ output: Output
    ) async throws -> ExitStatus {
        let form = ProposalForm(
            title: title,
            reason: reason,
            base: base ?? position,
            operations: [operation],
            schedule: schedule
        )
        return try await PlimsollCommands.propose(
            form,
            for: app,
            asked: base == nil ? form.asked(edit) : nil,
            client,
            submission,
            output
        )
    }
}
