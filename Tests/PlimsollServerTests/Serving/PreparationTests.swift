import PlimsollPublishing
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import ServiceLifecycle
import Synchronization
import Testing

@testable import PlimsollServer

/// A service that only says that it began, and how it ended.
private final class Witness: Service {
    private let state = Mutex<[String]>([])

    var words: [String] { state.withLock { $0 } }

    func run() async throws {
        state.withLock { $0.append("began") }
        try await gracefulShutdown()
        state.withLock { $0.append("ended") }
    }
}

/// The order in which the parts begin, and what happens while the database is away.
@Suite(.timeLimit(.minutes(5)))
struct PreparationTests {
    /// Runs the preparation and the service behind it, and triggers the shutdown after the body.
    private func running(
        _ connection: ConnectionString,
        _ lines: LogLines,
        beginning whenStarted: @escaping @Sendable () async throws -> Void = {},
        inspecting inspect: @escaping @Sendable () async throws -> Void = {},
        _ body: (Witness) async throws -> Void
    ) async throws -> Witness {
        let preparation = Preparation(
            connection,
            whenStarted: whenStarted,
            logger: lines.logger,
            inspect: inspect
        )
        let witness = Witness()
        let group = ServiceGroup(
            services: [preparation, preparation.before(witness)],
            logger: lines.logger
        )
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await group.run() }
            do {
                try await body(witness)
            } catch {
                tasks.cancelAll()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        return witness
    }

    @Test(.scratchDatabase)
    func `what works with the database begins when it is prepared`() async throws {
        let connection = try ScratchDatabase.current.connection
        let witness = try await running(connection, LogLines()) { witness in
            try await eventually { witness.words == ["began"] }
            let session = try await Session.open(connection)
            let rows = try await session.query("SELECT FROM projection.live")
            #expect(rows.count == 1)
            await session.close()
        }
        #expect(witness.words == ["began", "ended"])
    }

    @Test func `a database that is away is waited for, and complained of once`() async throws {
        let nowhere = ConnectionString("host=/nowhere user=nobody dbname=none")
        let lines = LogLines()
        let tries = Atomic(0)
        let witness = try await running(
            nowhere,
            lines,
            beginning: { tries.add(1, ordering: .relaxed) }
        ) { _ in
            try await eventually { tries.load(ordering: .relaxed) > 2 }
        }
        #expect(witness.words == [])
        #expect(lines.text.ranges(of: "the database is away").count == 1)
    }

    @Test func `a database that comes back is used`() async throws {
        try await ScratchDatabaseServer.with { server in
            try await server.stop()
            let lines = LogLines()
            _ = try await running(server.connection, lines) { witness in
                try await eventually { lines.text.contains("the database is away") }
                #expect(witness.words == [])
                try await server.start()
                try await eventually { witness.words == ["began"] }
            }
        }
    }

    // Goal: what somebody has to mend is told as that; it is waited for, since phones are served.
    @Test func `a database that refuses the connection is not called away`() async throws {
        try await ScratchDatabaseServer.with { server in
            let lines = LogLines()
            let missing = server.connection.replacing(database: "harbour")
            _ = try await running(missing, lines) { witness in
                try await eventually {
                    lines.text.contains("the database refuses the connection")
                }
                #expect(lines.text.contains("3D000"))
                #expect(!lines.text.contains("away"))
                #expect(witness.words == [])
                let session = try await server.open()
                try await session.execute("CREATE DATABASE harbour")
                await session.close()
                try await eventually { witness.words == ["began"] }
            }
        }
    }

    @Test(.scratchDatabase)
    func `a checkpoint that cannot be fetched is waited for`() async throws {
        let isShown = Atomic(false)
        let nowhere = CheckpointPlace("http://127.0.0.1:1/checkpoint")
        let lines = LogLines()
        _ = try await running(
            try ScratchDatabase.current.connection,
            lines,
            inspecting: { if !isShown.load(ordering: .relaxed) { _ = try await nowhere.read() } }
        ) { witness in
            try await eventually { lines.text.contains("a checkpoint is away") }
            #expect(lines.text.contains("127.0.0.1:1/checkpoint"))
            #expect(witness.words == [])
            isShown.store(true, ordering: .relaxed)
            try await eventually { witness.words == ["began"] }
        }
    }

    @Test(.scratchDatabase) func `a shutdown in the midst of it is no failure`() async throws {
        let connection = try ScratchDatabase.current.connection
        let isInspecting = Atomic(false)
        let witness = try await running(
            connection,
            LogLines(),
            inspecting: {
                isInspecting.store(true, ordering: .relaxed)
                try await Session.with(connection) { session in
                    _ = try await session.query("SELECT pg_sleep(3600)")
                }
            }
        ) { _ in
            try await eventually { isInspecting.load(ordering: .relaxed) }
        }
        #expect(witness.words == [])
    }

    @Test(arguments: ["synchronous_commit=off", "full_page_writes=off"])
    func `a server that loses what was acknowledged ends the start`(
        _ setting: String
    ) async throws {
        try await ScratchDatabaseServer.with(settings: [setting]) { server in
            let preparation = Preparation(server.connection, logger: LogLines().logger) {}
            let name = try #require(setting.split(separator: "=").first)
            await #expect(throws: UnsafeServer(settings: [String(name)])) {
                try await preparation.run()
            }
        }
    }
}
