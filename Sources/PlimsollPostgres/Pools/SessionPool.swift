import Logging
import ServiceLifecycle
import Synchronization

/// A bounded set of sessions that many tasks share.
///
/// A pool works as soon as it is made: a task that finds no idle session connects itself.
/// ``run()`` adds what needs a clock of its own: it keeps a minimum ready, retires old
/// sessions, and stops the pool in good order. While the server is away tasks wait for it up
/// to ``PoolLimits/acquireTimeout``; once it has been away for longer they are refused at once.
package final class SessionPool: Service, Querying {
    package let connection: ConnectionString
    package let settings: SessionSettings
    package let limits: PoolLimits

    /// What a waiting task is told.
    enum Grant: Sendable {
        case session(PoolState.SessionID)
        case connect
        case refused(PoolState.Refusal)
        case late
        case cancelled
    }

    struct Storage: ~Copyable {
        var state: PoolState
        var sessions: [PoolState.SessionID: Session] = [:]
        var waiters: [PoolState.Ticket: Waiter<Grant>] = [:]
        var lastFailure: PostgresError?
    }

    let storage: Mutex<Storage>
    let metrics = PoolMetrics()

    package init(
        _ connection: ConnectionString,
        settings: SessionSettings = SessionSettings(),
        limits: PoolLimits = PoolLimits()
    ) {
        self.connection = connection
        self.settings = settings
        self.limits = limits
        storage = Mutex(Storage(state: PoolState(limits: limits)))
    }

    /// Lends a session to the body, and takes it back whatever happens.
    ///
    /// A transaction that is still open then is rolled back. The session must not be used
    /// after the body.
    package func withSession<Value>(
        _ body: (Session) async throws -> Value
    ) async throws -> Value {
        let (id, session) = try await acquire()
        do {
            let value = try await body(session)
            await giveBack(id, session)
            return value
        } catch {
            await giveBack(id, session)
            throw error
        }
    }

    @discardableResult
    package func query(
        _ statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> [Row] {
        try await once { session throws(PostgresError) in
            try await session.query(statement, timeout: timeout)
        }
    }

    @discardableResult
    package func execute(
        _ statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> Int {
        try await once { session throws(PostgresError) in
            try await session.execute(statement, timeout: timeout)
        }
    }

    private func once<Value>(
        _ body: (Session) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        let (id, session) = try await acquire()
        do throws(PostgresError) {
            let value = try await body(session)
            await giveBack(id, session)
            return value
        } catch {
            await giveBack(id, session)
            throw error
        }
    }

    // MARK: - Service

    /// Looks after the sessions until the service group shuts down, then closes them.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.maintain()
                await nap(until: .now + self.limits.maintenanceInterval)
            }
        }
        await close()
    }

    /// Refuses new tasks, waits a while for the sessions in use, and closes all.
    package func close() async {
        let (idle, waiters) = storage.withLock { storage -> ([Session], [Waiter<Grant>]) in
            let (ids, tickets) = storage.state.close()
            let sessions = ids.compactMap { storage.sessions.removeValue(forKey: $0) }
            return (sessions, tickets.compactMap { storage.waiters.removeValue(forKey: $0) })
        }
        for waiter in waiters { waiter.resume(.refused(.closed)) }
        for session in idle {
            metrics.closed(.shutdown)
            await session.close()
        }
        let deadline = ContinuousClock.now + limits.drainTimeout
        // In a cancelled task there is no waiting: those sessions are closed when they return.
        while storage.withLock({ $0.state.inUseCount > 0 }), .now < deadline, !Task.isCancelled {
            await nap(until: .now + .milliseconds(20))
        }
    }

    private func maintain() async {
        let (retired, wantsMore) = storage.withLock { storage in
            let retired = storage.state.retire(at: .now).map { id, reason in
                (storage.sessions.removeValue(forKey: id), reason)
            }
            metrics.report(storage.state)
            return (retired, storage.state.wantsMore(at: .now))
        }
        for (session, reason) in retired {
            metrics.closed(reason)
            await session?.close()
        }
        guard wantsMore else { return }
        do throws(PostgresError) {
            let (id, session) = try await connect(until: .now + limits.acquireTimeout)
            await giveBack(id, session)
        } catch {
            // Whoever needs a session will be told; here it is only for the log.
            Logger.current.info(
                "no session could be kept ready",
                metadata: ["postgres.error": "\(error)"]
            )
        }
    }
}

/// Sleeps until the instant, or until the task is cancelled.
///
/// Unlike `Task.sleep` it does not throw, and in a cancelled task it returns at once.
func nap(until instant: ContinuousClock.Instant) async {
    await Waiter<Void>().value(until: instant, late: (), cancelled: ())
}
