package import PlimsollPostgres

extension StoreSchema {
    /// Brings a database to the shape this program expects, and sees that the server is safe.
    ///
    /// Nothing is done where the service can begin at once, with the role ``serviceRole``. Else the
    /// account of `migration` is logged in for as long as it takes: it has to own the database, and
    /// lets the one of `connection` in. Without it the account of `connection` has to own it.
    package static func prepare(
        _ connection: ConnectionString,
        migratingWith migration: ConnectionString? = nil
    ) async throws {
        // Whatever is wrong is found again below, where it can be mended or told.
        if (try? await expectReady(connection)) != nil { return }
        guard let migration else {
            return try await withSession(connection) { session in
                try await ServerSafety.check(session)
                try await session.migrate(numbered)
            }
        }
        try await withSession(migration) { session in
            try await ServerSafety.check(session)
            try await session.migrate(numbered) { session throws(PostgresError) in
                try await session.admit(try await login(of: connection))
            }
        }
        try await expectReady(connection)
    }

    /// Refuses a database of an older or a newer program; changes nothing.
    package static func require(_ connection: ConnectionString) async throws {
        try await withSession(connection) { try await $0.requireMigrated(numbered) }
    }

    /// Refuses a database that the service cannot begin with.
    private static func expectReady(_ connection: ConnectionString) async throws {
        var settings = SessionSettings()
        settings.role = serviceRole
        try await withSession(connection, settings) { session in
            try await ServerSafety.check(session)
            try await session.requireMigrated(numbered)
        }
    }

    /// Who logs in, by the server's word where the address does not say it.
    private static func login(
        of connection: ConnectionString
    ) async throws(PostgresError) -> String {
        if let user = connection.user { return user }
        let session = try await Session.open(connection)
        let row: Row?
        do throws(PostgresError) {
            row = try await session.first("SELECT session_user::text")
        } catch {
            await session.close()
            throw error
        }
        await session.close()
        guard let row else { throw PostgresError(.decoding, "a SELECT of values answers a row") }
        return try row.value(at: 0)
    }

    static func withSession<Answer>(
        _ connection: ConnectionString,
        _ settings: SessionSettings = SessionSettings(),
        _ body: (Session) async throws -> Answer
    ) async throws -> Answer {
        let session = try await Session.open(connection, settings: settings)
        do {
            let answer = try await body(session)
            await session.close()
            return answer
        } catch {
            await session.close()
            throw error
        }
    }

    private static var numbered: [Migration] {
        migrations.enumerated().map { index, migration in
            Migration(version: index + 1, name: migration.name, sql: migration.sql)
        }
    }
}

extension Session {
    /// Lets an account work as the service, which may append and read; what it may do already is
    /// left as it is, so that nobody needs more rights than are missing.
    fileprivate func admit(_ login: String) async throws(PostgresError) {
        let row = try await first(
            """
            SELECT has_schema_privilege('plimsoll_service', 'public', 'USAGE'),
                has_table_privilege('plimsoll_service', 'public.plimsoll_migration', 'SELECT'),
                rolcanlogin, pg_has_role(oid, 'plimsoll_service', 'MEMBER')
            FROM pg_catalog.pg_roles WHERE rolname = \(login)
            """
        )
        guard let row else {
            throw PostgresError(.server, "there is no account \(login) that the service could use")
        }
        let (seesPublic, seesVersion, logsIn, isMember) = try row.decode(
            (Bool, Bool, Bool, Bool).self
        )
        if !seesPublic { try await execute("GRANT USAGE ON SCHEMA public TO plimsoll_service") }
        if !seesVersion {
            try await execute("GRANT SELECT ON public.plimsoll_migration TO plimsoll_service")
        }
        if !logsIn { try await execute("ALTER ROLE \(identifier: login) LOGIN") }
        if !isMember { try await execute("GRANT plimsoll_service TO \(identifier: login)") }
    }
}
