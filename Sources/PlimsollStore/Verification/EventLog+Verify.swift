import PlimsollDomain
import PlimsollLog
import PlimsollPostgres

extension EventLog {
    /// Recomputes everything that the log promises, and names the first event that does not fit.
    ///
    /// Positions and revisions without holes, entries in canonical form, columns that say what
    /// the entries say, times, hashes, the tree, and the commands' records. It throws only where
    /// the log could not be read.
    package func verify() async throws(LogError) -> LogVerification {
        try await copying { session in
            do {
                let verifier = try await session.copyOut(
                    """
                    COPY (
                        SELECT position, stream, revision, type, event_id, command_id, recorded_at,
                            entry, leaf_hash
                        FROM log.event ORDER BY position
                    ) TO STDOUT (FORMAT binary)
                    """,
                    into: LogVerifier(),
                    timeout: Self.scanTimeout
                ) { verifier, row in
                    try verifier.take(try LogRow(&row))
                }
                if let stray = try await strayCommand(session, upTo: verifier.frontier.size) {
                    return .broken(stray, .command)
                }
                return .sound(verifier.frontier.root)
            } catch let found as LogFlawFound {
                return .broken(found.position, found.flaw)
            }
        }
    }

    /// Where the first command stands whose record does not cover exactly its events.
    ///
    /// What was appended since the scan began is left out.
    private func strayCommand(
        _ session: Session,
        upTo size: Int
    ) async throws(PostgresError) -> Position? {
        let row = try await session.first(
            """
            SELECT min(coalesce(events.first_position, command.first_position))
            FROM log.command
            FULL JOIN (
                SELECT command_id, min(position) AS first_position, max(position) AS last_position,
                    count(*) AS count
                FROM log.event WHERE position <= \(Int64(size)) GROUP BY command_id
            ) AS events USING (command_id)
            WHERE (command.first_position IS NULL OR command.first_position <= \(Int64(size)))
                AND (
                    events.first_position IS DISTINCT FROM command.first_position
                    OR events.last_position <> command.last_position
                    OR events.count <> events.last_position - events.first_position + 1
                )
            """,
            timeout: Self.scanTimeout
        )
        guard let position: Int64 = try row?.value(at: 0, as: Int64?.self) else { return nil }
        return try Position(row: position)
    }
}
