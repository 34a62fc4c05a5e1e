package import PlimsollAPI
import PlimsollDocuments
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Brings edits into force at once, and opens a review of it; asks for a responder.
    package func declareEmergency(
        _ emergency: EmergencyForm,
        in app: AppSlug,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> EmergencyAnswer {
        let live = try logState().position
        let command = DeclareEmergency(
            app: app,
            title: emergency.title,
            base: emergency.base ?? live,
            operations: emergency.operations,
            incident: emergency.incident,
            owner: emergency.owner,
            reason: emergency.reason,
            by: request.caller.principal,
            hash: ChangeDigest.init(of:)
        )
        return try await view(of: try await perform(command, request), app)
    }

    /// Keeps versions of the app from running, at once; asks for a responder.
    package func block(
        _ block: BlockForm,
        in app: AppSlug,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> EmergencyAnswer {
        let command = BlockVersion(
            app: app,
            platform: block.platform,
            below: block.below,
            texts: block.texts,
            title: block.title,
            incident: block.incident,
            owner: block.owner,
            reason: block.reason,
            by: request.caller.principal,
            hash: ChangeDigest.init(of:)
        )
        return try await view(of: try await perform(command, request), app)
    }

    private func view(
        of receipt: Receipt,
        _ slug: AppSlug
    ) async throws(UseCaseError) -> EmergencyAnswer {
        guard let first = receipt.events.first, case .change(let id) = first.stream,
            let (emergency, review) = receipt.events.emergency
        else { throw .unexpected("an emergency does not begin with its own change") }
        let app = try existingApp(slug, receipt.logState)
        let history = readModels.history
        let before = try await read {
            try await history.state(of: slug, after: first.position.before)
        }
        guard let before else { throw UseCaseError(.targetBeforeApp(slug)) }
        let isCommitted = receipt.freshness != .dryRun
        let operations = receipt.events.operations
        let platforms = app.settings.platforms.sorted()
        let grounds = app.checkGrounds(
            under: receipt.logState.policy(of: slug).policy,
            at: first.recordedAt
        )
        return EmergencyAnswer(
            app: slug,
            change: isCommitted ? id : nil,
            position: isCommitted ? receipt.position : nil,
            sequence: isCommitted ? SnapshotSequence(orderedBy: receipt.position) : nil,
            incident: emergency.incident,
            review: EmergencyAnswer.Review(
                position: isCommitted ? review : nil,
                order: emergency.review
            ),
            changes: platforms.flatMap { before.changes(on: $0, by: receipt.events) },
            overtaken: receipt.events.overtaken,
            textsMissing: app.fieldsMissing(applying: operations),
            checks: CheckFinding.findings(in: operations, grounds) { before.document($0) },
            blocked: app.blockedShares(from: before.document) { platform in
                before.document(platform, after: receipt.events)
            },
            notes: app.princeNotes(
                from: before.document,
                to: { before.document($0, after: receipt.events) },
                at: first.recordedAt
            )
        )
    }
}

extension [RecordedEvent] {
    /// The emergency among the events, and its position.
    fileprivate var emergency: (Emergency, Position)? {
        for event in self {
            guard case .change(.emergencyApplied(let emergency)) = event.event else { continue }
            return (emergency, event.position)
        }
        return nil
    }

    /// The changes that were put in conflict.
    var overtaken: [ChangeID] {
        compactMap { recorded in
            guard
                case (.change(let id), .change(.changeOvertaken)) = (
                    recorded.stream, recorded.event
                )
            else { return nil }
            return id
        }
    }

    /// The edits that the events made.
    var operations: [Operation] {
        compactMap { recorded in
            guard case .app(let event) = recorded.event else { return nil }
            return event.operation
        }
    }
}

extension UseCases {
    /// What freezes an app, or everything, now and later; asks for a viewer, of any app for what is of
    /// everything.
    package func freezes(
        of scope: Scope,
        for caller: Caller
    ) async throws(UseCaseError) -> FreezesAnswer {
        let (logState, now) = (try logState(), clock())
        switch scope {
        case .app(let slug):
            let view = try await app(slug, for: caller)
            return FreezesAnswer(freeze: view.freeze, plans: view.freezePlans)
        case .all:
            let isKnown = logState.apps.contains {
                logState.access.permits(caller.principal, .viewer, in: .app($0.slug))
            }
            if !isKnown { try require(.viewer, of: caller, in: .all, logState) }
            return FreezesAnswer(
                freeze: logState.freezes(of: .all).inForce(at: now).map { FreezeAnswer($0) },
                plans: logState.freezes(of: .all).plans.filter { now < $0.window.until }
                    .map { FreezePlanAnswer($0) }
            )
        }
    }
}

extension UseCases {
    /// What is still to be looked at again of the apps that the caller may see, oldest first.
    package func reviews(
        _ query: ReviewQuery,
        for caller: Caller
    ) async throws(UseCaseError) -> Page<ReviewAnswer, Position> {
        let (logState, now) = (try logState(), clock())
        for app in query.apps { _ = try visibleApp(app, caller, logState) }
        guard !query.isClosed else { return try await closedReviews(query, caller, logState) }
        let found = logState.openReviews.filter { review in
            logState.access.permits(caller.principal, .viewer, in: .app(review.app))
                && query.matches(review, at: now)
        }
        let limit = min(max(query.limit, 1), ReviewQuery.limitMaximum)
        let shown = Array(found.prefix(limit))
        return Page(
            elements: try await views(of: shown, logState, now),
            next: found.count > limit ? shown.last?.position : nil
        )
    }

    /// A review, closed ones too; asks for a viewer of its app.
    package func review(
        _ position: Position,
        for caller: Caller
    ) async throws(UseCaseError) -> ReviewAnswer {
        let logState = try logState()
        if let review = logState.openReview(position),
            logState.access.permits(caller.principal, .viewer, in: .app(review.app)),
            let view = try await views(of: [review], logState, clock()).first
        {
            return view
        }
        guard position > .start, position <= logState.position,
            let order = try await orders(at: [position])[position], let app = order.app,
            logState.access.permits(caller.principal, .viewer, in: .app(app)),
            let review = Review(order.recorded, of: app),
            let closing = try await closing(of: review, logState)
        else { throw UseCaseError(.reviewUnknown(position)) }
        return ReviewAnswer(review, order, .closed, verdict: closing)
    }

    /// What was looked at again, as the record says it.
    private func closedReviews(
        _ reviews: ReviewQuery,
        _ caller: Caller,
        _ logState: LogState
    ) async throws(UseCaseError) -> Page<ReviewAnswer, Position> {
        var query = EventQuery()
        query.types = [.emergencyReviewed, .rollbackReviewed, .withdrawalReviewed]
        query.apps = logState.apps.map(\.slug).filter { app in
            logState.access.permits(caller.principal, .viewer, in: .app(app))
                && (reviews.apps.isEmpty || reviews.apps.contains(app))
        }
        guard !query.apps.isEmpty, reviews.isOverdue != true else {
            return Page(elements: [], next: nil)
        }
        query.limit = min(max(reviews.limit, 1), ReviewQuery.limitMaximum)
        query.after = reviews.after
        let closings = try await read { [query] in
            try await readModels.events(query, upTo: logState.position)
        }
        let orders = try await orders(at: closings.compactMap { $0.recorded.verdict?.0 })
        let found = closings.compactMap { closing -> ReviewAnswer? in
            guard let (position, verdict) = closing.recorded.verdict,
                let order = orders[position], let app = closing.app,
                let review = Review(order.recorded, of: app),
                reviews.owners.isEmpty || reviews.owners.contains(review.order.owner)
            else { return nil }
            return ReviewAnswer(
                review,
                order,
                .closed,
                verdict: ReviewAnswer.Verdict(verdict, closing.recorded)
            )
        }
        let next = closings.count == query.limit ? closings.last?.position : nil
        guard found.isEmpty, let next else { return Page(elements: found, next: next) }
        // A part without anything would be taken for the end of the list.
        var rest = reviews
        rest.after = next
        return try await closedReviews(rest, caller, logState)
    }

    /// Says what was found; asks for the role that the policy names, and for somebody who is not
    /// who acted and owes them nothing.
    package func closeReview(
        _ position: Position,
        _ verdict: ReviewVerdict,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ReviewAnswer {
        let command = CloseReview(
            review: position,
            verdict: verdict,
            by: request.caller.principal
        )
        let receipt = try await perform(command, request)
        guard let closing = receipt.events.first,
            let order = try await orders(at: [position])[position], let app = order.app,
            let review = Review(order.recorded, of: app)
        else { throw .unexpected("a closed review was never ordered") }
        let found = ReviewAnswer.Verdict(verdict, closing)
        return ReviewAnswer(review, order, .closed, verdict: found)
    }

    /// How many reviews wait, of all apps; `nil` before the log was read.
    package var reviewCount: ReviewCount? {
        guard let reviews = try? logState().openReviews else { return nil }
        let now = clock()
        return ReviewCount(open: reviews.count, overdue: reviews.count { $0.isOverdue(at: now) })
    }

    private func views(
        of reviews: [Review],
        _ logState: LogState,
        _ now: Instant
    ) async throws(UseCaseError) -> [ReviewAnswer] {
        let orders = try await orders(at: reviews.map(\.position))
        return reviews.compactMap { review in
            orders[review.position].map { order in
                ReviewAnswer(
                    review,
                    order,
                    review.isOverdue(at: now) ? .overdue : .open,
                    reviewers: logState.reviewers(of: review)
                )
            }
        }
    }

    /// Positions are those of the log as this instance knows it, so they are waited for.
    private func orders(
        at positions: [Position]
    ) async throws(UseCaseError) -> [Position: OrderOfReview] {
        guard let last = positions.max() else { return [:] }
        return try await read {
            try await readModels.catchUp(to: last)
            let former = try await readModels.history.positions(beforeAppendsOf: positions)
            return try await readModels.events(at: positions).reduce(into: [:]) { orders, event in
                guard let before = former[event.position] else { return }
                orders[event.position] = OrderOfReview(
                    recorded: event.recorded,
                    app: event.app,
                    before: before
                )
            }
        }
    }

    private func closing(
        of review: Review,
        _ logState: LogState
    ) async throws(UseCaseError) -> ReviewAnswer.Verdict? {
        var query = EventQuery()
        query.types = [.emergencyReviewed, .rollbackReviewed, .withdrawalReviewed]
        query.apps = [review.app]
        query.since = .position(review.position)
        query.order = .oldestFirst
        query.limit = EventQuery.limitMaximum
        while true {
            let page = try await read {
                try await readModels.events(query, upTo: logState.position)
            }
            for event in page {
                guard let (named, verdict) = event.recorded.verdict, named == review.position
                else { continue }
                return ReviewAnswer.Verdict(verdict, event.recorded)
            }
            guard page.count == query.limit, let last = page.last else { return nil }
            query.after = last.position
        }
    }
}

/// The event that ordered a review.
private struct OrderOfReview {
    let recorded: RecordedEvent
    let app: AppSlug?
    /// Where the record stood before what is to be reviewed.
    let before: Position
}

extension ReviewQuery {
    fileprivate func matches(_ review: Review, at now: Instant) -> Bool {
        (apps.isEmpty || apps.contains(review.app))
            && (owners.isEmpty || owners.contains(review.order.owner))
            && (isOverdue.map { $0 == review.isOverdue(at: now) } ?? true)
            && (after.map { $0 < review.position } ?? true)
    }
}

extension ReviewAnswer {
    fileprivate init(
        _ review: Review,
        _ order: OrderOfReview,
        _ state: State,
        reviewers: [PrincipalID] = [],
        verdict: Verdict? = nil
    ) {
        var incident: Title?
        if case .change(.emergencyApplied(let emergency)) = order.recorded.event {
            incident = emergency.incident
        }
        let kind: Kind
        var change: ChangeID?
        switch review.subject {
        case .emergency(let id): (kind, change) = (.emergency, id)
        case .rollback: kind = .rollback
        case .withdrawal: kind = .withdrawal
        }
        self.init(
            position: review.position,
            before: order.before,
            app: review.app,
            kind: kind,
            change: change,
            state: state,
            actor: review.actor,
            since: order.recorded.recordedAt,
            reason: order.recorded.origin.reason,
            incident: incident,
            order: review.order,
            reviewers: reviewers,
            verdict: verdict
        )
    }
}

extension ReviewAnswer.Verdict {
    /// What was found, and the event that says so.
    fileprivate init(_ verdict: ReviewVerdict, _ closing: RecordedEvent) {
        self.init(verdict: verdict, by: closing.origin.actor, at: closing.recordedAt)
    }
}

extension RecordedEvent {
    /// The review that the event closes, and what was found.
    fileprivate var verdict: (Position, ReviewVerdict)? {
        if case .change(.emergencyReviewed(let review, let verdict)) = event {
            (review, verdict)
        } else if case .app(.rollbackReviewed(let review, let verdict)) = event {
            (review, verdict)
        } else if case .app(.marketplace(.withdrawalReviewed(let review, let verdict))) = event {
            (review, verdict)
        } else {
            nil
        }
    }
}
