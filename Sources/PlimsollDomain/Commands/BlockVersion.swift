/// Keeps all versions of the app below one from running, at once and by one person.
///
/// It is an emergency whose operations are worked out at the append, so that it never lowers a
/// minimum that somebody raised meanwhile. Texts that it brings take the place of those that are
/// there; the others stay, and what is missing is taken from the app's other texts. Offers of the platform's own ask for no less afterwards.
package struct BlockVersion: Command {
    package let app: AppSlug
    package let platform: Platform
    /// The oldest version that still runs.
    package let below: VersionValue
    /// What people below it read.
    package let texts: TextsByLanguage
    package let title: Title
    /// `nil` where the incident has no number yet.
    package let incident: Title?
    /// Who sees to the review; `nil` is whoever acts.
    package let owner: PrincipalID?
    package let reason: Reason?
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        app: AppSlug,
        platform: Platform,
        below: VersionValue,
        texts: TextsByLanguage = [:],
        title: Title,
        incident: Title?,
        owner: PrincipalID?,
        reason: Reason,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.app = app
        self.platform = platform
        self.below = below
        self.texts = texts
        self.title = title
        self.incident = incident
        self.owner = owner
        self.reason = reason
        self.by = by
        self.hash = hash
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.requireResponder(by, of: app)
        let app = try logState.existingApp(app)
        if let objection = app.objection(toBlocking: platform, below: below) {
            let isThere = objection == .nothingChanges
            if isThere || objection.subject == .higher,
                let falling = objectionToFalling(of: app, logState, now)
            {
                throw Refusal(falling)
            }
            guard isThere, !texts.isEmpty else { throw Refusal(objection) }
        }
        guard let reason else { preconditionFailure("an emergency is made with its reason") }
        return try DeclareEmergency(
            app: app.slug,
            title: title,
            base: logState.position,
            operations: app.operations(blocking: platform, below: below, texts),
            incident: incident ?? .withoutReference,
            owner: owner,
            reason: reason,
            by: by,
            hash: hash
        ).decide(in: logState, at: now)
    }
}

extension BlockVersion {
    /// What stands there already, or more, though a change is approved to let those versions run at its
    /// time.
    ///
    /// With nothing to write a block would not keep it from that. A freeze does.
    private func objectionToFalling(
        of app: App,
        _ logState: LogState,
        _ now: Instant
    ) -> Objection? {
        guard logState.freeze(of: app.slug, at: now) == nil else { return nil }
        let isOffered = app.operations(raising: app.document(platform), to: below).isEmpty
        let scheduled = logState.scheduledChanges(of: app.slug).compactMap(logState.openChange)
        let change = scheduled.first { change in
            let after = app.documents(applying: change.operations)[platform]
            guard let after, !logState.hasMoved(under: change, in: app),
                after[.minimumApp].value?.isOlder(than: below) ?? true
                    || isOffered && !app.operations(raising: after, to: below).isEmpty
            else { return false }
            return logState.state(ofOpen: change, hash, at: now) == .scheduled
        }
        guard let change, let at = change.schedule?.at else { return nil }
        return .minimumFalls(change.id, below: below, at)
    }
}

extension LogState {
    /// Refuses unless the principal may act alone; whoever may propose is told so.
    func requireResponder(_ principal: PrincipalID, of app: AppSlug) throws(Refusal) {
        let scope = Scope.app(app)
        guard !access.permits(principal, .responder, in: scope) else { return }
        throw Refusal(
            access.permits(principal, .proposer, in: scope)
                ? .proposeInstead(app) : .roleMissing(.responder, scope)
        )
    }
}

extension App {
    fileprivate func objection(
        toBlocking platform: Platform,
        below version: VersionValue
    ) -> Objection? {
        let name = ThresholdName.minimumApp
        guard has(platform) else { return .platformUnknown(slug, platform, at: "/platform") }
        guard platform.thresholds.contains(name) else {
            return .thresholdUnknown(platform, name, at: "/platform")
        }
        guard version.kind == platform.versionKind else {
            return .valueOfWrongKind(platform.versionKind, at: "/below")
        }
        guard version.preceding != nil else { return .blocksNobody(version) }
        guard let minimum = document(platform)[name].value else { return nil }
        if minimum.isOlder(than: version) { return nil }
        let field = Field(platform, name, .value)
        if let ending = endings.running.first(where: { $0.holds(field) }) {
            return .minimumEnds(ending.id, ending.until)
        }
        if version.isOlder(than: minimum) { return .wouldLower(field, minimum, version) }
        guard operations(raising: document(platform), to: version).isEmpty else { return nil }
        for field in [Field.offers(of: platform), .legacy(of: platform)] {
            // Where the minimum was decided on since, they will come back asking for no less.
            let ending = endings.running.first { ending in
                ending.holds(field) && !ending.leavesBlocked(on: platform)
            }
            if let ending { return .offersEnd(field, ending.id, ending.until) }
        }
        return .nothingChanges
    }

