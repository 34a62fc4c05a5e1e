package import PlimsollDomain

/// A change as lists show it.
package struct ChangeRow: Equatable, Sendable {
    package let change: Change
    package private(set) var state: ChangeState
    /// As it was when the change was proposed or decided.
    package let effect: [FieldChange]
    package private(set) var position: Position

    init(change: Change, state: ChangeState, effect: [FieldChange], position: Position) {
        self.change = change
        self.state = state
        self.effect = effect
        self.position = position
    }

    mutating func close(_ state: ChangeState, at position: Position) {
        self.state = state
        self.position = position
    }
}

/// What was published.
package struct SnapshotRow: Equatable, Sendable {
    package let app: AppSlug
    package let record: PublicationRecord
    package let publishedAt: Instant
}
