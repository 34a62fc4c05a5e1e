package import PlimsollPostgres

/// What an account could do to the log beyond appending and reading, whatever role it takes.
package enum LoginPower {
    /// Reads what the account that connects could do, as sentences; none where all is well.
    package static func read(_ connection: ConnectionString) async throws -> [String] {
        try await Session.with(connection, settings: .owner) { session in
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
    /// lets the one of `connection` in. Without it the account of `connection` has to own it, and lets
    /// the role in all the same, for whoever logs in with less later.
    package static func prepare(
        _ connection: ConnectionString,
        migratingWith migration: ConnectionString? = nil
    ) async throws {
        do {
            return try await expectReady(connection)
        } catch let dropped as SettingsDropped {
            throw dropped
        } catch {
            // Whatever else is wrong is found again below, where it can be mended or told.
        }
        try await Session.with(migration ?? connection, settings: .owner) { session in
            if let migration, try await isElsewhere(connection, than: session) {
                throw TwoDatabases(working: connection, migrating: migration)
            }
            try await ServerSafety.check(session)
            try await session.takeOwnRoles()
            try await session.migrate(numbered) { session throws(PostgresError) in
                try await session.admit(try await login(of: connection))
            }
        }
        try await expectReady(connection)
    }

    /// Whether a login leads to another database than a session.
    ///
    /// Nobody can tell where it is not let in yet, or a server does not say which it is. One that does
    /// not answer may be another one, so that ends the look.
    private static func isElsewhere(
        _ connection: ConnectionString,
        than session: Session
    ) async throws -> Bool {
        do {
            let own = try await DatabasePlace(of: session)
            return own != (try await Session.with(connection) { try await DatabasePlace(of: $0) })
        } catch let error as PostgresError where error.leavesPlaceOpen {
            return false
        }
    }

    /// What makes a login a member in full of the roles that it makes, or has made.
    ///
    /// The migrations make roles and give them what they make. From version 16 on the maker of a
    /// role may only grant it, unless it is a superuser, and has to grant it to itself first:
    /// https://www.postgresql.org/docs/16/role-attributes.html
    package static func takingOwnRoles(serverVersion: Int, isSuperuser: Bool) -> [Statement] {
        guard serverVersion >= 160_000, !isSuperuser else { return [] }
        return [
            "SET createrole_self_grant = 'set, inherit'",
            """
            DO $$
            DECLARE
                made name;
            BEGIN
                FOR made IN
                    SELECT rolname FROM pg_catalog.pg_roles
                    WHERE rolname IN ('plimsoll_owner', 'plimsoll_service')
                        AND pg_has_role(oid, 'MEMBER WITH ADMIN OPTION')
                        AND NOT (pg_has_role(oid, 'SET') AND pg_has_role(oid, 'USAGE'))
                LOOP
                    EXECUTE format('GRANT %I TO CURRENT_USER WITH INHERIT TRUE, SET TRUE', made);
                END LOOP;
            END
            $$
            """,
        ]
    }

    /// Refuses a database of an older or a newer program; changes nothing.
    package static func require(_ connection: ConnectionString) async throws {
        try await Session.with(connection, settings: .owner) { session in
            try await session.requireMigrated(numbered)
        }
    }

    /// Refuses a database that the service cannot begin with.
    private static func expectReady(_ connection: ConnectionString) async throws {
        try await Session.with(connection, settings: .service) { session in
            // Before anything is made of what such a session finds.
            try await session.requireServiceRole()
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

    private static var numbered: [Migration] {
        migrations.enumerated().map { index, migration in
            var numbered = Migration(
                version: index + 1,
                name: migration.name,
                sql: migration.sql
            )
            if index == 0 { numbered.predecessors = predecessors }
            return numbered
        }
    }
}

extension PostgresError {
    /// Whether the server does not let the login in, as before a first start, or does not say which
    /// it is: not to this login (42501), or to none.
    fileprivate var leavesPlaceOpen: Bool {
        ["28", "42", "0A"].contains { sqlState?.rawValue.hasPrefix($0) == true }
    }
}

/// Which database of which server a session works with.
///
/// A primary and its standbys count as one, and so does whatever else was copied from it: a standby
/// that was promoted, a base backup, a snapshot of the disk.
private struct DatabasePlace: Equatable {
    let system: Int64
    let name: String

    init(of session: Session) async throws(PostgresError) {
        let row = try await session.first(
            "SELECT system_identifier, current_database()::text FROM pg_catalog.pg_control_system()"
        )
        guard let row else { throw PostgresError(.decoding, "a server is one system") }
        (system, name) = try row.decode((Int64, String).self)
    }
}

/// The two logins lead to two databases, of which one would be changed and the other worked with.
package struct TwoDatabases: Error, Equatable, Sendable, CustomStringConvertible {
    package let working: ConnectionString
    package let migrating: ConnectionString

    package var description: String {
        "PLIMSOLL_DATABASE_URL (\(working)) and PLIMSOLL_MIGRATION_URL (\(migrating)) lead to two"
            + " databases. Nothing was changed; name the same one in both."
    }
}

/// A session began without what it was to begin with: its role, its time-outs, its isolation.
package struct SettingsDropped: Error, Equatable, Sendable, CustomStringConvertible {
    /// As whom it works.
    package let role: String

    package var description: String {
        "Sessions work as \(role), though they ask for the role \(StoreSchema.serviceRole):"
            + " something between the service and PostgreSQL drops what a session begins with, as"
            + " PgBouncer does with \"options\" in ignore_startup_parameters. Give the address of"
            + " PostgreSQL itself."
    }
}

extension Session {
    /// Refuses a session that does not have what ``SessionSettings/service`` says.
    fileprivate func requireServiceRole() async throws {
        let row = try await first("SELECT current_user::text")
        guard let role = try row?.value(at: 0, as: String.self) else {
            throw PostgresError(.decoding, "a SELECT of values answers a row")
        }
        guard role == StoreSchema.serviceRole else { throw SettingsDropped(role: role) }
    }

    /// Sees that the migrations may use the roles that this login makes.
    fileprivate func takeOwnRoles() async throws(PostgresError) {
        let row = try await first(
            """
            SELECT current_setting('server_version_num')::bigint, rolsuper
            FROM pg_catalog.pg_roles WHERE rolname = current_user
            """
        )
        guard let row else { throw PostgresError(.decoding, "whoever logged in is a role") }
        let (version, isSuperuser) = try row.decode((Int, Bool).self)
        for statement in StoreSchema.takingOwnRoles(
            serverVersion: version,
            isSuperuser: isSuperuser
        ) {
            try await execute(statement)
        }
    }

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
    /// Forward only; none is changed once a program has applied it.
    package static let migrations: [(name: String, sql: [UInt8])] = [
        ("m0001_baseline", PackageResources.m0001_baseline_sql),
        ("m0002_downloads", PackageResources.m0002_downloads_sql),
        ("m0003_instances", PackageResources.m0003_instances_sql),
        ("m0004_appends", PackageResources.m0004_appends_sql),
        ("m0005_one_way_in", PackageResources.m0005_one_way_in_sql),
        ("m0006_verifier", PackageResources.m0006_verifier_sql),
        ("m0007_console", PackageResources.m0007_console_sql),
        ("m0008_names", PackageResources.m0008_names_sql),
        ("m0009_times", PackageResources.m0009_times_sql),
    ]

    /// What programs applied before the first release, in place of the baseline.
    ///
    /// They add up to it, save for the comments at its end.
    private static var predecessors: Predecessors {
        let baseline = PackageResources.m0001_baseline_sql
        let comments = baseline.firstRange(of: Array("\nCOMMENT ON ".utf8))?.lowerBound
        return Predecessors(
            digests: [
                "43f6584f2cf04ce7e0aa72595e4efea186bcbc803d000aae72b044c82bfdc58c",
                "4f9fbdd9b736d82fd428fcace137d595f075269e029a6881f529a04ec74cf554",
                "27b8b84c556fe5f3ae2ade22464240108cd6fddfbe4cf5daaba6a03506bd4a8c",
                "7b22925ff93e75ac9bb2266ef661549386482a49974f7e395933f6af7b32aa55",
                "0c8b37ebd11db2b1f47b773609da79a6a6285dcccef3be6e44886f20f9d2b7c8",
                "19f4a5ea9a8d764bcb81e6a6cde40c7c543fe2c8a23229db80726a353db92b28",
                "13c8c0c3e7ce548531b8990a76f18a6ba4ad8e2a38ce8b72d4a2e0adb6167be4",
                "812586ab174f59e4c02391bf0ad794e0f08c4ba4e3d0c24be8089df149fdf41c",
                "75234c0d110790b32f0b734606d6b93bec3e9f6c8527193db983241974019463",
                "776dcd1bd504082384ad0d2a2aac75068ca370569cd3cf7fc6d6037750606470",
                "07a4aee810cc6aac1f5182858bb02f7210bf93eb9d570fa150c1472bbd40492e",
                "ee3a64d222a243cc70ee970add62ae432c0895477361051e8558f38a2ac88790",
            ],
            completion: Array(baseline[(comments ?? baseline.endIndex)...])
        )
    }

    /// The role as which the service works; it owns nothing.
    package static let serviceRole = "plimsoll_service"
}

extension SessionSettings {
    /// Those of the service, in its role.
    package static var service: SessionSettings {
        var settings = owner
        settings.role = StoreSchema.serviceRole
        return settings
    }

    /// Those of whoever owns the database.
    ///
    /// What others may have made in it, such as a function in `public` that fits a call better than the
    /// server's own, is never called.
    package static var owner: SessionSettings {
        var settings = SessionSettings()
        settings.searchPath = "pg_catalog,pg_temp"
        return settings
    }
}
