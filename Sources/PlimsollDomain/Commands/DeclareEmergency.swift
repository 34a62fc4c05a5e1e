/// Brings operations into force at once and by one person, and opens a review of it.
///
/// Neither approvals, nor a freeze, nor what others wrote since stands in its way; only what would
/// make no document does.
package struct DeclareEmergency: Command {
    package let app: AppSlug
    package let title: Title
    /// The position its author was looking at; told, not asked.
    package let base: Position
    package let operations: [Operation]
    package let incident: Title
    /// Who sees to the review; `nil` is whoever acts.
    package let owner: PrincipalID?
    package let reason: Reason?
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        app: AppSlug,
        title: Title,
        base: Position,
        operations: [Operation],
        incident: Title,
        owner: PrincipalID?,
        reason: Reason,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.app = app
        self.title = title
        self.base = base
        self.operations = operations
        self.incident = incident
        self.owner = owner
        self.reason = reason
        self.by = by
        self.hash = hash
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        try world.requireResponder(by, of: app)
        let app = try world.existingApp(app)
        let effect = app.effect(of: operations)
        var objections = app.grammarObjections(to: operations)
        if world.strictness == .full { objections += app.objectionsToInvisible(in: operations) }
        if objections.isEmpty { objections += app.offerObjections(to: operations) }
        if objections.isEmpty, effect.isEmpty { objections.append(.nothingChanges) }
        if base > world.position {
            objections.append(.baseAhead(base: base, head: world.position))
        }
        if let owner, world.access.principal(owner) == nil {
            objections.append(.personUnknown(owner, at: "/owner"))
        }
        let after = objections.isEmpty ? app.documents(applying: operations) : [:]
        objections += world.objectionsToTwins(in: after, notIn: app)
        guard objections.isEmpty else { throw Refusal(objections) }
        let stream = StreamName.change(world.nextChange)
        let content = ChangeContent(
            app: app.slug,
            operations: operations,
            schedule: nil,
            effect: effect
        )
        var decision = Decision(relyingOn: [.access, .service, .app(app.slug)])
        decision.append(
            .change(.changeProposed(app: app.slug, title: title, base: base)),
            to: stream
        )
        decision.append(operations, to: stream)
        decision.append(.change(.emergencyApplied(emergency(of: app, world, at: now))), to: stream)
        decision.apply(world.nextChange, leadingTo: after, hash(content), app, world)
        return decision
    }

    private func emergency(of app: App, _ world: World, at now: Instant) -> Emergency {
        let rule = world.policy(of: app.slug).policy.emergencyReview
        return Emergency(incident: incident, review: rule.order(owner: owner ?? by, at: now))
    }
}

/// Says what was found when something done in a hurry was looked at again.
package struct CloseReview: Command {
    /// The position that names the review.
    package let review: Position
    package let verdict: ReviewVerdict
    package let by: PrincipalID

    package init(review: Position, verdict: ReviewVerdict, by: PrincipalID) {
        self.review = review
        self.verdict = verdict
        self.by = by
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let review = try world.visibleReview(review, to: by)
        try world.require(review.order.role, of: by, in: .app(review.app))
        if by == review.actor {
            throw Refusal(
                .ownReview(review.position, reviewers: world.reviewers(of: review))
            )
        }
        if world.access.depends(by, on: review.actor) {
            throw Refusal(
                .reviewOfBenefactor(review.position, reviewers: world.reviewers(of: review))
            )
        }
        var decision = Decision(relyingOn: [.access])
        switch review.subject {
        case .emergency(let change):
            decision.append(
                .change(.emergencyReviewed(review.position, verdict)),
                to: .change(change)
            )
        case .rollback:
            decision.append(
                .app(.rollbackReviewed(review.position, verdict)),
                to: .app(review.app)
            )
        }
        return decision
    }
}

extension World {
    /// The open review; to somebody who may not see its app there is none.
    fileprivate func visibleReview(
        _ position: Position,
        to principal: PrincipalID
    ) throws(Refusal) -> Review {
        guard let review = openReview(position),
            access.permits(principal, .viewer, in: .app(review.app))
        else { throw Refusal(.reviewUnknown(position)) }
        return review
    }

    /// Who may close the review, as far as anybody needs to know them.
    package func reviewers(of review: Review) -> [PrincipalID] {
        Array(
            access.principalIDs.lazy.filter { principal in
                principal != review.actor
                    && access.permits(principal, review.order.role, in: .app(review.app))
                    && !access.depends(principal, on: review.actor)
            }.prefix(Review.reviewersNamed)
        )
    }
}

extension ReviewRule {
    package func order(owner: PrincipalID, at now: Instant) -> ReviewOrder {
        ReviewOrder(
            owner: owner,
            role: role,
            due: now.advanced(by: .seconds(withinSeconds))
        )
    }
}