    /// The minimum, and in each required language what people below it read where that is missing.
    fileprivate func operations(
        blocking platform: Platform,
        below version: VersionValue,
        _ texts: TextsByLanguage
    ) -> [Operation] {
        let document = document(platform)
        let brought = texts[.description] ?? [:]
        let present = document[.minimumApp].descriptions.merging(brought) { $1 }
        let missing = settings.languages.compactMap { language -> Operation? in
            guard present[language] == nil else { return nil }
            let sources = [
                document[.recommendedApp].descriptions[language],
                present[settings.fallbackLanguage],
                document[.recommendedApp].descriptions[settings.fallbackLanguage],
            ]
            return sources.lazy.compactMap(\.self).first.map {
                Operation(platform, .minimumApp, .setText(.description, language, $0))
            }
        }
        let written = texts.operations(on: platform, .minimumApp)
        return [Operation(platform, .minimumApp, .setValue(version))] + written + missing
            + operations(raising: document, to: version)
    }

    /// What has a document's offers ask for no less than the version, and what clients before 4.0 are
    /// told where it was taken over as it was; nothing where both do already.
    func operations(raising document: Document, to version: VersionValue) -> [Operation] {
        guard let floor = OfferVersion(version) else { return [] }
        let platform = document.platform
        let name = releases.release(version, on: platform)?.facts.name
        let offers = document.offers(blocking: version)
        let legacy = document.legacy?.asking(atLeast: floor, named: name, on: platform)
        return [
            offers.map { Operation(platform, offers: .set($0)) },
            legacy.map { Operation(platform, legacy: $0) },
        ].compactMap(\.self)
    }
}

/// Titles and descriptions of a threshold, by language.
package typealias TextsByLanguage = [TextPart: [LanguageTag: Text]]

extension TextsByLanguage {
    /// What writes them, in the order of their paths.
    fileprivate func operations(on platform: Platform, _ name: ThresholdName) -> [Operation] {
        TextPart.allCases.flatMap { part in
            (self[part] ?? [:]).sorted { $0.key < $1.key }.map { language, text in
                Operation(platform, name, .setText(part, language, text))
            }
        }
    }
}

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

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.requireResponder(by, of: app)
        let app = try logState.existingApp(app)
        let effect = app.effect(of: operations)
        var objections = app.grammarObjections(to: operations)
        if logState.strictness != .original {
            objections += app.objectionsToInvisible(in: operations)
        }
        if objections.isEmpty { objections += app.offerObjections(to: operations) }
        // The texts are of more use at once than for good.
        objections += logState.objectionsToRepeating(
            operations.filter { !$0.isOfText },
            of: app,
            nil
        )
        if objections.isEmpty, effect.isEmpty { objections.append(.nothingChanges) }
        if base > logState.position {
            objections.append(.baseAhead(base: base, head: logState.position))
        }
        if let owner, logState.access.principal(owner) == nil {
            objections.append(.personUnknown(owner, at: "/owner"))
        }
        let after = objections.isEmpty ? app.documents(applying: operations) : [:]
        objections += logState.objectionsToTwins(in: after, notIn: app)
        guard objections.isEmpty else { throw Refusal(objections) }
        let stream = StreamName.change(logState.nextChange)
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
        decision.append(
            .change(.emergencyApplied(emergency(of: app, logState, at: now))),
            to: stream
        )
        decision.apply(logState.nextChange, leadingTo: after, hash(content), app, logState)
        return decision
    }

    private func emergency(of app: App, _ logState: LogState, at now: Instant) -> Emergency {
        let rule = logState.policy(of: app.slug).policy.emergencyReview
        return Emergency(incident: incident, review: rule.order(owner: owner ?? by, at: now))
    }
}

extension Operation {
    fileprivate var isOfText: Bool {
        switch edit {
        case .setText, .removeText: true
        case .setValue, .clearValue, .clearThreshold, nil: false
        }
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

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let review = try logState.visibleReview(review, to: by)
        try logState.require(review.order.role, of: by, in: .app(review.app))
        if by == review.actor {
            throw Refusal(
                .ownReview(review.position, reviewers: logState.reviewers(of: review))
            )
        }
        if logState.owes(by, whoeverIsReviewedIn: review) {
            throw Refusal(
                .reviewOfBenefactor(review.position, reviewers: logState.reviewers(of: review))
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
        case .withdrawal:
            decision.append(
                .app(.marketplace(.withdrawalReviewed(review.position, verdict))),
                to: .app(review.app)
            )
        }
        return decision
    }
}

extension LogState {
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
                    && !owes(principal, whoeverIsReviewedIn: review)
            }.prefix(Review.reviewersNamed)
        )
    }

    /// What the service did by itself, as Apple demanded it, has somebody to look at it again all the
    /// same: everybody owes the service something, and it is nobody's mask.
    fileprivate func owes(_ principal: PrincipalID, whoeverIsReviewedIn review: Review) -> Bool {
        review.actor != .system && access.depends(principal, on: review.actor)
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
