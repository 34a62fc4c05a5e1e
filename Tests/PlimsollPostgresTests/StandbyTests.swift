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
            let kind = try await outcome(on: server, within: .milliseconds(500), cancelGrace: nil)
            #expect(kind == .timedOut(.statement))
            #expect(await isWaiting(seenBy: reader))
            #expect(try await reader.query("SELECT n FROM item").isEmpty)
        }
    }

    // The negative control, and why no append is ever cancelled.
    @Test func `a cancel makes it count, and has it acknowledged`() async throws {
        try await withLonelyPrimary { (server, reader) async throws in
            try await withThrowingTaskGroup(of: PostgresError.Kind?.self) { group in
                group.addTask {
                    try await outcome(on: server, within: .seconds(240), cancelGrace: .seconds(30))
                }
                #expect(await isWaiting(seenBy: reader))
                group.cancelAll()
                for try await kind in group { #expect(kind == nil) }
            }
            #expect(try await reader.query("SELECT n FROM item").count == 1)
        }
    }

    /// Whether a write comes to wait for its standby, as a reader sees it.
    private func isWaiting(seenBy reader: Session) async -> Bool {
        await eventually {
            let rows = try? await reader.query(
                """
                SELECT FROM pg_stat_activity
                WHERE wait_event = 'SyncRep' AND query LIKE 'INSERT%'
                """
            )
            return rows?.count == 1
        }
    }

    /// Writes a row within a time; answers why that failed.
    private func outcome(
        on server: ScratchDatabaseServer,
        within timeout: Duration,
        cancelGrace: Duration?
    ) async throws -> PostgresError.Kind? {
        var settings = SessionSettings()
        settings.statementTimeout = timeout
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
            let reader = try await server.open()
            try await reader.execute("SET synchronous_commit = local")
            try await reader.execute("CREATE TABLE item (n bigint)")
            try await body(server, reader)
            await reader.close()
        }
    }
}
