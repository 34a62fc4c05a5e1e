package import PlimsollAPI
package import PlimsollDomain
import PlimsollStore

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
        let limit = min(max(reviews.limit, 1), ReviewQuery.limitMaximum)
        // The record does not tell whose a review is, so all that is read is looked through.
        query.limit = reviews.owners.isEmpty ? limit : ReviewQuery.limitMaximum
        query.after = reviews.after
        while true {
            let closings = try await read { [query] in
                try await readModels.events(query, upTo: logState.position)
            }
            let found = try await closedReviews(by: closings, of: reviews.owners)
            let shown = found.prefix(limit)
            let end = closings.count == query.limit ? closings.last?.position : nil
            let next = found.count > limit ? shown.last?.closing : end
            // A part without anything would be taken for the end of the list.
            if !found.isEmpty || next == nil {
                return Page(elements: shown.map(\.review), next: next)
            }
            query.after = next
        }
    }

    /// Those of the owners, or of anybody where none is named, each with the event that closed it.
    private func closedReviews(
        by closings: [AuditedEvent],
        of owners: [PrincipalID]
    ) async throws(UseCaseError) -> [(closing: Position, review: ReviewAnswer)] {
        let orders = try await orders(at: closings.compactMap { $0.recorded.verdict?.0 })
        return closings.compactMap { closing in
            guard let (position, verdict) = closing.recorded.verdict,
                let order = orders[position], let app = closing.app,
                let review = Review(order.recorded, of: app),
                owners.isEmpty || owners.contains(review.order.owner)
            else { return nil }
            let found = ReviewAnswer.Verdict(verdict, closing.recorded)
            return (closing.position, ReviewAnswer(review, order, .closed, verdict: found))
        }
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
