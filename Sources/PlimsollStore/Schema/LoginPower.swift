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
