import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// Who was overtaken comes next, and nobody who sleeps keeps others waiting.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(2)))
struct TurnTests {
    private func withSession<Answer>(
        _ body: (Session) async throws -> Answer
    ) async throws -> Answer {
        try await Session.with(ScratchDatabase.current.connection, settings: .service, body)
    }

    private func may(_ session: Session) async throws -> Bool {
        let row = try await session.first(
            """
            SELECT NOT EXISTS (
                SELECT FROM instance.turn
                WHERE backend <> pg_backend_pid() AND ends_at > clock_timestamp()
            )
            """
        )
        return try row?.value(at: 0, as: Bool.self) ?? false
    }

    /// Whether the session's turn, of half a second at most, was neither used nor given back.
    private func hasTurn(_ session: Session) async throws -> Bool {
        let row = try await session.first(
            """
            SELECT EXISTS (
                SELECT FROM instance.turn
                WHERE backend = pg_backend_pid() AND isfinite(ends_at)
                    AND ends_at <= clock_timestamp() + interval '500 ms'
            )
            """
        )
        return try row?.value(at: 0, as: Bool.self) ?? false
    }

    /// A stale append, as an instance sends it that was overtaken.
    private func overtake(_ session: Session, _ writer: Writer, _ log: EventLog) async throws {
        let stale = try CommandRequest(failure()).draft(in: LogState(), recordedAt: .now).0
        _ = try await writer.perform(CommandRequest(failure()))
        let answers = try await EventLog(session).append([stale])
        guard case .conflict = answers.first else {
            Issue.record("\(answers)")
            return
        }
    }

    @Test func `whoever is overtaken appends next, and it is over when it has`() async throws {
        try await withWriter { writer, log in
            try await withSession { first in
                try await withSession { second in
                    #expect(try await may(first))
                    let start = ContinuousClock.now
                    try await overtake(first, writer, log)
                    let isOpen = try await may(second)
                    // A busy machine may have let the turn pass.
                    if ContinuousClock.now - start < .milliseconds(500) { #expect(!isOpen) }
                    #expect(try await may(first))
                    let next = try CommandRequest(failure())
                        .draft(in: writer.logState, recordedAt: .now).0
                    let answers = try await EventLog(first).append([next])
                    #expect(answers.map(\.isOvertaken) == [false])
                    #expect(try await may(second))
                }
            }
        }
    }

    @Test func `a turn that is not used is given back`() async throws {
        try await withWriter { writer, log in
            try await withSession { first in
                try await overtake(first, writer, log)
                try await first.execute("SELECT instance.pass_turn()")
                #expect(try await withSession { try await may($0) })
            }
        }
    }

    @Test func `an instance that sleeps on its turn keeps nobody`() async throws {
        try await withWriter { writer, log in
            try await withSession { sleeper in
                try await overtake(sleeper, writer, log)
                #expect(try await hasTurn(sleeper))
                let start = ContinuousClock.now
                _ = try await writer.perform(CommandRequest(failure()))
                #expect(ContinuousClock.now - start < .seconds(30))
                #expect(try await hasTurn(sleeper))
            }
        }
    }

    @Test func `a clock that was set back does not prolong it`() async throws {
        try await withWriter { writer, log in
            let owner = try await Session.open(ScratchDatabase.current.connection)
            try await owner.execute(
                """
                INSERT INTO instance.turn (ends_at, backend)
                VALUES (clock_timestamp() + interval '1 h', 0)
                """
            )
            await owner.close()
            let start = ContinuousClock.now
            _ = try await writer.perform(CommandRequest(failure()))
            #expect(ContinuousClock.now - start < .seconds(30))
        }
    }

    @Test func `who was overtaken is told what is new, no more than a connection takes in`()
        async throws
    {
        try await withWriter { writer, log in
            _ = try await writer.perform(CommandRequest(failure()))
            let (known, tip) = (writer.logState, writer.memory.tip)
            let requests = (0..<40).map { number in
                CommandRequest(failure("\(number) " + String(repeating: "x", count: 3000)))
            }
            for result in await writer.perform(requests) { _ = try result.get() }
            let stale = try CommandRequest(failure()).draft(in: known, recordedAt: .now).0
            let reply = try await log.append([stale], knowing: tip, .inLine)
            let news = try #require(reply.news)
            #expect(news.end == writer.logState.position)
            #expect(news.entries.first?.position == known.position.advanced(by: 1))
            #expect(news.entries.last.map { $0.position < news.end } == true)
            #expect(news.entries.reduce(0) { $0 + $1.entry.count } <= 65536)
        }
    }

    @Test func `two that were refused leave the turn to others`() async throws {
        try await withWriter { first, _ in
            _ = try await first.perform(CommandRequest(try registration()))
            // Neither looks by itself, so the second decides on a state of before.
            try await withWriter(pollInterval: .seconds(3600), clock: { .now }) { second, _ in
                _ = try await first.perform(CommandRequest(try registration(slug("quay"))))
                await #expect(throws: WriteError.self) {
                    _ = try await second.perform(CommandRequest(try registration(slug("quay"))))
                }
                #expect(try await withSession { try await may($0) })
            }
        }
    }

    // Goal: a refusal does not wait until nobody else appends. Method: another instance appends
    // behind each confirmation, so each look at the log finds something new.
    @Test func `a refusal is told however busy another instance is`() async throws {
        try await withWriter(clock: { .now }) { first, _ in
            _ = try await first.perform(CommandRequest(try registration()))
            let start = first.logState.position
            let connection = try ScratchDatabase.current.connection
            let session = DedicatedSession(connection, settings: .service)
            let interrupted = InterruptedSession(session: session) {
                do {
                    _ = try await first.perform(CommandRequest(failure()))
                } catch {
                    Issue.record(error)
                }
            }
            let second = Writer(
                log: EventLog(interrupted),
                logger: .silent,
                pollInterval: .seconds(3600)
            )
            let error = try await running(second) {
                await refusal { try await second.perform(CommandRequest(try registration())) }
            }
            await session.close()
            #expect(error == .refused(Refusal(.appExists(harbour))))
            #expect(first.logState.position == start.advanced(by: 2))
        }
    }
}

/// A session on which somebody else comes in between whenever its server has confirmed that it
/// leads.
private struct InterruptedSession: Transacting {
    let session: DedicatedSession
    let interrupt: @Sendable () async -> Void

    func outcome(
        of statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> StatementOutcome {
        let outcome = try await session.outcome(of: statement, timeout: timeout)
        if statement.text.contains("pg_logical_emit_message") { await interrupt() }
        return outcome
    }

    func withTransaction<Value>(
        isolation: Isolation,
        access: TransactionAccess,
        attempts: Int,
        _ body: (Transaction) async throws -> Value
    ) async throws -> Value {
        try await session.withTransaction(
            isolation: isolation,
            access: access,
            attempts: attempts,
            body
        )
    }
}
