import PlimsollPostgres

/// Which life of a database a server goes on with.
///
/// A standby that is promoted begins a timeline of its own. The primary that it replaced has still the
/// former one, and where it wakes it takes itself for the database until somebody tells it.
struct ServerTimeline: Hashable, Sendable {
    /// The same for a primary and its standbys.
    let system: Int64
    let number: Int32

    init(system: Int64, number: Int32) {
        (self.system, self.number) = (system, number)
    }

    /// Asks the server; `nil` for a standby, and where it does not say.
    init?(of session: Session) async throws(PostgresError) {
        let row: Row?
        do throws(PostgresError) {
            row = try await session.first(
                """
                SELECT system_identifier,
                    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer
                FROM pg_control_system() WHERE NOT pg_is_in_recovery()
                """
            )
        } catch  where error.kind == .server {
            return nil
        }
        guard let row else { return nil }
        system = try row.value(at: 0)
        number = try row.value(at: 1)
    }

    /// Whether another server of the same database was promoted since.
    func isReplaced(by other: ServerTimeline) -> Bool {
        system == other.system && number < other.number
    }
}

extension Session {
    /// Refuses, as if it could not be reached, a server that follows another one.
    func requireLeading() async throws(PostgresError) {
        let row = try await first("SELECT pg_is_in_recovery()")
        guard try row?.value(at: 0) == true else { return }
        throw PostgresError(
            .connectFailed,
            "this server is a standby or still recovers, and takes no writes"
        )
    }
}
