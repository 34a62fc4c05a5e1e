package import PlimsollDomain

/// A change as people see it.
package struct ChangeView: Equatable, Sendable {
    package let id: ChangeID
    package let app: AppSlug
    package let title: Title
    package let reason: Reason?
    package let author: PrincipalID
    package let base: Position
    package let state: ChangeState
    package let operations: [Operation]
    /// Each field before and after: against what is live while it is open, as it was applied
    /// or turned down afterwards.
    package let effect: [FieldChange]
    /// What an approval has to name; `nil` once the change was withdrawn.
    package let digest: ChangeDigest?
    package let proposedAt: Instant
    package let verdict: Verdict?
    /// The last position of the append that brought it into this state.
    package let position: Position

    package init(
        id: ChangeID,
        proposal: Proposal,
        state: ChangeState,
        effect: [FieldChange],
        digest: ChangeDigest?,
        verdict: Verdict?,
        position: Position
    ) {
        self.id = id
        app = proposal.app
        title = proposal.title
        reason = proposal.reason
        author = proposal.author
        base = proposal.base
        operations = proposal.operations
        proposedAt = proposal.proposedAt
        self.state = state
        self.effect = effect
        self.digest = digest
        self.verdict = verdict
        self.position = position
    }

    /// What the author said, once and for ever.
    package struct Proposal: Equatable, Sendable {
        package let app: AppSlug
        package let title: Title
        package let reason: Reason?
        package let author: PrincipalID
        package let base: Position
        package let operations: [Operation]
        package let proposedAt: Instant
    }

    /// Who ended it, and with which words.
    package struct Verdict: Equatable, Sendable {
        package let by: PrincipalID
        package let at: Instant
        package let comment: Reason?
    }
}
