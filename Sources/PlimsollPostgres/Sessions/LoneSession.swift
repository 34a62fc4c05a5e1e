import Synchronization

/// One session for one task that needs it all the time, opened again whenever it is lost.
///
/// It never waits for others as a ``SessionPool`` does, and takes fewer steps for each statement.
/// Nothing is repeated: a statement that was under way when the connection went throws as it does
/// on a ``Session``, and the next one connects anew.
package final class LoneSession: Querying {
    /// Unused for so long, the session is looked at before it is used, which costs system calls.
    private static let lookAfter = Duration.milliseconds(500)

    private struct State {
        var session: Session?
        var lastUse = ContinuousClock.now
    }

    private let connection: ConnectionString
    private let settings: SessionSettings
    private let state = Mutex(State())

    package init(_ connection: ConnectionString, settings: SessionSettings = SessionSettings()) {
        self.connection = connection
        self.settings = settings
    }

    @discardableResult
    package func query(
        _ statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> [Row] {
        let session = try await session()
        do throws(PostgresError) {
            return try await session.query(statement, timeout: timeout)
        } catch {
            await dropIfBroken(session)
            throw error
        }
    }

    @discardableResult
    package func execute(
        _ statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> Int {
        let session = try await session()
        do throws(PostgresError) {
            return try await session.execute(statement, timeout: timeout)
        } catch {
            await dropIfBroken(session)
            throw error
        }
    }

    /// Runs the body in a transaction, as ``Session`` does.
    package func withTransaction<Value>(
        isolation: Isolation = .readCommitted,
        access: TransactionAccess = .readWrite,
        attempts: Int = TransactionRetry.attemptsDefault,
        _ body: (Transaction) async throws -> Value
    ) async throws -> Value {
        let session = try await session()
        do {
            return try await session.withTransaction(
                isolation: isolation,
                access: access,
                attempts: attempts,
                body
            )
        } catch {
            await dropIfBroken(session)
            throw error
        }
    }

    /// Ends the session; a later statement would open another one.
    package func close() async {
        let session = state.withLock { $0.session.take() }
        await session?.close()
    }

    private func session() async throws(PostgresError) -> Session {
        let now = ContinuousClock.now
        let (kept, isFresh) = state.withLock { state in
            defer { state.lastUse = now }
            return (state.session, now - state.lastUse < Self.lookAfter)
        }
        if let kept {
            if isFresh { return kept }
            await dropIfBroken(kept)
            if let kept = state.withLock({ $0.session }) { return kept }
        }
        let session = try await Session.open(connection, settings: settings)
        try await session.warmUp()
        state.withLock { $0.session = session }
        return session
    }

    private func dropIfBroken(_ session: Session) async {
        // What is under way on it finds out by itself.
        guard await !session.isBusy, await !session.isAlive(.byLooking) else { return }
        state.withLock { state in
            if state.session === session { state.session = nil }
        }
        await session.close()
    }
}

extension Session {
    /// Lets the server's process keep the memory that it gives back after each statement.
    ///
    /// glibc's `malloc` returns what is free at its end to the kernel, and has to ask for it again
    /// with the next statement; after a large piece was freed once it keeps as much.
    fileprivate func warmUp() async throws(PostgresError) {
        try await query("SELECT pg_catalog.length(pg_catalog.repeat('x', 4000000))")
    }
}
