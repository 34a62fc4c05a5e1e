package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let reviews: [any EndpointDeclaration] = [listReviews, getReview, closeReview]

    package static let listReviews = Read<NoNames, ReviewList>(
        .get("listReviews", "/v1/reviews"),
        "The open reviews of emergency actions, oldest first; or the closed ones, newest first.",
        query: [
            .repeatable("app", .slug), .repeatable("owner", .principal),
            .optional("overdue", .boolean), .optional("closed", .boolean),
        ] + .paging(most: 200)
    )

    package static let getReview = Read<Position, ReviewAnswer>(
        .get("getReview", "/v1/reviews/{position}"),
        "A review, open or closed, by the position of the event that ordered it."
    )

    package static let closeReview = Write<Position, ReviewForm, ReviewAnswer>(
        .post("closeReview", "/v1/reviews/{position}/close"),
        "Close a review; never by whoever acted, nor by somebody they let in."
    )
}

/// Something done in a hurry, to be looked at again or looked at already.
package struct ReviewAnswer: Answer, Shaped {
    /// The position of the event that ordered it, and its name.
    package let position: Position
    /// Where the record stood before what was done.
    package let before: Position
    package let app: AppSlug
    package let kind: Kind
    /// The change that an emergency applied.
    package let change: ChangeID?
    package let state: State
    package let actor: PrincipalID
    package let since: Instant
    package let reason: Reason?
    package let incident: Title?
    package let order: ReviewOrder
    /// Who may close it while it is open; some of them where there are many.
    package let reviewers: [PrincipalID]
    package let verdict: Verdict?

    /// What was done in a hurry.
    package enum Kind: String, CaseIterable, Sendable {
        case emergency
        case rollback
        /// Of packages, from alternative marketplaces.
        case withdrawal
    }

    /// How it stands with a review.
    package enum State: String, CaseIterable, Sendable {
        case open
        /// Open, and later than it should be.
        case overdue
        case closed
    }

    package init(
        position: Position,
        before: Position,
        app: AppSlug,
        kind: Kind,
        change: ChangeID?,
        state: State,
        actor: PrincipalID,
        since: Instant,
        reason: Reason?,
        incident: Title?,
        order: ReviewOrder,
        reviewers: [PrincipalID],
        verdict: Verdict?
    ) {
        self.position = position
        self.before = before
        self.app = app
        self.kind = kind
        self.change = change
        self.state = state
        self.actor = actor
        self.since = since
        self.reason = reason
        self.incident = incident
        self.order = order
        self.reviewers = reviewers
        self.verdict = verdict
    }

    package static let shape = Shape<Self>(
        "Review",
        Self.init(
            position:
            before:
            app:
            kind:
            change:
            state:
            actor:
            since:
            reason:
            incident:
            order:
            reviewers:
            verdict:
        ),
        .required("position", \.position, .position),
        .required("before", \.before, .position, before: .start),
        .required("app", \.app, .slug),
        .required("kind", \.kind, .names),
        .nullable("change", \.change, .change),
        .required("state", \.state, .names),
        .required("actor", \.actor, .principal),
        .required("since", \.since, .instant),
        .nullable("reason", \.reason, .reason),
        .nullable("incident", \.incident, .title),
        .part(\.order, ReviewOrder.shape),
        .required("reviewers", \.reviewers, .array(of: .principal)),
        .nullable("verdict", \.verdict, .object(Verdict.shape))
    ).withDryRun

    /// What was found, by whom and when.
    package struct Verdict: Answer, Shaped {
        package let verdict: ReviewVerdict
        package let by: PrincipalID
        package let at: Instant

        package init(verdict: ReviewVerdict, by: PrincipalID, at: Instant) {
            self.verdict = verdict
            self.by = by
            self.at = at
        }

        package static let shape = Shape<Self>(
            "ReviewVerdict",
            { Self(verdict: ReviewVerdict($0, comment: $1), by: $2, at: $3) },
            .required("outcome", \.verdict.outcome, .names),
            .nullable("comment", \.verdict.comment, .reason),
            .required("by", \.by, .principal),
            .required("at", \.at, .instant)
        )
    }
}

/// A part of the open reviews, oldest first, and where the next part begins.
package struct ReviewList: Answer, Shaped {
    package let reviews: [ReviewAnswer]
    /// The cursor of the next part; `nil` where the list has come to its end.
    package let next: String?

    package init(reviews: [ReviewAnswer], next: String?) {
        self.reviews = reviews
        self.next = next
    }

    package static let shape = Shape<Self>(
        "ReviewList",
        Self.init(reviews:next:),
        .required("reviews", \.reviews, .objects(ReviewAnswer.shape)),
        .nullable("next", \.next, .cursor)
    )
}

/// The body of `POST /v1/reviews/{position}/close`; whoever objects says to what.
package struct ReviewForm: Form, Shaped {
    package let verdict: ReviewVerdict

    package init(verdict: ReviewVerdict) { self.verdict = verdict }

    package static let shape = Shape<Self>(
        "ReviewFinding",
        byHand: .oneOf([
            .object([
                .required("outcome", .constant(.string(ReviewVerdict.Outcome.confirmed.rawValue))),
                .optional("comment", .reason),
            ]),
            .object([
                .required("outcome", .constant(.string(ReviewVerdict.Outcome.objected.rawValue))),
                .required("comment", .reason),
            ]),
        ])
    )

    package init?(_ reader: inout ObjectReader) {
        let outcome = reader.name("outcome", as: ReviewVerdict.Outcome.self)
        let comment =
            outcome == .objected
            ? reader.member("comment", .reason) : reader.optionalMember("comment", .reason)
        guard let outcome, outcome == .confirmed || comment != nil else { return nil }
        self.init(verdict: ReviewVerdict(outcome, comment: comment))
    }

    package var json: JSONObject {
        [
            "outcome": .string(verdict.outcome.rawValue),
            "comment": JSONValue(verdict.comment?.text),
        ]
    }
}

extension ReviewOrder {
    package static let shape = Shape<Self>(
        nil,
        Self.init(owner:role:due:),
        .required("owner", \.owner, .principal),
        .required("role", \.role, .names),
        .required("due", \.due, .instant)
    )

    package var json: JSONObject { Self.shape.json(self) }
}
