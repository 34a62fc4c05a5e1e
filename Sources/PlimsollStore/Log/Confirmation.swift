import PlimsollPostgres

extension EventLog {
    /// Returns once this server could have acknowledged an append.
    ///
    /// A primary that was frozen while its standby took over answers questions for a while, and
    /// lacks what was acknowledged since; no standby confirms what it commits. What its session
    /// reads after this is no older than what anybody was answered before, and what it had read
    /// before this is not lost with it.
    func confirm(timeout: Duration = Self.appendTimeout) async throws(PostgresError) {
        try await database.query(.confirmation, timeout: timeout)
    }
}

extension Session {
    /// How long a standby may take to confirm a commit of a few bytes.
    private static let confirmationTimeout = Duration.seconds(2)

    /// Whether the server waits for a standby with each commit.
    func waitsForStandby() async throws(PostgresError) -> Bool {
        let row = try await first(
            """
            SELECT current_setting('synchronous_standby_names') <> ''
                AND current_setting('synchronous_commit') NOT IN ('off', 'local')
            """
        )
        return try row?.value(at: 0) == true
    }

    /// The same, and whether one confirms.
    func isConfirmedByStandby() async throws(PostgresError) -> Bool {
        guard try await waitsForStandby() else { return false }
        let start = ContinuousClock.now
        do throws(PostgresError) {
            try await query(.confirmation, timeout: Self.confirmationTimeout)
        } catch  where error.kind == .timedOut(.statement) {
            return false
        }
        // A commit that is cancelled while it waits is said to have succeeded.
        return ContinuousClock.now - start < Self.confirmationTimeout
    }
}

extension Statement {
    /// Writes what nobody reads, so that a commit waits for the standbys that appends wait for.
    fileprivate static let confirmation: Statement =
        "SELECT pg_logical_emit_message(true, 'plimsoll', '')"
}
