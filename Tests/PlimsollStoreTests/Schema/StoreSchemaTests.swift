import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StoreSchemaTests {
    private static let schemas = ["log", "projection", "directory", "webhook"]

    @Test(.scratchDatabase)
    func `the migrations add up to what schema.sql says`() async throws {
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.script(Statement(file: StoreSchema.whole))
        let whole = try await SchemaText.read(Self.schemas, from: session)
        for schema in Self.schemas {
            try await session.execute("DROP SCHEMA \(identifier: schema) CASCADE")
        }
        await session.close()
        try await StoreSchema.prepare(ScratchDatabase.current.connection)
        let again = try await Session.open(ScratchDatabase.current.connection)
        let migrated = try await SchemaText.read(Self.schemas, from: again)
        await again.close()
        #expect(migrated.lines == whole.lines)
        #expect(migrated.lines.count > 50)
    }

    @Test(.scratchDatabase)
    func `databases may be prepared at once, and again`() async throws {
        let connection = try ScratchDatabase.current.connection
        try await withThrowingTaskGroup { group in
            for _ in 1...4 { group.addTask { try await StoreSchema.prepare(connection) } }
            try await group.waitForAll()
        }
        try await StoreSchema.prepare(connection)
    }

    @Test(.scratchDatabase)
    func `a server that may lose what was acknowledged is refused`() async throws {
        let database = try ScratchDatabase.current
        let session = try await Session.open(database.connection)
        try await ServerSafety.check(session)
        try await session.execute(
            "ALTER DATABASE \(identifier: database.name) SET synchronous_commit = off"
        )
        await session.close()
        await #expect(throws: UnsafeServer(settings: ["synchronous_commit"])) {
            try await StoreSchema.prepare(database.connection)
        }
    }
}
