import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// A migration whose server process dies on the way leaves the schema of before.
@Suite(.scratchDatabase, .timeLimit(.minutes(10)))
struct MigrationKillTests {
    private static let migrations = StoreSchema.migrations.enumerated().map { index, migration in
        Migration(version: index + 1, name: migration.name, sql: migration.sql)
    }

    // Method: the process ends itself behind the n-th statement that defines something, for every n
    // that each migration has; then somebody else looks, and the next n is tried on what is left.
    @Test func `a death at any statement of a migration leaves nothing of it`() async throws {
        let connection = try ScratchDatabase.current.connection
        try await script(Self.trap)
        var deaths = 0
        for migration in Self.migrations {
            let before = try await schema()
            var step = 1
            while try await migrate(to: migration.version, dyingAt: step) == false {
                let left = try await schema()
                try #require(left == before, "\(migration.name) died at statement \(step)")
                step += 1
            }
            #expect(try await schema() != before)
            deaths += step - 1
        }
        #expect(deaths > 100)
        Attachment.record("\(deaths) deaths", named: "migrations.txt")
        try await script("DROP EVENT TRIGGER trap; DROP SCHEMA trap CASCADE")
        try await StoreSchema.require(connection)
    }

    // The negative control: the same statements, each by itself.
    @Test func `what is no transaction is found half done`() async throws {
        try await script(Self.trap)
        let before = try await schema()
        try await set(2)
        let session = try await Session.open(ScratchDatabase.current.connection)
        await #expect(throws: PostgresError.self) {
            try await session.execute("CREATE SCHEMA log")
            try await session.execute("CREATE TABLE log.event (position bigint)")
            try await session.execute("CREATE TABLE log.command (position bigint)")
        }
        await session.close()
        #expect(try await schema() != before)
    }

    private static let trap = """
        CREATE SCHEMA trap;
        CREATE SEQUENCE trap.step;
        CREATE TABLE trap.mine (step bigint);
        INSERT INTO trap.mine VALUES (0);
        CREATE FUNCTION trap.spring() RETURNS event_trigger SECURITY DEFINER LANGUAGE plpgsql AS $$
        BEGIN
            IF nextval('trap.step') = (SELECT step FROM trap.mine) THEN
                PERFORM pg_terminate_backend(pg_backend_pid());
            END IF;
        END
        $$;
        CREATE EVENT TRIGGER trap ON ddl_command_end EXECUTE FUNCTION trap.spring()
        """

    /// Applies what is missing up to a version; answers whether it lived to the end.
    private func migrate(to version: Int, dyingAt step: Int) async throws -> Bool {
        try await set(step)
        let session = try await Session.open(ScratchDatabase.current.connection)
        do throws(MigrationError) {
            try await session.migrate(Array(Self.migrations.prefix(version)))
            await session.close()
            return true
        } catch {
            await session.close()
            // Ended by order of an administrator.
            #expect(cause(of: error)?.sqlState == "57P01", "\(error)")
            return false
        }
    }

    private func cause(of error: MigrationError) -> PostgresError? {
        switch error {
        case .failed(_, _, let cause), .database(let cause): cause
        default: nil
        }
    }

    private func set(_ step: Int) async throws {
        try await script(
            "UPDATE trap.mine SET step = \(step); SELECT setval('trap.step', 1, false)"
        )
    }

    private func schema() async throws -> [String] {
        let session = try await Session.open(ScratchDatabase.current.connection)
        let text = try await SchemaText.read(StoreSchemaTests.schemas, from: session)
        await session.close()
        return text.lines
    }

    private func script(_ text: String) async throws {
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.script(Statement(file: Array(text.utf8)))
        await session.close()
    }
}
