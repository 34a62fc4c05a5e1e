package import PlimsollDomain

/// One order to publish an app, as the log gives it.
package struct PublicationOrder: Hashable, Sendable {
    /// The position of the event that ordered it.
    package let sequence: SnapshotSequence
    /// When that event was recorded; the documents are dated with it.
    package let issuedAt: Instant
    /// The last position of the append that the event is part of.
    package let position: Position

    package init(sequence: SnapshotSequence, issuedAt: Instant, position: Position) {
        precondition(
            position.rawValue >= sequence.rawValue,
            "an append ends with, or behind, each of its events"
        )
        self.sequence = sequence
        self.issuedAt = issuedAt
        self.position = position
    }
}
