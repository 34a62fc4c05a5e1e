import Metrics
import PlimsollPostgres
import PlimsollTestSupport
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct PoolServiceTests {
    private static let filled = ScratchTemplate("items") { session in
        try await session.script(
            "CREATE TABLE item (n bigint); INSERT INTO item VALUES (1), (2), (3)"
        )
    }

    @Test func `at a shut-down what is under way ends and nothing begins`() async throws {
        let pool = SessionPool(try ScratchDatabase.current.connection)
        try await testGracefulShutdown { trigger in
            try await withThrowingTaskGroup { group in
                group.addTask(name: "pool") { try await pool.run() }
                let (begun, begin) = AsyncStream.makeStream(of: Void.self)
                group.addTask(name: "work") {
                    try await pool.withSession { session in
                        begin.finish()
                        try await session.execute("SELECT pg_sleep(0.3)")
                    }
                }
                for await _ in begun {}
                trigger.triggerGracefulShutdown()
                try await group.waitForAll()
            }
        }
        let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
        #expect(error?.kind == .closed)
    }

    private func pool(
        _ limits: PoolLimits,
        reportingTo notebook: MetricsNotebook
    ) throws -> SessionPool {
        try withMetricsFactory(notebook) {
            SessionPool(try ScratchDatabase.current.connection, limits: limits)
        }
    }

    @Test func `a running pool has its minimum ready`() async throws {
        var limits = PoolLimits()
        limits.sessionsMinimum = 2
        limits.maintenanceInterval = .milliseconds(10)
        let notebook = MetricsNotebook()
        let pool = try pool(limits, reportingTo: notebook)
        let watcher = try await Session.open(ScratchDatabase.current.connection)
        try await withThrowingTaskGroup { group in
            group.addTask(name: "pool") { try await pool.run() }
            let isReady = try await eventually {
                let row = try await watcher.first(
                    """
                    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                    AND pid <> pg_backend_pid() AND state = 'idle'
                    """
                )
                return try row?.value(at: 0, as: Int.self) == 2
            }
            #expect(isReady)
            let isShown = await eventually { notebook["plimsoll.pool.sessions.idle"] == 2 }
            #expect(isShown)
            #expect(notebook["plimsoll.pool.sessions.in_use"] == 0)
            #expect(notebook["plimsoll.pool.tasks.waiting"] == 0)
            group.cancelAll()
        }
        await watcher.close()
    }

    @Test func `sessions act as the role they are told to`() async throws {
        let admin = try await Session.open(ScratchDatabase.current.connection)
        let name = try ScratchDatabase.current.name
        try await admin.execute("CREATE ROLE \(identifier: name)")
        var settings = SessionSettings()
        settings.role = name
        let pool = SessionPool(try ScratchDatabase.current.connection, settings: settings)
        let row = try await pool.first("SELECT current_user::text")
        #expect(try row?.value(at: 0) == name)
        await pool.close()
        try await admin.execute("DROP ROLE \(identifier: name)")
        await admin.close()
    }

    @Test(.scratchDatabase(template: filled), arguments: [1, 2])
    func `a template is filled once and copied for each test`(number: Int64) async throws {
        let session = try await Session.open(ScratchDatabase.current.connection)
        #expect(try await session.query("SELECT n FROM item").count == 3)
        try await session.execute("INSERT INTO item VALUES (\(number))")
        await session.close()
    }
}
