package import PlimsollDomain
import PlimsollPostgres

extension EventLog {
    /// The events at some positions, in the order in which these are given.
    package func events(at positions: [Position]) async throws(LogError) -> [RecordedEvent] {
        let statement: Statement =
            if let stretch = positions.stretch {
                """
                SELECT position, entry FROM log.event
                WHERE position BETWEEN \(stretch.lowerBound.rawValue)
                    AND \(stretch.upperBound.rawValue)
                """
            } else {
                """
                SELECT position, entry FROM log.event
                WHERE position = ANY(\(positions.map(\.rawValue)))
                """
            }
        var decoder = EventDecoder()
        var found: [Position: RecordedEvent] = [:]
        for (position, entry) in try await entries(statement) {
            found[position] = try decoder.decode(entry.span, of: position)
        }
        var events: [RecordedEvent] = []
        for position in positions {
            guard let event = found[position] else {
                throw .shortened(expected: position, found: .start)
            }
            events.append(event)
        }
        return events
    }

    /// The events of a stream up to a position, or all of them, read page by page.
    package func history(
        of stream: StreamName,
        upTo last: Position? = nil
    ) async throws(LogError) -> [RecordedEvent] {
        var history: [RecordedEvent] = []
        while true {
            let page = try await events(of: stream, after: history.last?.revision ?? .none)
            history += page.prefix { event in last.map { event.position <= $0 } ?? true }
            guard page.count == Self.pageMaximum, page.last?.position == history.last?.position
            else { return history }
        }
    }
}

extension [Position] {
    /// From the least to the greatest, if these are all between, in whatever order; a whole stretch
    /// of the log is read faster than as many single events.
    package var stretch: ClosedRange<Position>? {
        guard let first = self.min(), let last = self.max(),
            last.rawValue - first.rawValue == Int64(count - 1)
        else { return nil }
        return first...last
    }
}
