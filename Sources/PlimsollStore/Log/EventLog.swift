package import PlimsollDomain
import PlimsollLog
package import PlimsollPostgres

/// The one log: appended to in groups, read in order, never changed.
///
/// Reading asserts that positions follow one another, and stops with a ``LogError`` where they do
/// not: positions are given out under a lock, so a hole is never a race.
package struct EventLog: Sendable {
    /// How many events one read asks for where its caller does not care.
    package static let pageMaximum = 1000

    let database: any Querying
    /// What entries are authenticated with; `nil` leaves them as they are.
    let authentication: EntryAuthentication?

    package init(_ database: any Querying, authentication: EntryAuthentication? = nil) {
        self.database = database
        self.authentication = authentication
    }

    /// Where the log ends; believes no other column, which can be anybody's.
    package func head() async throws(LogError) -> LogHead {
        try await reading { () async throws(PostgresError) in
            let row = try await database.first(
                "SELECT position FROM log.event ORDER BY position DESC LIMIT 1"
            )
            guard let row else { return LogHead(position: .start) }
            return LogHead(position: try Position(row: row.value(at: 0)))
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
        let first = position.advanced(by: 1)
        return try await authenticPrefix(of: try await entries(from: first, limit: limit)) {
            reader,
            entry,
            place throws(LogError) in
            let next = first.advanced(by: place)
            guard entry.position == next else {
                throw .hole(at: next, found: entry.position)
            }
            return try reader.read(entry.bytes.span, at: next)
        }
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
        var last = revision
        var end = Position.start
        var events: [RecordedEvent] = []
        for event in try await read(try await entries(statement)) {
            guard event.revision == last.next else {
                throw .revisionHole(stream, at: last.next, found: event.revision)
            }
            guard event.position > end else {
                throw .hole(at: end.advanced(by: 1), found: event.position)
            }
            (last, end) = (event.revision, event.position)
            events.append(event)
        }
        return events
    }

    /// Reads entries that need not follow one another.
    func read(
        _ entries: [(position: Position, entry: [UInt8])]
    ) async throws(LogError) -> [RecordedEvent] {
        try await authenticated { _ throws(LogError) in
            var reader = EntryReader(authentication)
            var events: [RecordedEvent] = []
            for (position, entry) in entries {
                events.append(try reader.read(entry.span, at: position))
            }
            return events
        }
    }

    /// The entries behind a tip, at most so many; throws where the log does not have the tip.
    func entries(behind tip: LogTip, limit: Int) async throws(LogError) -> [LogEntry] {
        guard tip != .start else { return try await entries(from: .start, limit: limit) }
        var entries = try await entries(from: tip.position, limit: limit + 1)
        guard let known = entries.first, known.position == tip.position else {
            throw .lost(.behind(tip, end: try await head().position))
        }
        guard known.tip == tip else { throw .lost(.forked(tip)) }
        entries.removeFirst()
        return entries
    }

    func entries(
        from position: Position,
        limit: Int
    ) async throws(LogError) -> [LogEntry] {
        let statement: Statement = """
            SELECT position, entry FROM log.event
            WHERE position >= \(position.rawValue) ORDER BY position LIMIT \(Int64(limit))
            """
        return try await entries(statement).map { LogEntry(position: $0, bytes: $1) }
    }

    /// The tip at the place of an event that was read; throws where it is another event by now.
    func tip(of event: RecordedEvent) async throws(LogError) -> LogTip {
        let before = LogTip(position: event.position, leaf: .emptyTree)
        guard let found = try await entries(from: event.position, limit: 1).first,
            found.position == event.position
        else { throw .lost(.behind(before, end: try await head().position)) }
        var reader = EntryReader(authentication)
        guard try reader.read(found.bytes.span, at: found.position).id == event.id else {
            throw .lost(.forked(before))
        }
        return found.tip
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
            let end = events.last?.position ?? first.advanced(by: -1)
            // What cannot be believed ends what is read, and says so where it stands first.
            _ = try await self.events(after: end, limit: 1)
            throw .shortened(expected: span.last, found: end)
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

/// What can begin a transaction: a session, or a pool that picks one.
protocol Transacting: Querying {
    func withTransaction<Value>(
        isolation: Isolation,
        access: TransactionAccess,
        attempts: Int,
        _ body: (Transaction) async throws -> Value
    ) async throws -> Value
}

extension DedicatedSession: Transacting {}
extension Session: Transacting {}
extension SessionPool: Transacting {}

extension EventLog {
    /// Lends the log on a session that nobody else uses, where it is read through a pool.
    ///
    /// The session ends with the body.
    func onOwnSession(
        statementTimeout: Duration = .seconds(10),
        _ body: (EventLog) async throws -> Void
    ) async throws {
        guard let pool = database as? SessionPool else { return try await body(self) }
        var settings = pool.settings
        // An append that takes longer never comes back: its connection is cut off.
        settings.statementTimeout = statementTimeout
        settings.cancelGrace = nil
        let session = DedicatedSession(pool.connection, settings: settings, greeting: pool.greeting)
        do {
            try await body(EventLog(session, authentication: authentication))
            await session.close()
        } catch {
            await session.close()
            throw error
        }
    }
}

extension EventLog {
    /// Folds the events behind a position, up to another or to the end, in order: the fastest way
    /// to read many.
    ///
    /// While some are folded the next are read. The log is read as it is at the beginning, or up
    /// to a position. Like every reader it stops at a hole.
    package func replay<Value: Sendable>(
        after position: Position = .start,
        upTo last: Position? = nil,
        into initial: Value,
        _ fold: @Sendable (inout Value, RecordedEvent) throws -> Void
    ) async throws(LogError) -> Value {
        let statement: Statement = """
            COPY (
                SELECT position, entry FROM log.event
                WHERE position > \(literal: position.rawValue)
                    AND position <= \(literal: last?.rawValue ?? Int64.max)
                ORDER BY position
            ) TO STDOUT (FORMAT binary)
            """
        return try await copying { session in
            try await session.copyOut(
                statement,
                reading: LogReader(after: position, authentication),
                into: initial,
                timeout: Self.scanTimeout,
                read: { reader, events, row in
                    let position = try Position(row: row.int64())
                    // Read where it lies; the error is carried past the one that a row may throw.
                    let event = try row.withBytes { entry in
                        Result { () throws(LogError) in try reader.read(entry, at: position) }
                    }
                    guard let event else {
                        throw PostgresError(.decoding, "an event has an entry")
                    }
                    events.append(try event.get())
                },
                fold: { value, events in
                    for index in events.indices { try fold(&value, events.span[index]) }
                }
            ).value
        }
    }

    /// How long a scan of the whole log may take.
    static let scanTimeout = Duration.seconds(3600)

    /// Runs the body on a session of its own, for what only a session can do.
    func copying<Answer>(
        _ body: (Session) async throws -> Answer
    ) async throws(LogError) -> Answer {
        guard let database = database as? any Transacting else {
            preconditionFailure("a transaction's log cannot begin another one")
        }
        do {
            return try await database.withTransaction(
                isolation: .readCommitted,
                access: .readOnly,
                attempts: 1
            ) { transaction in try await body(transaction.session) }
        } catch let error as LogError {
            throw error
        } catch let error as PostgresError {
            throw .database(error)
        } catch {
            throw .interrupted("\(error)")
        }
    }
}

extension EventLog {
    /// The events at some positions, in the order in which these are given.
    package func events(at positions: [Position]) async throws(LogError) -> [RecordedEvent] {
        let read = try await read(try await entries(Self.statement(positions)))
        return try Self.inOrder(positions, read.map { ($0.position, $0) })
    }

    /// Their entries, as they are stored and hashed; nothing is believed of them.
    func entries(at positions: [Position]) async throws(LogError) -> [[UInt8]] {
        try Self.inOrder(positions, try await entries(Self.statement(positions)))
    }

    private static func statement(_ positions: [Position]) -> Statement {
        if let stretch = positions.stretch {
            """
            SELECT position, entry FROM log.event
            WHERE position BETWEEN \(stretch.lowerBound.rawValue)
                AND \(stretch.upperBound.rawValue)
            ORDER BY position
            """
        } else {
            """
            SELECT position, entry FROM log.event
            WHERE position = ANY(\(positions.map(\.rawValue)))
            """
        }
    }

    private static func inOrder<Value>(
        _ positions: [Position],
        _ values: [(Position, Value)]
    ) throws(LogError) -> [Value] {
        // Most ask in the order in which the log has them.
        if values.map(\.0) == positions { return values.map(\.1) }
        var found: [Position: Value] = [:]
        for (position, value) in values { found[position] = value }
        var ordered: [Value] = []
        for position in positions {
            guard let value = found[position] else {
                throw .shortened(expected: position, found: .start)
            }
            ordered.append(value)
        }
        return ordered
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

extension Timestamp {
    /// An instant as PostgreSQL keeps it; nothing is lost, since it counts microseconds.
    package init(_ instant: Instant) {
        self.init(microsecondsSince1970: instant.millisecondsSince1970 * 1000)
    }
}

extension Instant {
    /// The millisecond in which a timestamp lies, before 1970 as after it.
    package init(_ timestamp: Timestamp) {
        let (milliseconds, rest) = timestamp.microsecondsSince1970.quotientAndRemainder(
            dividingBy: 1000
        )
        self.init(millisecondsSince1970: rest < 0 ? milliseconds - 1 : milliseconds)
    }
}
