import PlimsollAPI
import PlimsollDomain
import PlimsollProjection
import PlimsollUseCases

extension ChangeProposal {
    init(_ form: ProposalForm, for app: AppSlug) {
        self.init(
            app: app,
            title: form.title,
            reason: form.reason,
            base: form.base,
            operations: form.operations
        )
    }
}

extension ChangeSummaryAnswer {
    init(_ change: ChangeSummary) {
        self.init(
            id: change.id,
            app: change.app,
            title: change.title,
            author: change.author,
            state: change.state,
            base: change.base,
            proposedAt: change.proposedAt,
            position: change.position
        )
    }

    init(_ change: ChangeView) {
        self.init(
            id: change.id,
            app: change.app,
            title: change.title,
            author: change.author,
            state: change.state,
            base: change.base,
            proposedAt: change.proposedAt,
            position: change.position
        )
    }
}

extension ChangeAnswer {
    init(_ change: ChangeView) {
        self.init(
            summary: ChangeSummaryAnswer(change),
            reason: change.reason,
            operations: change.operations,
            effect: change.effect,
            digest: change.digest,
            outcome: ChangeOutcome(change.verdict, change.state)
        )
    }
}

extension ChangeOutcome {
    /// A withdrawal is the author's own verdict, which is neither of the others.
    init(_ verdict: ChangeView.Verdict?, _ state: ChangeState) {
        guard let verdict else {
            self.init()
            return
        }
        let words = Verdict(by: verdict.by, at: verdict.at, comment: verdict.comment)
        switch state {
        case .approved, .applied: self.init(approvals: [words], decidedAt: verdict.at)
        case .rejected: self.init(rejection: words, decidedAt: verdict.at)
        case .withdrawn, .proposed: self.init(decidedAt: verdict.at)
        }
    }
}
