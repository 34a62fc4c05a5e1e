package import PlimsollPostgres
import Testing

/// What an account that may only append and read has to be refused.
package enum ForbiddenStatements {
    private static let all: [Statement] = becoming + lifting + changing

    /// Fails the test unless the session is refused all of them, for want of rights.
    package static func expectRefused(in session: Session) async {
        for statement in all {
            do throws(PostgresError) {
                try await session.execute(statement)
                Issue.record("\(statement.text) was accepted")
            } catch {
                #expect(error.sqlState == "42501", "\(statement.text): \(error.debugDescription)")
            }
        }
    }

    /// Ways to become somebody else.
    private static let becoming: [Statement] = [
        "SET ROLE plimsoll_owner", "SET SESSION AUTHORIZATION plimsoll_owner",
        "GRANT plimsoll_owner TO session_user", "ALTER ROLE session_user SUPERUSER",
        "ALTER ROLE session_user CREATEROLE", "ALTER ROLE session_user BYPASSRLS",
        "CREATE ROLE plimsoll_intruder", "ALTER ROLE plimsoll_owner LOGIN",
        "ALTER SYSTEM SET fsync = off", "COPY log.event TO PROGRAM 'true'",
        "COPY log.event TO '/tmp/plimsoll-intruder'",
    ]

    /// Ways to lift what keeps the log as it is.
    private static let lifting: [Statement] = [
        "ALTER TABLE log.event DISABLE TRIGGER ALL",
        "ALTER TABLE log.event DISABLE TRIGGER event_refuse_change",
        "DROP TRIGGER event_refuse_change ON log.event",
        "SET session_replication_role = replica",
        "ALTER ROLE session_user SET session_replication_role = replica",
        "ALTER TABLE log.event OWNER TO session_user",
        "ALTER SCHEMA log OWNER TO session_user",
        """
        CREATE OR REPLACE FUNCTION log.refuse_change() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN RETURN NULL; END'
        """,
        "ALTER FUNCTION instance.append_one SECURITY INVOKER", "DROP FUNCTION instance.append_one",
        "CREATE TABLE log.more (id integer)",
        "CREATE RULE quiet AS ON INSERT TO log.event DO INSTEAD NOTHING",
        "CREATE POLICY none ON log.event USING (false)",
    ]

    /// Ways to change what was recorded, or to record it past the functions that append.
    private static let changing: [Statement] =
        tables.flatMap { table -> [Statement] in
            [
                "UPDATE log.\(identifier: table) SET \(identifier: column(table)) = NULL",
                "DELETE FROM log.\(identifier: table)", "TRUNCATE log.\(identifier: table)",
                "INSERT INTO log.\(identifier: table) DEFAULT VALUES",
                "DROP TABLE log.\(identifier: table)",
            ]
        } + [
            "DROP SCHEMA log CASCADE", "DROP OWNED BY plimsoll_owner",
            "REASSIGN OWNED BY plimsoll_owner TO session_user",
            "DELETE FROM public.plimsoll_migration",
        ]

    private static let tables = ["event", "command", "checkpoint", "cosignature", "overruled"]

    private static func column(_ table: String) -> String {
        table == "event" || table == "command" ? "recorded_at" : "created_at"
    }
}
