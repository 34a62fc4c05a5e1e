package import PlimsollDomain

/// Where in the log a publication was ordered, and for how long it is good.
package struct SnapshotIssue: Equatable, Sendable {
    package let sequence: SnapshotSequence
    /// The last position of the append that ordered it.
    package let position: Position
    package let issuedAt: Instant
    package let expiresAt: Instant

    package init(
        sequence: SnapshotSequence,
        position: Position,
        issuedAt: Instant,
        expiresAt: Instant
    ) {
        self.sequence = sequence
        self.position = position
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// Old is not wrong: what is expired is still better than nothing, and is said to be stale.
    package func isExpired(at now: Instant) -> Bool { expiresAt <= now }
}
