package import PlimsollDomain
package import PlimsollJSON

/// Something done in a hurry, to be looked at again or looked at already.
package struct ReviewAnswer: Answer {
    /// The position of the event that ordered it, and its name.
    package let position: Position
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

    package init?(_ reader: inout ObjectReader) {
        let position = reader.position("position")
        let app = reader.slug("app")
        let kind = reader.name("kind", as: Kind.self)
        let change = reader.optionalString("change", needing: ChangeID.grammar, ChangeID.init)
        let state = reader.name("state", as: State.self)
        let actor = reader.principal("actor")
        let since = reader.instant("since")
        let reason = reader.optionalReason("reason")
        let incident = reader.optionalTitle("incident")
        let order = ReviewOrder(&reader)
        let reviewers = reader.strings(
            "reviewers",
            needing: "a principal's id",
            PrincipalID.init
        )
        let verdict = reader.optionalNested("verdict", Verdict.init)
        guard let position, let app, let kind, let state, let actor, let since, let order,
            let reviewers
        else { return nil }
        self.init(
            position: position,
            app: app,
            kind: kind,
            change: change,
            state: state,
            actor: actor,
            since: since,
            reason: reason,
            incident: incident,
            order: order,
            reviewers: reviewers,
            verdict: verdict
        )
    }

    package var json: JSONObject {
        var json = order.json
        json["position"] = JSONValue(position)
        json["app"] = .string(app.text)
        json["kind"] = .string(kind.rawValue)
        json["change"] = JSONValue(change?.description)
        json["state"] = .string(state.rawValue)
        json["actor"] = .string(actor.text)
        json["since"] = JSONValue(since)
        json["reason"] = JSONValue(reason?.text)
        json["incident"] = JSONValue(incident?.text)
        json["reviewers"] = .array(reviewers.map { .string($0.text) })
        json["verdict"] = verdict.map { .object($0.json) } ?? .null
        return json
    }

    /// What was found, by whom and when.
    package struct Verdict: Answer {
        package let verdict: ReviewVerdict
        package let by: PrincipalID
        package let at: Instant

        package init(verdict: ReviewVerdict, by: PrincipalID, at: Instant) {
            self.verdict = verdict
            self.by = by
            self.at = at
        }

        package init?(_ reader: inout ObjectReader) {
            let outcome = reader.name("outcome", as: ReviewVerdict.Outcome.self)
            let comment = reader.optionalReason("comment")
            let by = reader.principal("by")
            let at = reader.instant("at")
            guard let outcome, let by, let at else { return nil }
            self.init(verdict: ReviewVerdict(outcome, comment: comment), by: by, at: at)
        }

        package var json: JSONObject {
            [
                "outcome": .string(verdict.outcome.rawValue),
                "comment": JSONValue(verdict.comment?.text),
                "by": .string(by.text), "at": JSONValue(at),
            ]
        }
    }
}

/// A part of the open reviews, oldest first, and where the next part begins.
package struct ReviewList: Answer {
    package let reviews: [ReviewAnswer]
    /// The cursor of the next part; `nil` where the list has come to its end.
    package let next: String?

    package init(reviews: [ReviewAnswer], next: String?) {
        self.reviews = reviews
        self.next = next
    }

    package init?(_ reader: inout ObjectReader) {
        let reviews = reader.objects("reviews", .ignored, ReviewAnswer.init)
        let next = reader.optionalString("next")
        guard let reviews else { return nil }
        self.init(reviews: reviews, next: next)
    }

    package var json: JSONObject {
        ["reviews": JSONValue(reviews), "next": JSONValue(next)]
    }
}

/// The body of `POST /v1/reviews/{position}/close`; whoever objects says to what.
package struct ReviewForm: Form {
    package let verdict: ReviewVerdict

    package init(verdict: ReviewVerdict) { self.verdict = verdict }

    package init?(_ reader: inout ObjectReader) {
        let outcome = reader.name("outcome", as: ReviewVerdict.Outcome.self)
        let comment =
            outcome == .objected ? reader.reason("comment") : reader.optionalReason("comment")
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
    init?(_ reader: inout ObjectReader) {
        let owner = reader.principal("owner")
        let role = reader.name("role", as: Role.self)
        let due = reader.instant("due")
        guard let owner, let role, let due else { return nil }
        self.init(owner: owner, role: role, due: due)
    }
}
