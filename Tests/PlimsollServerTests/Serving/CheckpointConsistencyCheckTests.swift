import Metrics
import PlimsollPostgres
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

/// What a start does that cannot hold the database against what was signed.
@Suite(.scratchDatabase(template: serverTemplate), .timeLimit(.minutes(5)))
struct CheckpointConsistencyCheckTests {
    @Test func `a log that is whole may be written to`() async throws {
        try await SignedLog.with { log in
            let prohibition = try await prohibition(on: log)
            #expect(prohibition == nil)
        }
    }

    @Test func `an event that is missing ends no start`() async throws {
        try await SignedLog.with { log in
            try await log.tamper("DELETE FROM log.event WHERE position = 2")
            let prohibition = try #require(try await prohibition(on: log))
            #expect(prohibition.cause == .logDamaged)
            #expect(prohibition.sentence.contains("has no event 2"))
        }
    }

    // It is read where nothing that was published is left, and can be anybody's.
    @Test func `a record of a checkpoint that contradicts itself is passed over`() async throws {
        try await SignedLog.with { log in
            try await log.tamper("UPDATE log.checkpoint SET root = sha256('')")
            try log.folder.log.removeTree()
            #expect(try await prohibition(on: log) == nil)
        }
    }

    @Test func `the time of the last event is nothing to a start`() async throws {
        try await SignedLog.with { log in
            try await log.tamper(
                """
                ALTER TABLE log.event DROP CONSTRAINT event_recorded_at_check;
                UPDATE log.event SET recorded_at = 'infinity' WHERE position = 21
                """
            )
            #expect(try await prohibition(on: log) == nil)
        }
    }

    // As that there is no key to write entries with, or that events were lost since the start.
    @Test func `a log that fits what was signed takes no other prohibition off the gauge`()
        async throws
    {
        let (gauge, notebook) = ("plimsoll.log.read_only", MetricsNotebook())
        let other = Prohibition(.logDamaged, "The entry key is missing.")
        try await withMetricsFactory(notebook) {
            try await SignedLog.with { log in
                let none = try await prohibition(on: log)
                #expect(none == nil)
                #expect(notebook[gauge] == 0)
                let first = try await prohibition(on: log, besides: other)
                #expect(first == other)
                #expect(notebook[gauge] == 1)
            }
        }
    }

    private func prohibition(
        on log: SignedLog,
        besides other: Prohibition? = nil
    ) async throws -> Prohibition? {
        try await Session.with(log.connection, settings: .service) { session in
            let (events, logger) = (EventLog(session), LogLines().logger)
            let key = LogKeyFile(log.data / "keys" / "log", origin: nil)
            let published = PublicLog(checkpoints: Checkpoints(events), key: key)
            let writer = Writer(log: events, logger: logger)
            other.map(writer.forbid(because:))
            let check = CheckpointConsistencyCheck(
                outside: OutsideLog(published, log.folder, others: []),
                accepted: nil,
                writer: writer,
                forget: {},
                logger: logger
            )
            try await check.run()
            return writer.prohibition
        }
    }
}
