package import PlimsollPostgres

/// What an account could do to the log beyond appending and reading, whatever role it takes.
package enum LoginPower {
    /// Reads what the account that connects could do, as sentences; none where all is well.
    package static func read(_ connection: ConnectionString) async throws -> [String] {
        try await StoreSchema.withSession(connection) { session in
            guard let row = try await session.first(question) else {
                throw PostgresError(.decoding, "a SELECT of values answers a row")
            }
            let (login, isSuperuser, powers) = try row.decode((String, Bool, [String]).self)
            if isSuperuser {
                return ["\(login) is a superuser: it can change the log and lift its triggers."]
            }
            return powers.map { "\(login) \($0)." }
        }
    }

    /// Looks at every role that the account is a member of, since it can become each of them.
    ///
    /// A superuser is a member of all. Before version 16 a role that may create roles could make itself a member of any other.
    private static var question: Statement {
        """
        WITH reachable AS (
            SELECT * FROM pg_catalog.pg_roles WHERE pg_has_role(session_user, oid, 'MEMBER')
        ), kept AS (
            SELECT c.oid, c.relowner AS owner FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = 'log' AND c.relkind = 'r'
        )
        SELECT session_user::text, bool_or(rolsuper), array_remove(ARRAY[
            CASE WHEN bool_or(oid IN (
                SELECT owner FROM kept
                UNION ALL SELECT nspowner FROM pg_catalog.pg_namespace WHERE nspname = 'log'
            )) THEN 'can become the owner of the log and lift its triggers' END,
            CASE WHEN bool_or(oid = (
                SELECT datdba FROM pg_catalog.pg_database WHERE datname = current_database()
            )) THEN 'owns the database and can drop it' END,
            CASE WHEN bool_or(rolcreaterole) AND current_setting('server_version_num')::int < 160000
                THEN 'may create roles, and so become the owner of the log' END,
            CASE WHEN bool_or(EXISTS (
                SELECT FROM kept WHERE owner <> reachable.oid AND has_table_privilege(
                    reachable.oid, kept.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
            )) THEN 'may write to the tables of the log, past the functions that append' END,
            CASE WHEN bool_or(
                rolname IN ('pg_execute_server_program', 'pg_write_server_files')
            ) THEN 'may write files or run programs on the server, and so change all it keeps' END
        ], NULL)
        FROM reachable
        """
    }
}

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

/// The SQL that makes the database what this program expects.
package enum StoreSchema {
    /// Forward only; none is changed once it has been part of a release.
    package static let migrations: [(name: String, sql: [UInt8])] = [
        ("m0001_log", PackageResources.m0001_log_sql),
        ("m0002_append", PackageResources.m0002_append_sql),
        ("m0003_projection", PackageResources.m0003_projection_sql),
        ("m0004_fold", PackageResources.m0004_fold_sql),
        ("m0005_directory", PackageResources.m0005_directory_sql),
        ("m0006_checkpoints", PackageResources.m0006_checkpoints_sql),
        ("m0007_audit", PackageResources.m0007_audit_sql),
        ("m0008_documents", PackageResources.m0008_documents_sql),
        ("m0009_generations", PackageResources.m0009_generations_sql),
        ("m0010_plain_append", PackageResources.m0010_plain_append_sql),
        ("m0011_revisions", PackageResources.m0011_revisions_sql),
        ("m0012_webhooks", PackageResources.m0012_webhooks_sql),
    ]

    /// What the migrations add up to, as people read it.
    package static let whole: [UInt8] = PackageResources.schema_sql

    /// The role as which the service works; it owns nothing.
    package static let serviceRole = "plimsoll_service"
}
