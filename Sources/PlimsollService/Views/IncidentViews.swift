package import PlimsollAPI
package import PlimsollDomain

/// The receipt of an emergency.
package struct EmergencyView: Equatable, Sendable {
    package let app: AppSlug
    /// What it is called among the changes; `nil` in a dry run.
    package let change: ChangeID?
    /// The last position of the append; `nil` in a dry run.
    package let position: Position?
    /// The sequence under which it is published; `nil` in a dry run.
    package let sequence: SnapshotSequence?
    package let incident: Title
    /// The review that it opens.
    package let order: ReviewOrder
    /// What names the review; `nil` in a dry run.
    package let review: Position?
    package let changes: [FieldChange]
    /// The changes that wait for their time and are in conflict now.
    package let overtaken: [ChangeID]
    /// Required texts that people would read now, and that nobody has written.
    package let textsMissing: [Field]
    /// What looks like a mistake in what it wrote.
    package let findings: [CheckFinding]
    /// What it blocks of the devices that were counted.
    package let blocked: [BlockedShare]
    /// What clients of Prince of Versions are told before it and after it.
    package let told: PrinceOfVersionsEffect
}

/// Which open reviews are wanted, oldest first; what is empty or `nil` does not narrow them.
package struct ReviewQuery: Equatable, Sendable {
    package var apps: [AppSlug] = []
    package var owners: [PrincipalID] = []
    package var isOverdue: Bool?
    /// Asks for closed ones, those that were closed last first, in the place of open ones.
    package var isClosed = false
    /// The review behind which to go on, of closed ones the event that closed it.
    package var after: Position?
    package var limit = 50

    package static let limitMaximum = 200

    package init() {}
}

/// How many reviews wait.
package struct ReviewCount: Equatable, Sendable {
    package let open: Int
    /// Those of them that are later than they should be.
    package let overdue: Int
}

/// The receipt of a rollback.
package struct RollbackView: Equatable, Sendable {
    package let app: AppSlug
    /// The last position of the append; `nil` in a dry run.
    package let position: Position?
    /// The sequence under which the old content is published; `nil` in a dry run.
    package let sequence: SnapshotSequence?
    /// The position whose state was restored.
    package let target: Position
    package let platforms: [Platform]
    /// Those of a rollback of the whole app of which nothing stood there: they are left as they are.
    package let platformsKept: [Platform]
    package let changes: [FieldChange]
    /// `nil` for the repetition of a rollback: they were worked out on the state before it.
    package let sideEffects: RollbackOutlook.SideEffects?
    /// The texts that whoever it holds back would read, and that neither state has.
    package let textsMissing: [Field]
    package let devices: [DeviceOutlook]
    package let reach: Reach
    /// The review that the policy wants of it.
    package let review: ReviewOrder?
    /// What it blocks of the devices that were counted.
    package let blocked: [BlockedShare]
    /// What looks like a mistake in what it brings back; it keeps nobody from it.
    package let findings: [CheckFinding]
    /// What clients of Prince of Versions are told before it and after it.
    package let told: PrinceOfVersionsEffect
    /// Where it leads; only in a dry run, where it could be told at once.
    package let origin: RollbackOrigin?
}
