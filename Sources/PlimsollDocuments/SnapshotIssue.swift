package import PlimsollDomain
import PlimsollJSON

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

extension SnapshotIssue {
    var members: [JSONObject.Member] {
        [
            .init(key: "expiresAt", value: .string(expiresAt.rfc3339)),
            .init(key: "issuedAt", value: .string(issuedAt.rfc3339)),
            .init(key: "position", value: .integer(position.rawValue)),
            .init(key: "sequence", value: .integer(sequence.rawValue)),
        ]
    }
}

extension ObjectReader {
    /// The four members of an issue, among others of the same object.
    mutating func issue() -> SnapshotIssue? {
        let sequence = sequence("sequence")
        let position = position("position")
        let issuedAt = instant("issuedAt")
        let expiresAt = instant("expiresAt")
        guard let sequence, let position, let issuedAt, let expiresAt else { return nil }
        return SnapshotIssue(
            sequence: sequence,
            position: position,
            issuedAt: issuedAt,
            expiresAt: expiresAt
        )
    }

    mutating func sequence(_ key: String) -> SnapshotSequence? {
        member(key, needing: "the sequence of a snapshot") {
            $0.integer.flatMap(SnapshotSequence.init(rawValue:))
        }
    }

    private mutating func instant(_ key: String) -> Instant? {
        string(key, needing: "a time as in RFC 3339") { Instant(rfc3339: $0) }
    }
}
