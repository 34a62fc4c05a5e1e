import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct CancellationTests {
    private func open(_ settings: SessionSettings = SessionSettings()) async throws -> Session {
        try await Session.open(ScratchDatabase.current.connection, settings: settings)
    }

    private func activeCount(_ session: Session, _ pattern: String) async throws -> Int64 {
        let row = try await session.first(
            """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
            AND state = 'active' AND query LIKE \(pattern) AND pid <> pg_backend_pid()
            """
        )
        return try #require(row).value(at: 0)
    }

    @Test func `cancelling a task stops its statement on the server`() async throws {
        let session = try await open()
        let watcher = try await open()
        await withTaskGroup { group in
            group.addTask(name: "sleeper") {
                let error = await #expect(throws: PostgresError.self) {
                    try await session.query("SELECT pg_sleep(60), 'cancel me'")
                }
                #expect(error?.kind == .cancelled)
            }
            let isRunning = await eventually {
                (try? await activeCount(watcher, "%cancel me%")) == 1
            }
            #expect(isRunning)
            group.cancelAll()
        }
        #expect(try await activeCount(watcher, "%cancel me%") == 0)
        #expect(try await session.query("SELECT 1").count == 1)
        await session.close()
        await watcher.close()
    }

    @Test func `a task that is cancelled already sends nothing`() async throws {
        let session = try await open()
        try await session.execute("CREATE TABLE item (n bigint)")
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask(name: "late") {
                let error = await #expect(throws: PostgresError.self) {
                    try await session.execute("INSERT INTO item VALUES (1)")
                }
                #expect(error?.kind == .cancelled)
            }
        }
        #expect(try await session.query("SELECT n FROM item").isEmpty)
        await session.close()
    }

    @Test func `a task that waits for its turn can be cancelled`() async throws {
        let session = try await open()
        await withTaskGroup { group in
            group.addTask(name: "first") {
                _ = try? await session.query("SELECT pg_sleep(60)")
            }
            #expect(await eventually { await session.isBusy })
            await withTaskGroup { waiting in
                waiting.addTask(name: "second") {
                    let error = await #expect(throws: PostgresError.self) {
                        try await session.query("SELECT 1")
                    }
                    #expect(error?.kind == .cancelled)
                }
                waiting.cancelAll()
            }
            group.cancelAll()
        }
        #expect(try await session.query("SELECT 1").count == 1)
        await session.close()
    }

    @Test func `a statement that takes too long is stopped and named so`() async throws {
        let session = try await open()
        let begin = ContinuousClock.now
        let error = await #expect(throws: PostgresError.self) {
            try await session.query("SELECT pg_sleep(60)", timeout: .milliseconds(150))
        }
        #expect(error?.kind == .timedOut(.statement))
        #expect(.now - begin < .seconds(30))
        #expect(try await session.query("SELECT 1").count == 1)
        await session.close()
    }

    @Test func `the server's own time-out is the server's error`() async throws {
        let session = try await open()
        let error = await #expect(throws: PostgresError.self) {
            try await session.withTransaction { transaction in
                try await transaction.execute("SET LOCAL statement_timeout = '100ms'")
                try await transaction.execute("SELECT pg_sleep(60)")
            }
        }
        #expect(error?.kind == .server)
        #expect(error?.sqlState == .queryCanceled)
        await session.close()
    }

    // Goal: no cancel ever hits a statement that was not meant. Method: four sessions, each
    // shared by three tasks that run numbered statements one after the other; every third
    // statement is cancelled at a random moment. A statement that nobody cancelled must
    // answer, and every answer must be its own.
    @Test func `no cancel hits a statement that was not meant`() async throws {
        let strays = Tally()
        let answers = Tally()
        let cancelled = Tally()
        var sessions: [Session] = []
        for _ in 0..<4 { sessions.append(try await open()) }
        try await withThrowingDiscardingTaskGroup { group in
            for (number, session) in (sessions + sessions + sessions).enumerated() {
                group.addTask(name: "client \(number)") {
                    for statement in 0..<100 {
                        let isMeant = statement % 3 == 0
                        switch try await attempt(session, number * 1000 + statement, isMeant) {
                        case .answered: answers.add()
                        case .cancelled where isMeant: cancelled.add()
                        case .cancelled: strays.add()
                        }
                    }
                }
            }
        }
        #expect(strays.count == 0)
        #expect(answers.count + cancelled.count == 1200)
        #expect(cancelled.count > 0)
        for session in sessions { await session.close() }
    }

    @Test func `a query finds its session closed after close`() async throws {
        let session = try await open()
        await session.close()
        let error = await #expect(throws: PostgresError.self) {
            try await session.query("SELECT 1")
        }
        #expect(error?.kind == .closed)
    }
}

private enum Ending {
    case answered, cancelled
}

private struct WrongAnswer: Error {}

/// Runs one numbered statement, cancelled at a random moment or not at all.
private func attempt(_ session: Session, _ number: Int, _ isCancelled: Bool) async throws -> Ending
{
    try await withThrowingTaskGroup { group in
        group.addTask(name: "statement") {
            do {
                let pause = Double.random(in: 0...0.002)
                let row = try await session.first("SELECT \(number), pg_sleep(\(pause))")
                guard try row?.value(at: 0, as: Int.self) == number else { throw WrongAnswer() }
                return Ending.answered
            } catch let error as PostgresError where error.kind == .cancelled {
                return .cancelled
            }
        }
        if isCancelled {
            let moment = ContinuousClock.now + .microseconds(Int.random(in: 0...3000))
            while ContinuousClock.now < moment { await Task.yield() }
            group.cancelAll()
        }
        return try await group.next() ?? .cancelled
    }
}
