import Synchronization

/// One session for one task that needs it all the time, opened again whenever it is lost, or the
/// server refused to write.
///
/// It never waits for others as a ``SessionPool`` does, and takes fewer steps for each statement.
/// Nothing is repeated: a statement that was under way when the connection went throws as it does
/// on a ``Session``, and the next one connects anew.
package final class DedicatedSession: Querying {
    /// Unused for so long, the session is looked at before it is used, which costs system calls.
    private static let lookAfter = Duration.milliseconds(500)

    private struct State {
        var session: Session?
        var lastUse = ContinuousClock.now
    }

    private let connection: ConnectionString
    private let settings: SessionSettings
    private let greeting: SessionGreeting?
    private let state = Mutex(State())

    package init(
        _ connection: ConnectionString,
        settings: SessionSettings = SessionSettings(),
        greeting: SessionGreeting? = nil
    ) {
        self.connection = connection
        self.settings = settings
        self.greeting = greeting
    }

    package func outcome(
        of statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> StatementOutcome {
        let session = try await session()
        do throws(PostgresError) {
            return try await session.outcome(of: statement, timeout: timeout)
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

    /// Connects, if need be, which may take seconds that the next statement need not wait then.
    package func connect() async throws(PostgresError) { _ = try await session() }

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
        let session = try await Session.open(connection, settings: settings, greeting: greeting)
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
        try await query(
            """
            SELECT pg_catalog.octet_length(pg_catalog.repeat(pg_catalog.repeat('x', 2000), 2000))
            """
        )
    }
}

/// When to lose patience with a statement.
///
/// First its own deadline passes, or its task is cancelled: the server is asked to stop it, and
/// asked again while it does not; a request can come too early to find the statement. When the
/// grace is over the connection is cut.
struct StatementCancellation: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// What is due.
    enum Action: Equatable {
        case carryOn
        case askToStop
        case cut
    }

    private enum Phase {
        case running(deadline: Instant?)
        case stopping(nextRequest: Instant, end: Instant)
        case cut
    }

    static let requestInterval: Duration = .milliseconds(500)

    private var phase: Phase
    private let grace: Duration

    init(deadline: Instant?, grace: Duration) {
        phase = .running(deadline: deadline)
        self.grace = grace
    }

    var isCut: Bool {
        if case .cut = phase { true } else { false }
    }

    /// Until when to wait for the server before looking at the clock again.
    var nextLook: Instant? {
        switch phase {
        case .running(let deadline): deadline
        case .stopping(let nextRequest, let end): min(nextRequest, end)
        case .cut: nil
        }
    }

    /// Somebody asked the server to stop the statement.
    mutating func stopRequested(at now: Instant) {
        guard case .running = phase else { return }
        phase = .stopping(nextRequest: now + Self.requestInterval, end: now + grace)
    }

    mutating func look(at now: Instant) -> Action {
        switch phase {
        case .running(let deadline):
            guard let deadline, deadline <= now else { return .carryOn }
            stopRequested(at: now)
            return .askToStop
        case .stopping(let nextRequest, let end):
            if end <= now {
                phase = .cut
                return .cut
            }
            guard nextRequest <= now else { return .carryOn }
            phase = .stopping(nextRequest: now + Self.requestInterval, end: end)
            return .askToStop
        case .cut:
            return .carryOn
        }
    }
}
