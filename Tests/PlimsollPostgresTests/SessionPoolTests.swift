import Metrics
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct SessionPoolTests {
    @Test func `sixteen sleeps on sixteen sessions overlap`() async throws {
        var limits = PoolLimits()
        limits.sessionsMaximum = 16
        limits.acquireTimeout = .seconds(60)
        let pool = SessionPool(try ScratchDatabase.current.connection, limits: limits)
        // Each sleeps until all sixteen are there, which never happens one after the other.
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0..<16 {
                group.addTask(name: "sleep \(number)") {
                    try await pool.execute(
                        """
                        DO $$ BEGIN
                            PERFORM pg_advisory_lock_shared(1);
                            WHILE (SELECT count(*) < 16 FROM pg_locks
                                WHERE locktype = 'advisory' AND database = (SELECT oid
                                FROM pg_database WHERE datname = current_database()))
                            LOOP PERFORM pg_sleep(0.01); END LOOP;
                            PERFORM pg_sleep(0.1);
                        END $$
                        """
                    )
                }
            }
        }
        await pool.close()
    }

    @Test func `a task that finds all sessions in use waits only so long`() async throws {
        var limits = PoolLimits()
        limits.sessionsMaximum = 1
        limits.acquireTimeout = .seconds(2)
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            let pool = SessionPool(try ScratchDatabase.current.connection, limits: limits)
            try await pool.withSession { _ in
                let error = await #expect(throws: PostgresError.self) {
                    try await pool.query("SELECT 1")
                }
                #expect(error?.kind == .timedOut(.pool))
            }
            #expect(try await pool.query("SELECT 1").count == 1)
            await pool.close()
        }
        #expect(notebook["plimsoll.pool.sessions.connected"] == 1)
        // In nanoseconds; who waited in vain has waited too.
        #expect(notebook.history("plimsoll.pool.sessions.waited").max() ?? 0 > 1_000_000_000)
        #expect(notebook["plimsoll.pool.sessions.closed reason=shutdown"] == 1)
    }

    @Test func `a closed pool says so`() async throws {
        let pool = SessionPool(try ScratchDatabase.current.connection)
        try await pool.execute("SELECT 1")
        await pool.close()
        let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
        #expect(error?.kind == .closed)
    }

    @Test func `a wrong password or database is told at once`() async throws {
        let wrong = try ScratchDatabase.current.connection.replacing(database: "no_such_place")
        let pool = SessionPool(wrong)
        let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
        // Else it would be tried again until the time is over, and that be the error.
        #expect(error?.kind == .connectFailed)
        #expect(error?.sqlState == "3D000")
        await pool.close()
    }

    // Goal: what one host refuses, another that is away may let in once it is back.
    @Test func `while one of several hosts is away nothing is refused for good`() async throws {
        try await ScratchDatabaseServer.with { server in
            let (there, away) = (server.folder, "/nowhere")
            let cases: [(hosts: [String], state: SQLState?)] = [
                ([there, away], nil), ([away, there], nil), ([there, there], "3D000"),
            ]
            for (hosts, state) in cases {
                let wrong = server.connection.replacing([
                    "host": hosts.joined(separator: ","), "dbname": "no_such_place",
                ])
                let error = await #expect(throws: PostgresError.self) {
                    _ = try await Session.open(wrong)
                }
                #expect(error?.kind == .connectFailed)
                #expect(error?.sqlState == state)
            }
        }
    }

    @Test func `sessions killed while idle are replaced without an error`() async throws {
        let pool = SessionPool(try ScratchDatabase.current.connection)
        let victim = try await pool.withSession { $0.processID }
        let other = try await Session.open(ScratchDatabase.current.connection)
        try await other.execute("SELECT pg_terminate_backend(\(victim)::int, 5000)")
        let heir = try await pool.withSession { session in
            try await session.execute("SELECT 1")
            return session.processID
        }
        #expect(heir != victim)
        await pool.close()
        await other.close()
    }

    @Test func `an open transaction is rolled back when the session returns`() async throws {
        var limits = PoolLimits()
        limits.sessionsMaximum = 1
        let pool = SessionPool(try ScratchDatabase.current.connection, limits: limits)
        try await pool.execute("CREATE TABLE item (n bigint)")
        try await pool.withSession { session in
            try await session.execute("BEGIN")
            try await session.execute("INSERT INTO item VALUES (1)")
        }
        #expect(try await pool.query("SELECT n FROM item").isEmpty)
        await pool.close()
    }

    // Goal: nobody gets a session that is busy for somebody else. Method: it is given back while a
    // statement of whoever had it is still under way.
    @Test func `a session that is given back too early is waited for`() async throws {
        var limits = PoolLimits()
        limits.sessionsMaximum = 1
        let pool = SessionPool(try ScratchDatabase.current.connection, limits: limits)
        try await withThrowingTaskGroup(of: Int.self) { group in
            try await pool.withSession { session in
                group.addTask(name: "statement") {
                    try await session.query("SELECT pg_sleep(0.5)").count
                }
                #expect(await eventually { await session.isBusy })
            }
            #expect(try await pool.query("SELECT 1").count == 1)
            #expect(try await group.next() == 1)
        }
        await pool.close()
    }
}
