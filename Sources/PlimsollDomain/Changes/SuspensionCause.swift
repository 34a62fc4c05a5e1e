/// Why a change that was to come into force by itself does not.
package enum SuspensionCause: String, Codable, CaseIterable, Sendable {
    /// Nothing may apply at present.
    case freeze
    /// A rollback of what it writes came in between.
    case rollback
    /// Others have written some of its fields since its base, or a minimum that its offers fall below, or
    /// it would change nothing any more.
    case conflict
    /// It came due while nothing ran, and that was too long ago.
    case missed
    /// Its approvals do not suffice, or not any more.
    case approvals
    /// Texts are missing that the app requires.
    case texts
    /// The policy refuses what a check found, and nobody overrode it.
    case checks

    /// What happened, as people are told.
    package var sentence: String {
        switch self {
        case .freeze: "It came due during a freeze."
        case .rollback: "The fields it was to change were rolled back before it came due."
        case .conflict:
            "Others changed what it was to change before it came due, or a minimum that its offers fall"
                + " below."
        case .missed: "It came due while the service was down, and that was too long ago."
        case .approvals: "When it came due its approvals did not suffice any more."
        case .texts: "When it came due texts were missing that the app requires."
        case .checks: "When it came due the policy refused what a check had found in it."
        }
    }

    /// What brings it on its way again.
    package var remedy: String {
        switch self {
        case .freeze: "When the freeze is over, apply it, or give it another time."
        case .rollback:
            "See whether it is still wanted; then give it a time again (change schedule), revise it,"
                + " or withdraw it."
        case .conflict:
            "Revise it on what is live now, with a time that lies ahead, or withdraw it. Where another"
                + " change holds its fields for a time, wait for its end."
        case .missed: "Apply it now, or give it another time."
        case .approvals: "Have it approved and apply it, or give it another time."
        case .texts: "Revise it with the texts, or withdraw it."
        case .checks: "Revise it, or have the check overridden, and give it another time."
        }
    }
}

/// The rollback that took an applied change back as a whole.
package struct Undoing: Codable, Equatable, Sendable {
    /// The position of its `rolledBack`.
    package let position: Position
    package let actor: PrincipalID
    package let at: Instant
    package let reason: Reason?

    package init(position: Position, actor: PrincipalID, at: Instant, reason: Reason?) {
        self.position = position
        self.actor = actor
        self.at = at
        self.reason = reason
    }

    init(_ recorded: RecordedEvent) {
        self.init(
            position: recorded.position,
            actor: recorded.origin.actor,
            at: recorded.recordedAt,
            reason: recorded.origin.reason
        )
    }
}
