/// What is to be looked at again, by whom, and until when.
package struct ReviewOrder: Codable, Equatable, Sendable {
    /// Who sees to it that it happens; not who reviews.
    package let owner: PrincipalID
    package let role: Role
    package let due: Instant

    package init(owner: PrincipalID, role: Role, due: Instant) {
        self.owner = owner
        self.role = role
        self.due = due
    }
}

/// What was found when it was looked at.
package struct ReviewVerdict: Equatable, Sendable {
    package let outcome: Outcome
    package let comment: Reason?

    /// Whether what was done was right.
    package enum Outcome: String, CaseIterable, Sendable {
        /// It was right.
        case confirmed
        /// It was not, and something has to follow.
        case objected
    }

    package init(_ outcome: Outcome, comment: Reason?) {
        self.outcome = outcome
        self.comment = comment
    }
}

/// Why somebody acted alone, and the review it opened.
package struct Emergency: Codable, Equatable, Sendable {
    /// What people look the incident up by: a number or an address.
    package let incident: Title
    package let review: ReviewOrder

    package init(incident: Title, review: ReviewOrder) {
        self.incident = incident
        self.review = review
    }
}

extension Title {
    /// Stands for an incident that nobody has given a number yet.
    package static let withoutReference = Title(unchecked: "no reference yet")
}

/// A review that is still open.
package struct Review: Codable, Equatable, Sendable {
    /// The position of the event that ordered it, and its name.
    package let position: Position
    package let app: AppSlug
    package let subject: Subject
    /// Who did what is to be reviewed.
    package let actor: PrincipalID
    package let order: ReviewOrder

    /// So many of those who may close it are named.
    package static let reviewersNamed = 20

    /// What was done in a hurry.
    package enum Subject: Codable, Equatable, Sendable {
        case emergency(ChangeID)
        case rollback
        /// Of packages, from alternative marketplaces.
        case withdrawal
    }

    private init(
        _ recorded: RecordedEvent,
        _ app: AppSlug,
        _ subject: Subject,
        _ order: ReviewOrder
    ) {
        position = recorded.position
        self.app = app
        self.subject = subject
        actor = recorded.origin.actor
        self.order = order
    }

    /// The review that an event ordered, if it did.
    package init?(_ recorded: RecordedEvent, of app: AppSlug) {
        if case .change(let id) = recorded.stream,
            case .change(.emergencyApplied(let emergency)) = recorded.event
        {
            self.init(recorded, app, .emergency(id), emergency.review)
        } else if case .app(.rollbackReviewOrdered(let order)) = recorded.event {
            self.init(recorded, app, .rollback, order)
        } else if case .app(.marketplace(.withdrawalReviewOrdered(let order))) = recorded.event {
            self.init(recorded, app, .withdrawal, order)
        } else {
            return nil
        }
    }

    package func isOverdue(at now: Instant) -> Bool { order.due < now }
}
