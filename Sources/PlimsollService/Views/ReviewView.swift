package import PlimsollDomain

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
