package import PlimsollDocuments
package import PlimsollDomain

/// One order to publish an app, as the log gives it.
package struct PublicationOrder: Hashable, Sendable {
    /// The position of the event that ordered it.
    package let sequence: SnapshotSequence
    /// When that event was recorded; the documents are dated with it.
    package let issuedAt: Instant
    /// The last position of the append that the event is part of.
    package let position: Position

    /// How long a published document is good for.
    package static let lifetime: Duration = .seconds(7 * 86_400)

    /// The age at which a document is ordered anew: half its life is left to find out why a
    /// renewal does not come.
    package static let renewalAge: Duration = lifetime / 2

    /// How far in the future a document may be dated before it is ordered anew: clocks of machines
    /// that are looked after are closer than that, and clients allow for more.
    package static let clockTolerance: Duration = .seconds(300)

    package init(sequence: SnapshotSequence, issuedAt: Instant, position: Position) {
        precondition(
            position.rawValue >= sequence.rawValue,
            "an append ends with, or behind, each of its events"
        )
        self.sequence = sequence
        self.issuedAt = issuedAt
        self.position = position
    }

    /// How documents that are published by this order are dated.
    package var issue: SnapshotIssue {
        SnapshotIssue(
            sequence: sequence,
            position: position,
            issuedAt: issuedAt,
            expiresAt: issuedAt.advanced(by: Self.lifetime)
        )
    }

    /// When it is time for a renewal.
    package var renewAt: Instant { issuedAt.advanced(by: Self.renewalAge) }
}
