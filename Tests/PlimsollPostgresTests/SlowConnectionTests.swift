import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SlowConnectionTests {
    // Goal: an attempt to connect is not thrown away when the task's own time is over. Method: the
    // process that takes connections is frozen for longer than that; a session that is there
    // already counts the time.
    @Test func `a connection that is slow to come is waited for`() async throws {
        try await ScratchDatabaseServer.with { server in
            var limits = PoolLimits()
            limits.acquireTimeout = .seconds(1)
            var settings = SessionSettings()
            settings.connectTimeout = .seconds(60)
            let pool = SessionPool(server.connection, settings: settings, limits: limits)
            let clock = try await server.open()
            try await server.signal("STOP")
            async let answer = pool.query("SELECT 1")
            try await clock.execute("SELECT pg_sleep(3)")
            try await server.signal("CONT")
            #expect(try await answer.count == 1)
            await clock.close()
            await pool.close()
        }
    }
}
