import PlimsollAPI
import PlimsollDomain

extension ChangeRecord {
    /// The change once it is decided on: nothing of it is worked out any more.
    func answer(
        of id: ChangeID,
        effect: [FieldChange],
        position: Position? = nil,
        suspension: SuspensionCause? = nil,
        term: ChangeTerm?,
        undoing: Undoing? = nil,
        overtaken: [ChangeID]
    ) -> ChangeAnswer {
        ChangeAnswer(
            summary: summary(
                of: id,
                state,
                position: position,
                undoing: undoing,
                suspension: suspension
            ),
            reason: proposal.reason,
            operations: proposal.operations,
            effect: effect,
            digest: digest,
            outcome: outcome(),
            course: ChangeCourse(term: term),
            overtaken: overtaken,
            origin: origin
        )
    }

    /// The change as a list has it; once it has ended, with the position where it did.
    ///
    /// What is recorded of it since, such as a review, brings it into no other state.
    func summary(
        of id: ChangeID,
        _ state: ChangeState,
        position: Position? = nil,
        isInConflict: Bool = false,
        undoing: Undoing? = nil,
        suspension: SuspensionCause?
    ) -> ChangeSummary {
        ChangeSummary(
            id: id,
            app: proposal.app,
            title: proposal.title,
            author: proposal.author,
            state: state,
            base: proposal.base,
            proposedAt: proposal.proposedAt,
            position: position ?? self.position,
            isInConflict: isInConflict,
            undoing: undoing,
            schedule: schedule,
            suspension: suspension
        )
    }

    /// Who agreed, and how it ended.
    func outcome(_ void: (GivenApproval) -> ApprovalVoid? = \.told.void) -> ChangeOutcome {
        ChangeOutcome(
            approvals: approvals.map { given in
                var told = given.told
                told.void = void(given)
                return told
            },
            rejection: rejection,
            decidedAt: decidedAt,
            remarks: remarks
        )
    }

    var origin: ChangeOrigin { ChangeOrigin(source: source, supersededBy: supersededBy) }
}

extension CountAnswer {
    init(_ count: FieldWrite, of platform: Platform) {
        self.init(
            platform: platform,
            position: count.position,
            by: count.actor,
            at: count.recordedAt
        )
    }
}
