package import PlimsollDomain
package import PlimsollLog
import PlimsollPostgres

extension EventLog {
    /// Of so many records no more are named; there is no reason for even one.
    private static let straysMaximum = 100

    /// The records of commands that no entry names: no event came of them, or they speak of events
    /// that there are not.
    ///
    /// The service makes none. A record and its events are written at once, so whoever sees the one
    /// sees the others. What the records of the first so many events say is looked at by
    /// ``verify(with:)``.
    package func strayCommands(behind size: Int) async throws(LogError) -> [CommandID] {
        try await reading { () async throws(PostgresError) in
            try await database.query(
                """
                SELECT c.command_id FROM log.command c
                WHERE (c.first_position IS NULL OR c.first_position > \(Int64(size)))
                    AND NOT EXISTS (
                        SELECT FROM log.event e
                        WHERE e.position = c.first_position AND e.command_id = c.command_id
                    )
                ORDER BY c.recorded_at, c.command_id LIMIT \(Int64(Self.straysMaximum))
                """,
                timeout: Self.scanTimeout
            ).map { row throws(PostgresError) in CommandID(try row.value(at: 0)) }
        }
    }

    /// Over how many events checkpoints are recorded that are not as the log's key signed them; where it
    /// is not known, only those that contradict themselves.
    ///
    /// The service makes none, but its login can, so they accuse no event.
    package func strayCheckpoints(signedBy key: VerifierKey?) async throws(LogError) -> [Int] {
        try await copying { session in
            try await RecordedCheckpoint.fold(on: session, into: []) { strays, recorded in
                guard strays.count < Self.straysMaximum, !recorded.isSigned(by: key) else { return }
                strays.append(recorded.size)
            }
        }
    }
}
