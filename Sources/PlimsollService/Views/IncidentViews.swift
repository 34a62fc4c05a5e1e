package import PlimsollAPI
package import PlimsollDomain

/// The receipt of an emergency.
package struct EmergencyView: Equatable, Sendable {
    package let app: AppSlug
    /// What it is called among the changes; `nil` where it was only tried.
    package let change: ChangeID?
    /// The last position of the append; `nil` where it was only tried.
    package let position: Position?
    /// The sequence under which it is published; `nil` where it was only tried.
    package let sequence: SnapshotSequence?
    package let incident: Title
    /// The review that it opens.
    package let order: ReviewOrder
    /// What names the review; `nil` where it was only tried.
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

/// Something done in a hurry, to be looked at again or looked at already.
package struct ReviewView: Equatable, Sendable {
    /// The position of the event that ordered it, and its name.
    package let position: Position
    package let app: AppSlug
    package let subject: Review.Subject
    package let state: ReviewState
    /// Who did what is to be reviewed, when and why.
    package let actor: PrincipalID
    package let since: Instant
    package let reason: Reason?
    /// Of an emergency.
    package let incident: Title?
    package let order: ReviewOrder
    /// Who may close it while it is open; some of them where there are many.
    package let reviewers: [PrincipalID]
    package let verdict: Verdict?

    /// What was found, by whom and when.
    package struct Verdict: Equatable, Sendable {
        package let verdict: ReviewVerdict
        package let by: PrincipalID
        package let at: Instant
    }
}

/// How it stands with a review.
package enum ReviewState: String, CaseIterable, Sendable {
    case open
    /// Open, and later than it should be.
    case overdue
    case closed
}

/// Which open reviews are wanted, oldest first; what is empty or `nil` does not narrow them.
package struct ReviewQuery: Equatable, Sendable {
    package var apps: [AppSlug] = []
    package var owners: [PrincipalID] = []
    package var isOverdue: Bool?
    /// The review behind which to go on.
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
    /// The last position of the append; `nil` where it was only tried.
    package let position: Position?
    /// The sequence under which the old content is published; `nil` where it was only tried.
    package let sequence: SnapshotSequence?
    /// The position whose state was restored.
    package let target: Position
    package let platforms: [Platform]
    /// Those of a rollback of the whole app of which nothing stood there: they are left as they are.
    package let platformsKept: [Platform]
    package let changes: [FieldChange]
    /// `nil` for the repetition of a rollback: they were worked out on the world before it.
    package let sideEffects: RollbackSideEffects?
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
    /// Where it leads; only where it was rehearsed, and could be told at once.
    package let origin: RollbackTargetView?
}

/// An earlier state, and who stands behind it.
package struct RollbackTargetView: Equatable, Sendable {
    /// When the last event before it was recorded.
    package let recordedAt: Instant
    /// What wrote last of all that stands in it; `nil` where nothing does.
    package let write: Write?

    /// An event, and the change behind it; none with a rollback.
    package struct Write: Equatable, Sendable {
        package let event: RecordedEvent
        package let cause: BlameView.Cause?
    }
}

/// What else becomes of an app's changes when it is rolled back, by their numbers.
package struct RollbackSideEffects: Equatable, Sendable {
    /// They come into force only when they are scheduled again.
    package let suspended: [ChangeID]
    /// They were applied after the target and are taken back as a whole.
    package let undone: [ChangeID]
    /// Those of which it takes back anything that others made, but for the one that it names.
    package let undoneOfOthers: [ChangeID]
    /// They were to end at a time of their own, and do not any more.
    package let endsCalledOff: [ChangeID]
    /// An earlier rollback called their end off; what comes back of them ends at its time after all.
    package let endsResumed: [ChangeID]
    /// They are open, and based on what is no longer live.
    package let stale: [ChangeID]
    /// Those of them that wait for their time all the same: they will not come into force.
    package let overtaken: [ChangeID]
}
