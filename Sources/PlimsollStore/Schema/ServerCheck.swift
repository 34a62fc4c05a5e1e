package import PlimsollPostgres

/// Why a server must not keep the log.
package enum UnsafeServer: Error, Equatable, Sendable {
    /// A setting with which acknowledged events can be lost.
    case setting(name: String, value: String)
    /// A replica: it may lag, and what is decided on it may never have been.
    case inRecovery
}

extension UnsafeServer: CustomStringConvertible {
    package var description: String {
        switch self {
        case .setting(let name, let value):
            "PostgreSQL runs with \(name) = \(value), which can lose what was acknowledged;"
                + " \(name) = on is needed."
        case .inRecovery:
            "PostgreSQL is a replica or still recovers; the server that takes writes is needed."
        }
    }
}

extension EventLog {
    /// Everything that makes the server unsafe for the log, as this session sees it.
    package func serverFaults() async throws(PostgresError) -> [UnsafeServer] {
        let rows = try await database.query(
            """
            SELECT name, setting FROM pg_catalog.pg_settings
            WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'
            ORDER BY name
            """
        )
        var faults: [UnsafeServer] = []
        for row in rows {
            let (name, value) = try row.decode((String, String).self)
            faults.append(.setting(name: name, value: value))
        }
        let recovery = try await database.first("SELECT pg_catalog.pg_is_in_recovery()")
        if try recovery?.value(at: 0, as: Bool.self) == true { faults.append(.inRecovery) }
        return faults
    }
}
