package import PlimsollDomain

/// What a snapshot rests on: who decided what is in it, and under which rules.
///
/// It is a function of the log up to the snapshot's position, as its documents are.
package struct SnapshotBasis: Equatable, Sendable {
    /// The changes that what is published is left from, in the order in which they were applied.
    package let changes: [AppliedChange]
    /// The rollbacks among them, in order.
    package let rollbacks: [AppliedRollback]
    /// The ends of changes among them, in order: what was there before went back.
    package let ends: [EndOfChange]
    /// How often roles and tokens had been changed: the revision of the stream `access`.
    package let access: Revision
    /// The event that set the policy in force, ``Position/start`` for the one that is built in; `nil`
    /// where it was made by a program that did not say so yet.
    package let policy: Position?
    /// The event that brought the app the settings it had; `nil` likewise.
    package let settings: Position?

    package init(
        changes: [AppliedChange],
        rollbacks: [AppliedRollback],
        ends: [EndOfChange] = [],
        access: Revision,
        policy: Position? = nil,
        settings: Position? = nil
    ) {
        self.changes = changes
        self.rollbacks = rollbacks
        self.ends = ends
        self.access = access
        self.policy = policy
        self.settings = settings
    }

    /// Whether it says the same, as far as it says anything.
    package func agrees(with whole: SnapshotBasis) -> Bool {
        let said = SnapshotBasis(
            changes: whole.changes,
            rollbacks: whole.rollbacks,
            ends: whole.ends,
            access: whole.access,
            policy: policy == nil ? nil : whole.policy,
            settings: settings == nil ? nil : whole.settings
        )
        return self == said
    }
}

/// A change as it was applied, with the approvals that it had.
package struct AppliedChange: Hashable, Sendable {
    package let id: ChangeID
    package let digest: ChangeDigest
    /// The place of its `ChangeApplied`.
    package let position: Position
    package let approvals: [ChangeApproval]

    package init(
        id: ChangeID,
        digest: ChangeDigest,
        position: Position,
        approvals: [ChangeApproval]
    ) {
        self.id = id
        self.digest = digest
        self.position = position
        self.approvals = approvals
    }
}

/// Who approved which content of a change.
package struct ChangeApproval: Hashable, Sendable {
    package let by: PrincipalID
    package let digest: ChangeDigest
    /// The place of its `ChangeApproved`.
    package let position: Position

    package init(by: PrincipalID, digest: ChangeDigest, position: Position) {
        self.by = by
        self.digest = digest
        self.position = position
    }
}

/// A return to an earlier state.
package struct AppliedRollback: Hashable, Sendable {
    /// The place of its `RolledBack`.
    package let position: Position
    /// The position whose state was restored.
    package let target: Position
    package let by: PrincipalID

    package init(position: Position, target: Position, by: PrincipalID) {
        self.position = position
        self.target = target
        self.by = by
    }
}

/// The end of a change that was approved for a time.
package struct EndOfChange: Hashable, Sendable {
    package let id: ChangeID
    /// The place of its `ChangeEnded`.
    package let position: Position

    package init(id: ChangeID, position: Position) {
        self.id = id
        self.position = position
    }
}

/// A checkpoint of the transparency log, by its name alone.
///
/// It was signed before the log was told of the snapshot; any later one has to extend it.
package struct NamedCheckpoint: Equatable, Sendable {
    package let origin: String
    package let size: Position
    package let root: ContentDigest

    package init(origin: String, size: Position, root: ContentDigest) {
        self.origin = origin
        self.size = size
        self.root = root
    }
}
