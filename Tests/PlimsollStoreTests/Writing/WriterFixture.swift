import FoundationEssentials
import Logging
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// A writer at work on the running test's database, on a pool of its own.
func withWriter<Answer: Sendable>(
    clock: TestClock = TestClock(),
    _ body: (Writer, EventLog) async throws -> Answer
) async throws -> Answer {
    try await withWriter(clock: { clock.now }, body)
}

/// A writer with another sort of clock.
func withWriter<Answer: Sendable>(
    pollInterval: Duration = .seconds(1),
    clock: @escaping @Sendable () -> Instant,
    _ body: (Writer, EventLog) async throws -> Answer
) async throws -> Answer {
    let database = try ScratchDatabase.current.connection
    return try await withWriter(on: database, pollInterval: pollInterval, clock: clock, body)
}

/// A writer at work on some database.
func withWriter<Answer: Sendable>(
    on database: ConnectionString,
    pollInterval: Duration = .seconds(1),
    clock: @escaping @Sendable () -> Instant = { .now },
    authentication: EntryAuthentication? = nil,
    _ body: (Writer, EventLog) async throws -> Answer
) async throws -> Answer {
    let pool = SessionPool(database, settings: .service)
    let log = EventLog(pool, authentication: authentication)
    let writer = Writer(
        log: log,
        logger: .silent,
        pollInterval: pollInterval,
        clock: clock
    )
    _ = try await log.entryKeyDamage()
    return try await running(writer, on: pool) { try await body(writer, log) }
}

/// Has a writer at work for as long as the body runs, and closes its pool, if it has one.
func running<Answer: Sendable>(
    _ writer: Writer,
    on pool: SessionPool? = nil,
    _ body: () async throws -> Answer
) async throws -> Answer {
    try await withThrowingTaskGroup { group in
        group.addTask { try await writer.run() }
        let result: Result<Answer, any Error>
        do {
            try await writer.whenOpen()
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        group.cancelAll()
        while let ended = await group.nextResult() {
            if case .success = result { try ended.get() }
        }
        await pool?.close()
        return try result.get()
    }
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// Tells the log that a publication failed: one event on a stream that nothing else relies on.
func failure(_ cause: String = "No space left.", of app: AppSlug = harbour) -> RecordPublication {
    RecordPublication(
        app: app,
        event: .publicationFailed(
            sequence: SnapshotSequence(orderedBy: Position(1)),
            cause: cause
        )
    )
}

func registration(_ app: AppSlug = harbour) throws -> RegisterApp {
    try registration(of: app, isDefault: false)
}

/// Lets a new viewer in.
func admission(until expiresAt: Instant? = nil) -> IssueToken {
    IssueToken(
        token: sampleToken(until: expiresAt),
        grants: [RoleGrant(.viewer, in: .all)],
        by: .system
    )
}

/// Reads the whole log and holds it against what it promises.
func readSoundLog(_ log: EventLog) async throws -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    while true {
        let page = try await log.events(after: events.last?.position ?? .start)
        if page.isEmpty { break }
        events += page
    }
    var revisions: [StreamName: Int64] = [:]
    for event in events {
        revisions[event.stream, default: 0] += 1
        guard event.revision.rawValue == revisions[event.stream] else {
            throw LogError.revisionHole(event.stream, at: .none, found: event.revision)
        }
    }
    return events
}
