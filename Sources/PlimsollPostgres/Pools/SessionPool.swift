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
    package let greeting: SessionGreeting?

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
        limits: PoolLimits = PoolLimits(),
        greeting: SessionGreeting? = nil
    ) {
        self.connection = connection
        self.settings = settings
        self.limits = limits
        self.greeting = greeting
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

    package func outcome(
        of statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> StatementOutcome {
        let (id, session) = try await acquire()
        do throws(PostgresError) {
            let outcome = try await session.outcome(of: statement, timeout: timeout)
            await giveBack(id, session)
            return outcome
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

// How a task gets a session and gives it back.
extension SessionPool {
    typealias Lease = (PoolState.SessionID, Session)

    func acquire() async throws(PostgresError) -> Lease {
        let begin = ContinuousClock.now
        let deadline = begin + limits.acquireTimeout
        defer { metrics.waited(.now - begin) }
        while true {
            if let lease = try await attempt(until: deadline) { return lease }
        }
    }

    /// Answers `nil` when the session it got turned out to be dead.
    private func attempt(
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Lease? {
        let (action, waiter, session) = storage.withLock {
            storage -> (PoolState.AcquireAction, Waiter<Grant>?, Session?) in
            let action = storage.state.acquire(at: .now)
            switch action {
            case .wait(let ticket):
                let waiter = Waiter<Grant>()
                storage.waiters[ticket] = waiter
                return (action, waiter, nil)
            case .use(let id, _):
                return (action, nil, storage.sessions[id])
            case .connect, .refuse:
                return (action, nil, nil)
            }
        }
        switch action {
        case .use(let id, let needsProbe):
            guard let session else { return nil }
            return await verify(id, session, needsProbe: needsProbe)
        case .connect:
            return try await connect(until: deadline)
        case .wait(let ticket):
            guard let waiter else { return nil }
            return try await wait(waiter, ticket, until: deadline)
        case .refuse(let refusal):
            throw error(refusal)
        }
    }

    private func verify(
        _ id: PoolState.SessionID,
        _ session: Session,
        needsProbe: Bool
    ) async -> Lease? {
        if await session.isAlive(needsProbe ? .byRoundTrip : .byLooking) { return (id, session) }
        await finish(id, session, .broken)
        return nil
    }

    private func wait(
        _ waiter: Waiter<Grant>,
        _ ticket: PoolState.Ticket,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Lease? {
        let grant = await waiter.value(until: deadline, late: .late, cancelled: .cancelled)
        let session = storage.withLock { storage -> Session? in
            storage.waiters[ticket] = nil
            storage.state.leave(ticket)
            guard case .session(let id) = grant else { return nil }
            return storage.sessions[id]
        }
        switch grant {
        case .session(let id): return session.map { (id, $0) }
        case .connect: return try await connect(until: deadline)
        case .refused(let refusal): throw error(refusal)
        case .late: throw late()
        case .cancelled: throw PostgresError(.cancelled)
        }
    }

    // MARK: - Connecting

    /// Connects, again and again if need be, holding the one right to do so.
    ///
    /// No attempt begins after the deadline, but each has its full time. A task may get the right
    /// when its own time is nearly over; if it broke off then, and the next one did the same, a
    /// server that takes long to connect would never give a session to anybody.
    func connect(until deadline: ContinuousClock.Instant) async throws(PostgresError) -> Lease {
        while true {
            let start = storage.withLock { $0.state.nextAttempt(at: .now) }
            await nap(until: min(start, deadline))
            do throws(PostgresError) {
                guard !Task.isCancelled else { throw PostgresError(.cancelled) }
                guard .now < deadline else { throw late() }
                let session = try await Session.open(
                    connection,
                    settings: settings,
                    until: max(deadline, .now + settings.connectTimeout),
                    greeting: greeting
                )
                return admit(session)
            } catch {
                let isWorthwhile = record(error)
                if !isWorthwhile || !error.mayPass {
                    passOn(storage.withLock { $0.state.connectorGaveUp(at: .now) })
                    throw error
                }
            }
        }
    }

    private func admit(_ session: Session) -> Lease {
        metrics.connected()
        let (id, action) = storage.withLock { storage in
            storage.lastFailure = nil
            let (id, action) = storage.state.connected(
                at: .now,
                chance: .random(in: 0...1)
            )
            storage.sessions[id] = session
            return (id, action)
        }
        passOn(action)
        return (id, session)
    }

    /// Answers whether another attempt is worthwhile.
    private func record(_ error: PostgresError) -> Bool {
        guard error.kind != .cancelled, error.kind != .timedOut(.pool) else { return false }
        metrics.connectFailed()
        return storage.withLock { storage in
            storage.lastFailure = error
            return storage.state.connectFailed(at: .now, chance: .random(in: 0...1))
        }
    }

    /// Tells whoever is concerned; one who has left meanwhile hands the right on.
    private func passOn(_ action: PoolState.ConnectorAction) {
        var action = action
        while true {
            switch action {
            case .rest:
                return
            case .refuse(let tickets):
                let waiters = storage.withLock { storage in
                    tickets.compactMap { storage.waiters.removeValue(forKey: $0) }
                }
                for waiter in waiters { waiter.resume(.refused(.outage)) }
                return
            case .appoint(let ticket):
                let waiter = storage.withLock { $0.waiters.removeValue(forKey: ticket) }
                if waiter?.resume(.connect) == true { return }
                action = storage.withLock { $0.state.connectorGaveUp(at: .now) }
            }
        }
    }

    // MARK: - Giving back

    func giveBack(_ id: PoolState.SessionID, _ session: Session) async {
        let isSound = await session.tidyUp()
        await finish(id, session, isSound ? .sound : .broken)
    }

    private func finish(
        _ id: PoolState.SessionID,
        _ session: Session,
        _ condition: PoolState.ReturnCondition
    ) async {
        while true {
            let (action, waiter) = storage.withLock {
                storage -> (PoolState.ReleaseAction, Waiter<Grant>?) in
                let action = storage.state.release(id, condition, at: .now)
                switch action {
                case .keep:
                    return (action, nil)
                case .hand(_, let ticket):
                    return (action, storage.waiters.removeValue(forKey: ticket))
                case .close:
                    storage.sessions[id] = nil
                    return (action, nil)
                }
            }
            switch action {
            case .keep:
                return
            case .hand:
                // One who has just left does not take it: the next one may.
                if waiter?.resume(.session(id)) == true { return }
            case .close(_, let reason):
                metrics.closed(reason)
                await session.close()
                passOn(storage.withLock { $0.state.closed() })
                return
            }
        }
    }

    // MARK: - Errors

    private func error(_ refusal: PoolState.Refusal) -> PostgresError {
        switch refusal {
        case .closed:
            return PostgresError(.closed, "the pool has stopped")
        case .tooManyWaiting:
            return PostgresError(.timedOut(.pool), "too many tasks wait for a session")
        case .outage:
            let last = storage.withLock { $0.lastFailure }
            return last ?? PostgresError(.connectFailed, "the server is away")
        }
    }

    private func late() -> PostgresError {
        let last = storage.withLock { $0.lastFailure }
        return PostgresError(
            .timedOut(.pool),
            last?.note ?? "no session came free in time",
            server: last?.server
        )
    }
}

extension PostgresError {
    /// Whether a failure to connect may be gone in a moment: not a wrong password, nor a
    /// database that is not there, nor a pooler that does not take what sessions begin with.
    package var mayPass: Bool {
        guard let sqlState else { return true }
        let isRefused = sqlState.rawValue.hasPrefix("28") || ["3D000", "08P01"].contains(sqlState)
        return !isRefused && kind != .closed
    }
}
