import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct AppendOnlyTests {
    private static let changes: [Statement] = [
        "UPDATE log.event SET shape = 2", "DELETE FROM log.event", "TRUNCATE log.event",
        "UPDATE log.command SET outcome = ''", "DELETE FROM log.command", "TRUNCATE log.command",
        "UPDATE log.checkpoint SET note = ''", "DELETE FROM log.checkpoint",
        "TRUNCATE log.checkpoint", "UPDATE log.cosignature SET line = ''",
        "DELETE FROM log.cosignature", "TRUNCATE log.cosignature",
        "UPDATE log.overruled SET size = 1", "DELETE FROM log.overruled",
        "TRUNCATE log.overruled",
    ]

    @Test(arguments: changes)
    func `the service's role cannot change the past`(change: Statement) async throws {
        try await withLog { _, session in
            try await refused(change, in: session)
            try await refused("ALTER TABLE log.event DISABLE TRIGGER ALL", in: session)
            try await refused("DROP TABLE log.event", in: session)
            try await refused("SET session_replication_role = replica", in: session)
        }
    }

    @Test(arguments: changes)
    func `nor can the owner, nor one that plays a replica`(change: Statement) async throws {
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.execute("SET ROLE plimsoll_owner")
        try await refused(change, in: session)
        try await session.execute("RESET ROLE")
        try await session.execute("SET session_replication_role = replica")
        try await refused(change, in: session)
        await session.close()
    }

    @Test func `the service's role adds nothing but by the functions`() async throws {
        try await withLog { log, session in
            try await refused(
                """
                INSERT INTO log.command (last_position, recorded_at, command_id, request_digest, outcome)
                VALUES (0, now(), gen_random_uuid(), '', '')
                """,
                in: session
            )
            try await refused("CREATE TABLE log.more (id integer)", in: session)
            let owned = try await session.first(
                """
                SELECT count(*) FROM pg_shdepend
                WHERE refobjid = 'plimsoll_service'::regrole AND deptype = 'o'
                """
            )
            #expect(try owned?.value(at: 0, as: Int64.self) == 0)
            #expect(try await log.head().position == .start)
        }
    }

    // With an event, and with a record of a command that no event came of.
    @Test(arguments: ["infinity", "-infinity", "10000-01-01 00:00:00+00"])
    func `a time that no entry can say is refused`(time: String) async throws {
        try await withLog { log, session in
            var build = CommandBuilder()
            _ = try await log.append([try build.command(on: .access)])
            let appends: [Statement] = [
                """
                SELECT FROM instance.append_group(
                    0, NULL, ARRAY[gen_random_uuid()], ARRAY[''::bytea], ARRAY[''::bytea],
                    ARRAY[\(time)::timestamptz], ARRAY[1], '{}', '{}', '{}', ARRAY['x'],
                    ARRAY[1::bigint], ARRAY['T'], ARRAY[1], ARRAY[gen_random_uuid()],
                    ARRAY['x'::bytea], '{}', '{}')
                """,
                """
                SELECT FROM instance.append_group(
                    0, NULL, ARRAY[gen_random_uuid()], ARRAY[''::bytea], ARRAY[''::bytea],
                    ARRAY[\(time)::timestamptz], ARRAY[0], '{}', '{}', '{}', '{}', '{}', '{}',
                    '{}', '{}', '{}', '{}', '{}')
                """,
            ]
            for append in appends { try await refused(append, in: session, as: "23514") }
            #expect(try await log.head().position == Position(1))
        }
    }

    // No program appends one; the database may have one from before it refused them.
    @Test func `the log ends where it ends, whatever its last row says beside`() async throws {
        try await withLog { log, _ in
            var build = CommandBuilder()
            _ = try await log.append([try build.command(on: .access)])
            try await tamper(
                """
                ALTER TABLE log.event DROP CONSTRAINT event_recorded_at_check;
                UPDATE log.event SET recorded_at = 'infinity'
                """
            )
            #expect(try await log.head().position == Position(1))
        }
    }

    private func refused(
        _ statement: Statement,
        in session: Session,
        as sqlState: SQLState = "42501"
    ) async throws {
        do throws(PostgresError) {
            try await session.execute(statement)
            Issue.record("\(statement.text) was accepted")
        } catch {
            #expect(error.sqlState == sqlState, "\(statement.text): \(error.debugDescription)")
        }
    }
}
