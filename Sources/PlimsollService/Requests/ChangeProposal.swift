package import PlimsollDomain

/// What somebody proposes.
package struct ChangeProposal: Equatable, Sendable {
    package let app: AppSlug
    package let title: Title
    package let reason: Reason?
    package let base: Position
    package let operations: [Operation]
    package let schedule: Schedule?
    /// What it is made of; open changes that its author made of the same are superseded.
    package let source: Title?

    package init(
        app: AppSlug,
        title: Title,
        reason: Reason?,
        base: Position,
        operations: [Operation],
        schedule: Schedule? = nil,
        source: Title? = nil
    ) {
        self.app = app
        self.title = title
        self.reason = reason
        self.base = base
        self.operations = operations
        self.schedule = schedule
        self.source = source
    }
}
