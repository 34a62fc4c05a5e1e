import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct MigrationTests {
    private static let first = migration(1, "CREATE SCHEMA log; CREATE TABLE log.event (n bigint)")
    private static let second = migration(2, "ALTER TABLE log.event ADD COLUMN word text")

    private static func migration(_ version: Int, _ sql: String) -> Migration {
        Migration(version: version, name: "step \(version)", sql: Array(sql.utf8))
    }

    private func open() async throws -> Session {
        try await Session.open(ScratchDatabase.current.connection)
    }

    @Test func `what is missing is applied, in order and once`() async throws {
        let session = try await open()
        #expect(try await session.migrate([Self.first]) == [1])
        #expect(try await session.migrate([Self.first, Self.second]) == [2])
        #expect(try await session.migrate([Self.first, Self.second]) == [])
        try await session.execute("INSERT INTO log.event (n, word) VALUES (1, 'one')")
        await session.close()
    }

    @Test func `no migrations are no work`() async throws {
        let session = try await open()
        #expect(try await session.migrate([]) == [])
        await session.close()
    }

    @Test func `a changed migration is refused`() async throws {
        let session = try await open()
        try await session.migrate([Self.first])
        let changed = Self.migration(1, "CREATE SCHEMA log; CREATE TABLE log.event (n integer)")
        let error = await #expect(throws: MigrationError.self) {
            try await session.migrate([changed])
        }
        guard case .changed(version: 1, name: _) = error else {
            Issue.record("it is \(String(describing: error))")
            return
        }
        await session.close()
    }

    @Test func `a newer schema is refused by an older program`() async throws {
        let session = try await open()
        try await session.migrate([Self.first, Self.second])
        let error = await #expect(throws: MigrationError.self) {
            try await session.migrate([Self.first])
        }
        guard case .newerSchema(database: 2, program: 1) = error else {
            Issue.record("it is \(String(describing: error))")
            return
        }
        await session.close()
    }

    @Test func `a migration that fails leaves nothing of itself`() async throws {
        let session = try await open()
        let broken = Self.migration(2, "CREATE TABLE log.more (n bigint); SELECT 1 / 0")
        let error = await #expect(throws: MigrationError.self) {
            try await session.migrate([Self.first, broken])
        }
        guard case .failed(version: 2, name: _, let cause) = error else {
            Issue.record("it is \(String(describing: error))")
            return
        }
        #expect(cause.sqlState == "22012")
        #expect(try await session.migrate([Self.first, Self.second]) == [2])
        await session.close()
    }

    // Method: a transaction is left open that has read the table, and a migration wants to change it.
    @Test func `a table that somebody uses is not waited for long, and the error says what to do`()
        async throws
    {
        let session = try await open()
        try await session.migrate([Self.first])
        let other = try await open()
        try await other.script("BEGIN; SELECT * FROM log.event")
        let error = await #expect(throws: MigrationError.self) {
            try await session.migrate([Self.first, Self.second], lockTimeout: .milliseconds(50))
        }
        #expect(error?.description.contains("migration 2 (step 2) failed") == true)
        #expect(error?.description.contains("pg_stat_activity") == true)
        try await other.execute("ROLLBACK")
        #expect(try await session.migrate([Self.first, Self.second]) == [2])
        await other.close()
        await session.close()
    }

    @Test func `several programs at once do it once`() async throws {
        let connection = try ScratchDatabase.current.connection
        let slow = Self.migration(2, "SELECT pg_sleep(0.3); CREATE TABLE log.slow (n bigint)")
        let applied = try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                group.addTask(name: "program \(number)") {
                    let session = try await Session.open(connection)
                    let applied = try await session.migrate([Self.first, slow])
                    await session.close()
                    return applied
                }
            }
            return try await group.reduce(into: [Int]()) { $0 += $1 }
        }
        #expect(applied == [1, 2])
    }

    @Test func `versions that do not count from one are refused`() async throws {
        let session = try await open()
        let error = await #expect(throws: MigrationError.self) {
            try await session.migrate([Self.second])
        }
        guard case .unordered = error else {
            Issue.record("it is \(String(describing: error))")
            return
        }
        await session.close()
    }

    @Test func `two roads to the same schema give the same text, another does not`() async throws {
        let session = try await open()
        try await session.migrate([Self.first, Self.second])
        let migrated = try await SchemaText.read(["log"], from: session)
        #expect(!migrated.lines.isEmpty)
        try await session.execute("DROP SCHEMA log CASCADE")
        try await session.script(
            "CREATE SCHEMA log; CREATE TABLE log.event (n bigint, word text)"
        )
        #expect(try await SchemaText.read(["log"], from: session) == migrated)
        for difference: Statement in [
            "ALTER TABLE log.event ALTER n SET NOT NULL",
            "CREATE INDEX word ON log.event (word)",
            "GRANT SELECT ON log.event TO PUBLIC",
            "COMMENT ON TABLE log.event IS 'what happened'",
            "CREATE FUNCTION log.one() RETURNS int LANGUAGE sql AS 'SELECT 1'",
            "CREATE TYPE log.mood AS ENUM ('calm')",
            "CREATE SEQUENCE log.counter",
            "CREATE VIEW log.words AS SELECT word FROM log.event",
            "ALTER TABLE log.event ENABLE ROW LEVEL SECURITY",
        ] {
            let before = try await SchemaText.read(["log"], from: session)
            try await session.execute(difference)
            #expect(try await SchemaText.read(["log"], from: session) != before)
        }
        await session.close()
    }

    @Test func `a server that forgets is refused by name`() async throws {
        let session = try await open()
        try await ServerSafety.check(session)
        try await session.execute("SET synchronous_commit = off")
        let refusal = await #expect(throws: UnsafeServer.self) {
            try await ServerSafety.check(session)
        }
        #expect(refusal?.settings == ["synchronous_commit"])
        await session.close()
    }
}
