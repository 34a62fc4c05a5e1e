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
    /// Found, and not read yet.
    private var found: ArraySlice<Finding> = []
    private var foundCount = 0
    private var isAllFound = false

    /// Small, because one event can be as large as an entry of the log.
    private static let partSize = 250
    /// What is found of an event is small, and found quicker by the thousand.
    private static let stretchSize = 16 * partSize

    init(_ query: EventQuery, upTo end: Position, atMost countMaximum: Int?, _ models: ReadModels) {
        self.query = query
        self.query.end = end
        self.end = end
        self.countMaximum = countMaximum ?? .max
        readModels = models
    }

    /// The next events, none where all have been read, and the reading as it is behind them.
    package func next() async throws -> (events: [AuditedEvent], reading: RecordReading) {
        var reading = self
        if reading.found.isEmpty { try await reading.find() }
        let part = reading.found.prefix(Self.partSize)
        reading.found = reading.found.dropFirst(part.count)
        reading.count += part.count
        reading.last = part.last?.position ?? last
        return (try await readModels.audited(part), reading)
    }

    /// Finds the first part by itself, so that nobody waits for more than that.
    private mutating func find() async throws {
        guard !isAllFound, foundCount < countMaximum else { return }
        let wanted = foundCount == 0 ? Self.partSize : Self.stretchSize
        query.limit = min(wanted, countMaximum - foundCount)
        let more = try await readModels.found(query, upTo: end)
        isAllFound = more.count < query.limit
        query.after = more.last?.position ?? query.after
        foundCount += more.count
        found = more[...]
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
