import PlimsollDomain

/// A change as the events of its stream tell it.
struct ChangeRecord {
    let proposal: ChangeView.Proposal
    private(set) var state = ChangeState.proposed
    private(set) var digest: ChangeDigest?
    private(set) var verdict: ChangeView.Verdict?
    private(set) var position: Position

    var isOpen: Bool { state.isOpen }

    /// Returns `nil` for a history that does not begin with a proposal: there is no such change.
    init?(id: ChangeID, history: [RecordedEvent]) {
        guard let first = history.first, let last = history.last,
            case .change(.changeProposed(let app, let title, let base)) = first.event
        else { return nil }
        proposal = ChangeView.Proposal(
            app: app,
            title: title,
            reason: first.origin.reason,
            author: first.origin.actor,
            base: base,
            operations: history.flatMap(\.operations),
            proposedAt: first.recordedAt
        )
        position = last.position
        for recorded in history { take(recorded) }
    }

    private mutating func take(_ recorded: RecordedEvent) {
        guard case .change(let event) = recorded.event else { return }
        switch event {
        case .changeProposed, .operationsAdded: break
        case .changeApproved(let digest, let comment):
            end(.approved, recorded, digest: digest, comment: comment)
        case .changeRejected(let digest):
            end(.rejected, recorded, digest: digest, comment: recorded.origin.reason)
        case .changeWithdrawn: end(.withdrawn, recorded, digest: nil, comment: nil)
        case .changeApplied: state = .applied
        }
    }

    private mutating func end(
        _ state: ChangeState,
        _ recorded: RecordedEvent,
        digest: ChangeDigest?,
        comment: Reason?
    ) {
        self.state = state
        self.digest = digest
        verdict = ChangeView.Verdict(
            by: recorded.origin.actor,
            at: recorded.recordedAt,
            comment: comment
        )
    }
}

extension RecordedEvent {
    fileprivate var operations: [Operation] {
        guard case .change(.operationsAdded(let operations)) = event else { return [] }
        return operations
    }
}
