package import PlimsollDocuments
package import PlimsollDomain

/// What a sink is brought: a snapshot, and what has become of the keys of its app.
package struct Publication: Sendable {
    package let snapshot: VerifiedSnapshot
    /// The keys that signed once and do not now, in the order of their ids: nothing is found at
    /// their addresses any more.
    package let formerKeys: [KeyID]
    /// The keys that somebody else may have: nothing that they signed is kept.
    package let revokedKeys: Set<KeyID>

    /// Takes the app's keys, those of former times too.
    package init(_ snapshot: VerifiedSnapshot, keys: [Key]) {
        self.init(
            snapshot,
            formerKeys: keys.filter { $0.state != .active && $0.firstActivated != nil }
                .map(\.record.id).sorted(),
            revokedKeys: Set(keys.filter { $0.state == .compromised }.map(\.record.id))
        )
    }

    package init(
        _ snapshot: VerifiedSnapshot,
        formerKeys: [KeyID] = [],
        revokedKeys: Set<KeyID> = []
    ) {
        self.snapshot = snapshot
        self.formerKeys = formerKeys
        self.revokedKeys = revokedKeys
    }
}
