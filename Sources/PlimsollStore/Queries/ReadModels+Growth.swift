package import PlimsollDomain

/// What a question finds behind a position, and how far it has looked.
package struct RecordGrowth: Sendable {
    package let events: [AuditedEvent]
    /// Everything up to here has been looked at.
    package let reached: Position

    package init(events: [AuditedEvent], reached: Position) {
        self.events = events
        self.reached = reached
    }
}

extension ReadModels {
    /// What has come to the record behind a position, oldest first; waits for a while where
    /// nothing has.
    package func growth(
        _ query: EventQuery,
        after position: Position,
        patience: Duration
    ) async throws -> RecordGrowth {
        let next = position.advanced(by: 1)
        guard await progress.wait(for: next, patience: patience) else {
            return RecordGrowth(events: [], reached: position)
        }
        if let recent = progress.recent.events(after: position), let last = recent.last {
            return RecordGrowth(events: recent.filter(query.isMet), reached: last.position)
        }
        return try await earlier(query, after: position, upTo: progress.position)
    }

    /// What is not kept in memory any more.
    private func earlier(
        _ query: EventQuery,
        after position: Position,
        upTo end: Position
    ) async throws -> RecordGrowth {
        var query = query
        query.order = .oldestFirst
        (query.after, query.end, query.limit) = (position, end, 250)
        let events = try await events(query, upTo: end)
        let isWhole = events.count < query.limit
        return RecordGrowth(
            events: events,
            reached: isWhole ? end : events.last?.position ?? end
        )
    }
}
