package import PlimsollDomain

/// Where each field of a document has its content from.
package struct BlameView: Equatable, Sendable {
    package let app: AppSlug
    package let platform: Platform
    /// The position whose state it is.
    package let position: Position
    /// One for each field that holds something, in the order of their paths.
    package let lines: [Line]

    /// A field, and the event that wrote it last.
    package struct Line: Equatable, Sendable {
        package let field: Field
        package let value: FieldValue
        package let event: RecordedEvent
        /// The change behind it; `nil` where nobody proposed it, as with a rollback.
        package let cause: Cause?
    }

    /// A change, and the people behind it.
    package struct Cause: Equatable, Sendable {
        package let id: ChangeID
        package let author: PrincipalID
        package let approvers: [PrincipalID]
        package let reason: Reason?
        /// What it was an emergency in, where it was one: nobody had to approve it.
        package let incident: Title?

        /// Those stand behind it who approved what was applied, and had not lapsed by then.
        init?(id: ChangeID, _ history: [RecordedEvent], lapsed: [Approval]) {
            guard let record = ChangeRecord(id: id, history: history, lapsed: lapsed) else {
                return nil
            }
            self.id = id
            author = record.proposal.author
            reason = record.proposal.reason
            incident = history.lazy.compactMap(\.incident).first
            approvers = record.outcome.approvals.filter(\.counts).map(\.verdict.by)
        }
    }
}

extension RecordedEvent {
    fileprivate var incident: Title? {
        guard case .change(.emergencyApplied(let emergency)) = event else { return nil }
        return emergency.incident
    }
}
