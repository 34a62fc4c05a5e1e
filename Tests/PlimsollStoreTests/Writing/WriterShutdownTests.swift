import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import ServiceLifecycle
import Testing

/// A writer that is told to stop, before it has folded the log and after.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(2)))
struct WriterShutdownTests {
    @Test func `one whose database is away before it has folded the log ends at once`()
        async throws
    {
        try await withhold(true)
        try await stopBeforeOpening { lines in lines.text.contains("database away") }
        try await withhold(false)
    }

    @Test func `one that still folds the log ends at once`() async throws {
        let holder = try await Session.open(ScratchDatabase.current.connection)
        try await holder.withTransaction { transaction in
            try await transaction.execute("LOCK TABLE log.event IN ACCESS EXCLUSIVE MODE")
            try await stopBeforeOpening { _ in try await isWaitedFor(transaction) }
        }
        await holder.close()
    }

    @Test func `what it was writing then is written`() async throws {
        let holder = try await Session.open(ScratchDatabase.current.connection)
        let pool = SessionPool(try ScratchDatabase.current.connection, settings: .service)
        let writer = Writer(log: EventLog(pool), logger: .silent)
        let service = ServiceGroup(services: [writer], logger: .silent)
        try await withThrowingDiscardingTaskGroup { tasks in
            tasks.addTask(name: "writer") { try await service.run() }
            try await writer.whenOpen()
            try await holder.withTransaction { transaction in
                // Who reads goes on, and who appends waits.
                try await transaction.execute("LOCK TABLE log.event IN SHARE MODE")
                tasks.addTask(name: "command") {
                    _ = try await writer.perform(CommandRequest(failure()))
                }
                try await poll(until: .seconds(60)) { try await isWaitedFor(transaction) }
                await service.triggerGracefulShutdown()
            }
        }
        #expect(writer.logState.position == Position(1))
        await holder.close()
        await pool.close()
    }

    /// Has a writer begin, and tells it to stop once something keeps it from opening.
    private func stopBeforeOpening(
        once isHeldUp: (LogLines) async throws -> Bool
    ) async throws {
        let lines = LogLines()
        let pool = SessionPool(try ScratchDatabase.current.connection, settings: .service)
        let writer = Writer(log: EventLog(pool), logger: lines.logger)
        let service = ServiceGroup(services: [writer], logger: .silent)
        try await withThrowingDiscardingTaskGroup { tasks in
            tasks.addTask(name: "writer") { try await service.run() }
            tasks.addTask(name: "command") {
                let outcome = await refusal {
                    try await writer.perform(CommandRequest(failure()))
                }
                #expect(outcome == .stopped)
            }
            try await poll(until: .seconds(60)) { try await isHeldUp(lines) }
            await service.triggerGracefulShutdown()
        }
        #expect(!writer.isOpen)
        await pool.close()
    }
}

/// Whether somebody waits for a lock in the database of the running test.
func isWaitedFor(_ transaction: Transaction) async throws -> Bool {
    let row = try await transaction.first(
        """
        SELECT count(*) FROM pg_locks WHERE NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """
    )
    return try row?.value(at: 0, as: Int64.self) ?? 0 > 0
}
