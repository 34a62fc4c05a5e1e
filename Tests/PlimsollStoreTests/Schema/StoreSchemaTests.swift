import Foundation
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StoreSchemaTests {
    static let schemas = [
        "log", "projection", "directory", "webhook", "device", "instance", "console",
    ]

    /// The file beside the migrations, as people read it.
    private var written: Statement {
        get throws {
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../sql/schema.sql")
            return Statement(file: Array(try Data(contentsOf: file)))
        }
    }

    @Test(.scratchDatabase)
    func `the migrations add up to what schema.sql says`() async throws {
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.script(try written)
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

    // A partition has the comments of its table, and what a constraint makes needs none.
    @Test(.scratchDatabase)
    func `everything that an administrator meets says what it is`() async throws {
        try await StoreSchema.prepare(ScratchDatabase.current.connection)
        let session = try await Session.open(ScratchDatabase.current.connection)
        let silent = try await session.query(
            """
            WITH own AS (
                SELECT oid, nspname FROM pg_catalog.pg_namespace WHERE nspname = ANY (\(Self.schemas))
            ), kept AS (
                SELECT c.oid, nspname, relname FROM pg_catalog.pg_class c JOIN own ON own.oid = relnamespace
                WHERE relkind IN ('r', 'p') AND NOT relispartition
            )
            SELECT nspname FROM own WHERE obj_description(oid, 'pg_namespace') IS NULL
            UNION ALL SELECT relname FROM kept WHERE obj_description(oid, 'pg_class') IS NULL
            UNION ALL SELECT format('%s.%s', relname, attname) FROM kept
                JOIN pg_catalog.pg_attribute ON attrelid = kept.oid
                WHERE attnum > 0 AND NOT attisdropped AND col_description(kept.oid, attnum) IS NULL
            UNION ALL SELECT proname FROM pg_catalog.pg_proc p JOIN own ON own.oid = pronamespace
                WHERE obj_description(p.oid, 'pg_proc') IS NULL
            UNION ALL SELECT tgname FROM pg_catalog.pg_trigger t JOIN kept ON kept.oid = tgrelid
                WHERE NOT tgisinternal AND obj_description(t.oid, 'pg_trigger') IS NULL
            """
        )
        #expect(try silent.map { try $0.value(at: 0, as: String.self) } == [])
        await session.close()
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

    // Method: with one of these the schema could not be made, with another nothing appended, and with
    // the last whoever waits for a lock would be turned away.
    @Test(.scratchDatabase)
    func `what somebody has set for the database keeps the service from nothing`() async throws {
        let database = try ScratchDatabase.current
        let owner = try await Session.open(database.connection)
        let settings: [StaticString] = [
            "standard_conforming_strings = off", "default_transaction_isolation = 'serializable'",
            "lock_timeout = '1ms'",
        ]
        for setting in settings {
            try await owner.execute(
                "ALTER DATABASE \(identifier: database.name) SET \(raw: setting)"
            )
        }
        await owner.close()
        try await StoreSchema.prepare(database.connection)
        let session = try await Session.open(database.connection, settings: .service)
        let log = EventLog(session)
        var builder = CommandBuilder()
        // The first goes the long way, the second the short one.
        for _ in 1...2 { _ = try await log.append([try builder.command(on: .access)]) }
        #expect(try await log.head().position == Position(2))
        let row = try await session.first("SELECT current_setting('lock_timeout')")
        #expect(try row?.value(at: 0, as: String.self) == "0")
        await session.close()
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

    // The first takes none of what the schema says in words, the second all of it: there the first
    // title with a letter that it lacks would have stopped the read models.
    @Test(arguments: ["LATIN1", "WIN1252"])
    func `a database that cannot keep every text is refused`(encoding: String) async throws {
        try await ScratchDatabaseServer.with { server in
            let administrator = try await server.open()
            try await administrator.execute(
                """
                CREATE DATABASE narrow TEMPLATE template0 LOCALE 'C'
                ENCODING \(literal: encoding)
                """
            )
            await administrator.close()
            let refusal = UnsafeServer(settings: [], encoding: encoding)
            await #expect(throws: refusal) {
                try await StoreSchema.prepare(server.connection.replacing(database: "narrow"))
            }
            // This one does not back up what it has not brought up to date.
            #expect("\(refusal)".contains("the program that was here before (plimsoll backup)"))
        }
    }
}
