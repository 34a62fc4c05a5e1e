import CLibPQ
import Synchronization

/// One connection to PostgreSQL.
///
/// Operations take turns: several tasks may use a session, each waits until the one before it
/// has its whole result. Cancelling a task cancels its statement on the server. When the
/// connection is lost, every operation throws ``PostgresError/Kind/connectionLost`` or, later,
/// ``PostgresError/Kind/closed``; a session does not come back, a pool gives a new one.
package actor Session: Querying {
    package nonisolated let settings: SessionSettings
    /// The number of the server process, as in `pg_stat_activity`.
    package nonisolated let processID: Int

    let turn = Turn()
    var connection: ConnectionHandle
    /// `nil` when the connection is gone.
    var descriptor: WatchedDescriptor?
    let cancelKey: CancelKey
    var prepared: StatementCache
    var operation: Operation?
    /// What made the open transaction fail.
    var transactionFailure: PostgresError?
    /// Whether the server was told to be more patient than usual.
    var hasExtendedTimeout = false
    /// A stream that its reader left early; whoever has the next turn clears it away.
    nonisolated let leftover = Mutex<CancelBox?>(nil)

    private init(_ established: consuming EstablishedConnection, _ settings: SessionSettings) {
        self.settings = settings
        descriptor = established.descriptor
        cancelKey = established.cancelKey
        connection = established.handle
        processID = connection.processID
        prepared = StatementCache(capacity: settings.preparedStatementsMaximum)
    }

    /// Connects, trying each address of each host in their order.
    package static func open(
        _ connection: ConnectionString,
        settings: SessionSettings = SessionSettings(),
        until deadline: ContinuousClock.Instant? = nil
    ) async throws(PostgresError) -> Session {
        let plan = try ConnectionPlan(connection, settings)
        let connecting = Connecting(plan: plan, deadline: deadline)
        return Session(try await connecting.establish(), settings)
    }

    /// Ends the session, after the operations that wait for their turn already.
    package func close() async {
        // Without a deadline, and deaf to cancellation, this does not throw.
        try? await turn.take(until: nil, .ignored)
        breakOff()
        turn.give()
    }

    /// Lets go of the connection.
    ///
    /// Whatever comes after finds it broken.
    func breakOff() {
        descriptor = nil
        connection.close()
    }

    @discardableResult
    package func query(
        _ statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> [Row] {
        try await run(statement, timeout: timeout).rows
    }

    @discardableResult
    package func execute(
        _ statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> Int {
        try await run(statement, timeout: timeout).affected
    }

    /// Runs a file of statements, one after the other; the first that fails ends it.
    ///
    /// Without a transaction around it, PostgreSQL makes the whole file one.
    package func script(
        _ statement: Statement,
        timeout: Duration? = nil
    ) async throws(PostgresError) {
        guard statement.parameters.count == 0 else {
            throw PostgresError(.misuse, "a script has no parameters", statement: statement.text)
        }
        try await perform(statement.text, timeout: timeout ?? settings.statementTimeout) {
            () async throws(PostgresError) in
            try await self.dispatch { $0.send(script: statement.text) }
            _ = try await self.receiveOutcome(of: statement)
        }
    }
}
