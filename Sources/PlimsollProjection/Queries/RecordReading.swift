package import PlimsollDomain
import PlimsollPostgres

/// Reads all that a question finds, part by part, as the record was when it was asked.
package struct RecordReading: Sendable {
    private let readModels: ReadModels
    private var query: EventQuery
    /// How far the record went.
    package let end: Position
    /// How many were read so far, and the last of them.
    package private(set) var count = 0
    package private(set) var last: Position?
    private var countMaximum: Int
    private var isFinished = false

    /// Small, because one event can be as large as an entry of the log.
    private static let partSize = 250

    init(_ query: EventQuery, upTo end: Position, atMost countMaximum: Int?, _ models: ReadModels) {
        self.query = query
        self.query.end = end
        self.end = end
        self.countMaximum = countMaximum ?? .max
        readModels = models
    }

    /// The next events, none where all have been read, and the reading as it is behind them.
    package func next() async throws -> (events: [AuditedEvent], reading: RecordReading) {
        guard !isFinished, count < countMaximum else { return ([], self) }
        var reading = self
        reading.query.limit = min(Self.partSize, countMaximum - count)
        let part = try await readModels.events(reading.query, upTo: end)
        reading.isFinished = part.count < reading.query.limit
        guard let last = part.last?.position else { return ([], reading) }
        reading.last = last
        reading.query.after = last
        reading.count += part.count
        return (part, reading)
    }

    /// The newest signed checkpoint over what was read, as its note says it.
    package func checkpoint() async throws -> String? {
        let row = try await readModels.database.first(
            """
            SELECT note FROM log.checkpoint WHERE size <= \(end.rawValue)
            ORDER BY size DESC LIMIT 1
            """
        )
        return try row?.value(at: 0)
    }
}

extension ReadModels {
    package func record(
        _ query: EventQuery,
        upTo end: Position,
        atMost countMaximum: Int?
    ) -> RecordReading {
        RecordReading(query, upTo: end, atMost: countMaximum, self)
    }
}
