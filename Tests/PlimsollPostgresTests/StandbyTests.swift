import PlimsollPostgres
import PlimsollTestSupport
import Testing

/// Commits that wait for a standby that is not there.
@Suite(.timeLimit(.minutes(5)))
struct StandbyTests {
    // Goal: what a standby has not is neither acknowledged nor shown. Method: a write takes too
    // long, on a server that waits for a standby nobody runs.
    @Test func `a write that waits for its standby in vain is not made to count`() async throws {
        try await withLonelyPrimary { (server, reader) async throws in
            #expect(try await outcome(on: server, cancelGrace: nil) == .timedOut(.statement))
            let isWaiting = await eventually {
                let rows = try? await reader.query(
                    """
                    SELECT FROM pg_stat_activity
                    WHERE wait_event = 'SyncRep' AND query LIKE 'INSERT%'
                    """
                )
                return rows?.count == 1
            }
            #expect(isWaiting)
            #expect(try await reader.query("SELECT n FROM item").isEmpty)
        }
    }

    // The negative control, and why no append is ever cancelled.
    @Test func `a cancel makes it count, and has it acknowledged`() async throws {
        try await withLonelyPrimary { (server, reader) async throws in
            #expect(try await outcome(on: server, cancelGrace: .seconds(30)) == nil)
            #expect(try await reader.query("SELECT n FROM item").count == 1)
        }
    }

    /// Writes a row, for which there is a moment; answers why that failed.
    private func outcome(
        on server: ScratchDatabaseServer,
        cancelGrace: Duration?
    ) async throws -> PostgresError.Kind? {
        var settings = SessionSettings()
        settings.statementTimeout = .milliseconds(500)
        settings.cancelGrace = cancelGrace
        let session = try await Session.open(server.connection, settings: settings)
        var kind: PostgresError.Kind?
        do throws(PostgresError) {
            try await session.query("INSERT INTO item VALUES (1)")
        } catch {
            kind = error.kind
        }
        await session.close()
        return kind
    }

    private func withLonelyPrimary(
        _ body: (ScratchDatabaseServer, Session) async throws -> Void
    ) async throws {
        let settings = ["synchronous_standby_names=nobody"]
        try await ScratchDatabaseServer.with(settings: settings) { server in
            let reader = try await Session.open(server.connection)
            try await reader.execute("SET synchronous_commit = local")
            try await reader.execute("CREATE TABLE item (n bigint)")
            try await body(server, reader)
            await reader.close()
        }
    }
}
