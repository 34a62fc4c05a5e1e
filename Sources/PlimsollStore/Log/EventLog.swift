package import PlimsollDomain
package import PlimsollPostgres

/// The one log: appended to in groups, read in order, never changed.
///
/// Reading asserts that positions follow one another, and stops with a ``LogError`` where they do
/// not: positions are given out under a lock, so a hole is never a race.
package struct EventLog: Sendable {
    /// How many events one read asks for where its caller does not care.
    package static let pageMaximum = 1000

    let database: any Querying

    package init(_ database: any Querying) {
        self.database = database
    }

    /// Where the log ends and when its last event was recorded.
    package func head() async throws(LogError) -> LogHead {
        let statement: Statement = """
            SELECT position, recorded_at FROM log.event ORDER BY position DESC LIMIT 1
            """
        return try await reading { () async throws(PostgresError) in
            guard let row = try await database.first(statement) else {
                return LogHead(position: .start, recordedAt: nil)
            }
            let (position, recordedAt) = try row.decode((Int64, Timestamp).self)
            return LogHead(position: try Position(row: position), recordedAt: Instant(recordedAt))
        }
    }

    /// What time it is at the database.
    package func clock() async throws(LogError) -> Instant? {
        try await reading { () async throws(PostgresError) in
            try await database.first("SELECT clock_timestamp()")?
                .value(at: 0, as: Timestamp.self)
        }.map { Instant($0) }
    }

    /// The events that follow a position, at most so many.
    package func events(
        after position: Position,
        limit: Int = pageMaximum
    ) async throws(LogError) -> [RecordedEvent] {
        let statement: Statement = """
            SELECT position, entry FROM log.event
            WHERE position > \(position.rawValue) ORDER BY position LIMIT \(Int64(limit))
            """
        var reader = LogReader(after: position)
        var events: [RecordedEvent] = []
        for (position, entry) in try await entries(statement) {
            events.append(try reader.read(entry.span, at: position))
        }
        return events
    }

    /// The events of one stream that follow a revision, at most so many.
    package func events(
        of stream: StreamName,
        after revision: Revision = .none,
        limit: Int = pageMaximum
    ) async throws(LogError) -> [RecordedEvent] {
        let statement: Statement = """
            SELECT position, entry FROM log.event
            WHERE stream = \(stream.text) AND revision > \(revision.rawValue)
            ORDER BY revision LIMIT \(Int64(limit))
            """
        var decoder = EventDecoder()
        var last = revision
        var end = Position.start
        var events: [RecordedEvent] = []
        for (position, entry) in try await entries(statement) {
            let event = try decoder.decode(entry.span, of: position)
            guard event.revision == last.next else {
                throw .revisionHole(stream, at: last.next, found: event.revision)
            }
            guard position > end else {
                throw .hole(at: end.advanced(by: 1), found: position)
            }
            (last, end) = (event.revision, position)
            events.append(event)
        }
        return events
    }

    /// The event at a position, or `nil` behind the end.
    package func event(at position: Position) async throws(LogError) -> RecordedEvent? {
        guard position > .start else { return nil }
        return try await events(after: position.advanced(by: -1), limit: 1).first
    }

    /// The events of one append.
    package func events(in span: LogSpan) async throws(LogError) -> [RecordedEvent] {
        guard let first = span.first else { return [] }
        let events = try await events(after: first.advanced(by: -1), limit: span.count)
        guard events.count == span.count else {
            throw .shortened(expected: span.last, found: events.last?.position ?? .start)
        }
        return events
    }

    func entries(
        _ statement: Statement
    ) async throws(LogError) -> [(position: Position, entry: [UInt8])] {
        try await reading { () async throws(PostgresError) in
            var entries: [(Position, [UInt8])] = []
            for row in try await database.query(statement) {
                let (position, entry) = try row.decode((Int64, [UInt8]).self)
                entries.append((try Position(row: position), entry))
            }
            return entries
        }
    }
}

/// Where the log ends.
package struct LogHead: Equatable, Sendable {
    package let position: Position
    /// `nil` for a log without events.
    package let recordedAt: Instant?

    package init(position: Position, recordedAt: Instant?) {
        self.position = position
        self.recordedAt = recordedAt
    }
}

/// Reads entries in the order of the log, none left out.
struct LogReader: Sendable {
    private var last: Position
    private var decoder = EventDecoder()

    init(after position: Position) {
        last = position
    }

    mutating func read(
        _ entry: Span<UInt8>,
        at position: Position
    ) throws(LogError) -> RecordedEvent {
        let next = last.advanced(by: 1)
        guard position == next else { throw .hole(at: next, found: position) }
        last = position
        return try decoder.decode(entry, of: position)
    }
}

extension EventDecoder {
    mutating func decode(
        _ entry: Span<UInt8>,
        of position: Position
    ) throws(LogError) -> RecordedEvent {
        do throws(EntryError) {
            return try decode(entry, at: position)
        } catch {
            throw .unreadable(position, error)
        }
    }
}

/// Tells what the database refused from what the log refuses.
func reading<Answer>(
    _ body: () async throws(PostgresError) -> Answer
) async throws(LogError) -> Answer {
    do throws(PostgresError) {
        return try await body()
    } catch {
        throw .database(error)
    }
}

extension Position {
    /// A position as a row has it; whoever tampers may have made it negative.
    init(row position: Int64) throws(PostgresError) {
        guard let position = Position(rawValue: position) else {
            throw PostgresError(.decoding, "a position is not negative")
        }
        self = position
    }
}
