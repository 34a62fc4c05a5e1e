import Logging
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct ReadModelRebuildTests {
    // Goal: whatever the read models say, a rebuild has them say what the log does. Method: a log
    // that nobody has folded, then a row that somebody changed by hand.
    @Test func `read models that lag or were changed are made anew`() async throws {
        let database = RunningDatabase(try ScratchDatabase.current.connection)
        try await StoreSchema.prepare(database.connection)
        let head = try await database.withPool(sessionsMaximum: 2) { pool in
            try await publishFailures(3, pool)
        }
        let rebuild = ReadModelRebuild(database)
        let events = Int(head.rawValue)
        #expect(try await rebuild.run() == .init(events: events, isUnchanged: false))
        #expect(try await rebuild.run() == .init(events: events, isUnchanged: true))
        try await database.withPool(sessionsMaximum: 1) { pool in
            _ = try await pool.execute("UPDATE projection.event SET actor = 'nobody'")
        }
        #expect(try await rebuild.run() == .init(events: events, isUnchanged: false))
        #expect(try await rebuild.run() == .init(events: events, isUnchanged: true))
    }

    @Test func `what is left of the former read models is said, and how it is removed`()
        async throws
    {
        let database = RunningDatabase(try ScratchDatabase.current.connection)
        try await StoreSchema.prepare(database.connection)
        let session = try await Session.open(database.connection)
        let live: Statement = "SELECT generation FROM projection.live"
        let former: Int32 = try await #require(session.first(live)).value(at: 0)
        try await session.execute(
            "REVOKE EXECUTE ON FUNCTION projection.drop_generation FROM plimsoll_service"
        )
        let failure = await #expect(throws: DatabaseFailure.self) {
            try await ReadModelRebuild(database).run()
        }
        let words = try #require(failure).description
        #expect(words.contains(" are new, but the former ones were not removed: "))
        #expect(try await #require(session.first(live)).value(at: 0) == former + 1)
        let remedy = "SELECT projection.drop_generation(\(former))"
        #expect(words.contains(remedy))
        try await session.script(Statement(file: Array(remedy.utf8)))
        await session.close()
    }

    @Test func `without a schema nothing is made`() async throws {
        let database = RunningDatabase(try ScratchDatabase.current.connection)
        let failure = await #expect(throws: DatabaseFailure.self) {
            try await ReadModelRebuild(database).run()
        }
        #expect(failure?.description.contains("are as they were") == true)
    }

    @Test(arguments: [
        (
            "DELETE FROM public.plimsoll_migration" as Statement,
            "brings it up to date"
        ),
        (
            "INSERT INTO public.plimsoll_migration VALUES (99, 'm', '')",
            "start a newer program"
        ),
    ])
    func `the read models of another program are left alone`(
        _ change: Statement,
        _ advice: String
    ) async throws {
        let database = RunningDatabase(try ScratchDatabase.current.connection)
        try await StoreSchema.prepare(database.connection)
        let session = try await Session.open(database.connection)
        _ = try await session.execute(change)
        await session.close()
        let failure = await #expect(throws: DatabaseFailure.self) {
            try await ReadModelRebuild(database).run()
        }
        #expect(failure?.description.contains(advice) == true)
    }

    /// Appends so many events, and answers where the log ends.
    private func publishFailures(_ count: Int, _ pool: SessionPool) async throws -> Position {
        let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
        let writer = Writer(log: EventLog(pool), logger: silent)
        return try await withThrowingTaskGroup { group in
            group.addTask(name: "writer") { try await writer.run() }
            defer { group.cancelAll() }
            try await writer.whenOpen()
            for number in 1...count {
                let sequence = SnapshotSequence(orderedBy: Position(number))
                let event = ExportEvent.publicationFailed(sequence: sequence, cause: "No space.")
                let command = RecordPublication(app: harbour, event: event)
                _ = try await writer.perform(CommandRequest(command))
            }
            return writer.logState.position
        }
    }
}
