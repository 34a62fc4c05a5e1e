import PlimsollPostgres
import PlimsollTestSupport
import Testing

/// Two migrations that became one, which has a comment beyond them.
@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct PredecessorTests {
    private static let first = "CREATE SCHEMA log; CREATE TABLE log.event (n bigint)"
    private static let second = "ALTER TABLE log.event ADD COLUMN word text"
    private static let comment = "COMMENT ON TABLE log.event IS 'what happened'"

    private static let apart = [migration(1, first), migration(2, second)]

    private static let one: Migration = {
        var one = migration(1, "\(first); \(second); \(comment)")
        one.predecessors = Predecessors(
            digests: [
                "52aed7cf4d7b7c5f4b7f3e5fc184cc95b63f586b19033bfa01b3d02d61590e3d",
                "5d6971b8b86fee98715aea536b9cec00af189779416816432b99a7e835ba787e",
            ],
            completion: Array(comment.utf8)
        )
        return one
    }()

    private static func migration(_ version: Int, _ sql: String) -> Migration {
        Migration(version: version, name: "step \(version)", sql: Array(sql.utf8))
    }

    private func withSession(_ body: (Session) async throws -> Void) async throws {
        try await Session.with(ScratchDatabase.current.connection, body)
    }

    private func words(of error: MigrationError?) -> String { error?.description ?? "" }

    @Test func `a database with all of them keeps its rows and needs nothing more`() async throws {
        try await withSession { session in
            try await session.migrate(Self.apart)
            try await session.execute("INSERT INTO log.event (n, word) VALUES (1, 'one')")
            let error = await #expect(throws: MigrationError.self) {
                try await session.requireMigrated([Self.one])
            }
            #expect(words(of: error).contains("start plimsoll serve"))

            #expect(try await session.migrate([Self.one]) == [])
            try await session.requireMigrated([Self.one])
            #expect(try await session.migrate([Self.one, Self.migration(2, "SELECT 1")]) == [2])
            let adopted = try await SchemaText.read(["log"], from: session)
            let row = try await session.first("SELECT word FROM log.event")
            #expect(try #require(row).value(at: 0, as: String.self) == "one")

            try await session.script("DROP SCHEMA log CASCADE; DROP TABLE plimsoll_migration")
            #expect(try await session.migrate([Self.one]) == [1])
            #expect(try await SchemaText.read(["log"], from: session) == adopted)
        }
    }

    @Test func `a database with some of them is refused by name and left alone`() async throws {
        try await withSession { session in
            try await session.migrate([Self.apart[0]])
            let before = try await SchemaText.read(["log"], from: session)
            let error = await #expect(throws: MigrationError.self) {
                try await session.migrate([Self.one])
            }
            #expect(words(of: error).contains("1 of the 2 migrations"))
            #expect(words(of: error).contains("plimsoll backup"))
            #expect(try await SchemaText.read(["log"], from: session) == before)
            #expect(try await session.migrate(Self.apart) == [2])
        }
    }

    @Test func `a database with others is refused`() async throws {
        try await withSession { session in
            try await session.migrate([Self.apart[0], Self.migration(2, "SELECT 2")])
            await #expect(throws: MigrationError.self) { try await session.migrate([Self.one]) }
        }
    }

    @Test func `a program from before refuses a database of after`() async throws {
        try await withSession { session in
            try await session.migrate([Self.one])
            let error = await #expect(throws: MigrationError.self) {
                try await session.migrate(Self.apart)
            }
            guard case .changed(version: 1, name: _) = error else {
                Issue.record("it is \(words(of: error))")
                return
            }
        }
    }

    // Method: the comment waits for a lock that an open transaction holds.
    @Test func `what cannot be completed leaves everything as it was`() async throws {
        try await withSession { session in
            try await session.migrate(Self.apart)
            try await withSession { other in
                try await other.script("BEGIN; LOCK TABLE log.event")
                let error = await #expect(throws: MigrationError.self) {
                    try await session.migrate([Self.one], lockTimeout: .milliseconds(50))
                }
                #expect(words(of: error).contains("pg_terminate_backend"))
                try await other.execute("ROLLBACK")
            }
            #expect(try await session.migrate(Self.apart) == [])
            #expect(try await session.migrate([Self.one]) == [])
        }
    }
}
