import FoundationEssentials
import Metrics

/// Decides what a pool does, without doing it.
///
/// Sessions and tasks are numbers here, time and chance come in with each event, and what has
/// to be done comes out. Invariants: an idle session and a waiting task are never there
/// together; at most one task connects at a time, because a storm of connects starves the
/// sessions that are in use.
struct PoolState: ~Copyable {
    typealias Instant = ContinuousClock.Instant

    struct SessionID: Hashable, Sendable { let number: Int }
    struct Ticket: Hashable, Sendable { let number: Int }

    enum Refusal: Sendable, Equatable {
        case closed
        case tooManyWaiting
        /// The server has been away for longer than a task would wait.
        case outage
    }

    enum AcquireAction: Equatable {
        case use(SessionID, needsProbe: Bool)
        /// The asking task connects, and has the session when it succeeds.
        case connect
        case wait(Ticket)
        case refuse(Refusal)
    }

    enum ReleaseAction: Equatable {
        case keep
        case hand(SessionID, to: Ticket)
        case close(SessionID, reason: CloseReason)
    }

    /// What becomes of the right to connect, when the task that had it is through.
    enum ConnectorAction: Equatable {
        case rest
        case appoint(Ticket)
        case refuse([Ticket])
    }

    enum CloseReason: String, Sendable {
        case broken, expired, idle, shutdown
    }

    enum ReturnCondition: Sendable {
        case sound, broken
    }

    private struct Idle {
        let id: SessionID
        let since: Instant
    }

    private struct Outage {
        let since: Instant
        var failures: Int
        var retryAt: Instant
    }

    let limits: PoolLimits
    /// Used from the end, so that busy sessions stay busy and the others can go.
    private var idle: [Idle] = []
    private var inUse: Set<SessionID> = []
    private var expiry: [SessionID: Instant] = [:]
    private var waiting: [Ticket] = []
    private var isConnecting = false
    private var outage: Outage?
    private var lastNumber = 0
    private(set) var isClosed = false

    init(limits: PoolLimits) {
        self.limits = limits
    }

    var idleCount: Int { idle.count }
    var inUseCount: Int { inUse.count }
    var waitingCount: Int { waiting.count }

    private var hasRoom: Bool {
        idle.count + inUse.count + (isConnecting ? 1 : 0) < limits.sessionsMaximum
    }

    // MARK: - A task wants a session

    mutating func acquire(at now: Instant) -> AcquireAction {
        guard !isClosed else { return .refuse(.closed) }
        if let top = idle.popLast() {
            inUse.insert(top.id)
            return .use(top.id, needsProbe: now - top.since >= limits.probeAfter)
        }
        if let outage, isEstablished(outage, at: now), isConnecting || now < outage.retryAt {
            return .refuse(.outage)
        }
        if hasRoom, !isConnecting {
            isConnecting = true
            return .connect
        }
        guard waiting.count < limits.waitersMaximum else { return .refuse(.tooManyWaiting) }
        lastNumber += 1
        waiting.append(Ticket(number: lastNumber))
        return .wait(Ticket(number: lastNumber))
    }

    /// A waiting task gave up.
    mutating func leave(_ ticket: Ticket) {
        waiting.removeAll { $0 == ticket }
    }

    // MARK: - A task connects

    /// When the connecting task may try: now, or after the pause that failures demand.
    func nextAttempt(at now: Instant) -> Instant {
        max(outage?.retryAt ?? now, now)
    }

    /// The connecting task has its session; it is in use.
    ///
    /// `chance` is from 0 to 1.
    mutating func connected(at now: Instant, chance: Double) -> (SessionID, ConnectorAction) {
        lastNumber += 1
        let id = SessionID(number: lastNumber)
        outage = nil
        inUse.insert(id)
        expiry[id] = now + limits.lifetimeMaximum * (1 - chance / 20)
        return (id, passOnConnecting())
    }

    /// Answers whether the connecting task should try again.
    mutating func connectFailed(at now: Instant, chance: Double) -> Bool {
        var next = outage ?? Outage(since: now, failures: 0, retryAt: now)
        let doubled = limits.backoffMinimum * (1 << min(next.failures, 20))
        next.failures += 1
        next.retryAt = now + min(doubled, limits.backoffMaximum) * (0.9 + chance / 5)
        outage = next
        return !isClosed && !isEstablished(next, at: now)
    }

    /// The connecting task stops trying: its time is over, or the outage is established.
    mutating func connectorGaveUp(at now: Instant) -> ConnectorAction {
        if let outage, isEstablished(outage, at: now) {
            isConnecting = false
            defer { waiting = [] }
            return .refuse(waiting)
        }
        return passOnConnecting()
    }

    /// Answers who connects next: somebody, as long as somebody waits and there is room.
    private mutating func passOnConnecting() -> ConnectorAction {
        isConnecting = false
        guard !isClosed, hasRoom, !waiting.isEmpty else { return .rest }
        isConnecting = true
        return .appoint(waiting.removeFirst())
    }

    private func isEstablished(_ outage: Outage, at now: Instant) -> Bool {
        now - outage.since >= limits.acquireTimeout
    }

    // MARK: - A session comes back

    mutating func release(
        _ id: SessionID,
        _ condition: ReturnCondition,
        at now: Instant
    ) -> ReleaseAction {
        guard condition == .sound, !isClosed, now < expiry[id] ?? now else {
            inUse.remove(id)
            expiry[id] = nil
            let reason: CloseReason = condition == .sound ? .expired : .broken
            return .close(id, reason: isClosed ? .shutdown : reason)
        }
        guard waiting.isEmpty else { return .hand(id, to: waiting.removeFirst()) }
        inUse.remove(id)
        idle.append(Idle(id: id, since: now))
        return .keep
    }

    /// A session went away; answers who may connect in its place.
    mutating func closed() -> ConnectorAction {
        isConnecting ? .rest : passOnConnecting()
    }

    // MARK: - Looking after sessions

    /// Takes out the idle sessions that are too old or were not needed.
    mutating func retire(at now: Instant) -> [(SessionID, CloseReason)] {
        var retired: [(SessionID, CloseReason)] = []
        var spare = idle.count + inUse.count - limits.sessionsMinimum
        // The longest unused lie at the beginning.
        idle.removeAll { session in
            if now >= expiry[session.id] ?? now {
                retired.append((session.id, .expired))
                spare -= 1
                return true
            }
            guard spare > 0, now - session.since >= limits.idleTimeout else { return false }
            retired.append((session.id, .idle))
            spare -= 1
            return true
        }
        for (id, _) in retired { expiry[id] = nil }
        return retired
    }

    /// Answers whether the pool itself should connect, to have its minimum ready.
    mutating func wantsMore(at now: Instant) -> Bool {
        guard !isClosed, !isConnecting, now >= outage?.retryAt ?? now,
            idle.count + inUse.count < limits.sessionsMinimum
        else { return false }
        isConnecting = true
        return true
    }

    /// Refuses everything from now on; answers what is to be closed and told.
    mutating func close() -> (sessions: [SessionID], tickets: [Ticket]) {
        isClosed = true
        defer {
            for session in idle { expiry[session.id] = nil }
            idle = []
            waiting = []
        }
        return (idle.map(\.id), waiting)
    }
}

/// How many sessions a pool keeps, and for how long.
///
/// The sum over all instances must stay below the server's `max_connections`.
package struct PoolLimits: Sendable, Hashable {
    /// Kept ready while the pool runs.
    package var sessionsMinimum = 1
    package var sessionsMaximum = min(2 * ProcessInfo.processInfo.activeProcessorCount + 2, 20)
    /// Beyond so many waiting tasks, the next is refused at once.
    package var waitersMaximum = 10_000
    /// How long a task waits for a session; an attempt to connect that has begun by then may go on
    /// for its own ``SessionSettings/connectTimeout``.
    ///
    /// Also how long an outage may last before tasks are refused at once instead of waiting for its
    /// end.
    package var acquireTimeout: Duration = .seconds(5)
    /// A session unused for so long is closed, down to the minimum.
    package var idleTimeout: Duration = .seconds(600)
    /// A session unused for so long is asked for a sign of life before it is used.
    package var probeAfter: Duration = .seconds(30)
    /// A session is replaced at this age, less up to a twentieth by chance.
    package var lifetimeMaximum: Duration = .seconds(3600)
    /// The first pause after a failure to connect; it doubles up to ``backoffMaximum``.
    package var backoffMinimum: Duration = .milliseconds(50)
    package var backoffMaximum: Duration = .seconds(5)
    /// How often the pool looks after its sessions.
    package var maintenanceInterval: Duration = .seconds(5)
    /// How long a stopping pool waits for its sessions to come back.
    package var drainTimeout: Duration = .seconds(10)

    package init() {}
}

/// What a pool tells its operator.
struct PoolMetrics: Sendable {
    private let inUse = Gauge(label: "plimsoll.pool.sessions.in_use")
    private let idle = Gauge(label: "plimsoll.pool.sessions.idle")
    private let waiting = Gauge(label: "plimsoll.pool.tasks.waiting")
    private let wait = Timer(label: "plimsoll.pool.sessions.waited")
    private let connects = Counter(label: "plimsoll.pool.sessions.connected")
    private let failures = Counter(label: "plimsoll.pool.sessions.connect_failed")

    func report(_ state: borrowing PoolState) {
        inUse.record(state.inUseCount)
        idle.record(state.idleCount)
        waiting.record(state.waitingCount)
    }

    func waited(_ duration: Duration) { wait.record(duration: duration) }
    func connected() { connects.increment() }
    func connectFailed() { failures.increment() }

    func closed(_ reason: PoolState.CloseReason) {
        Counter(
            label: "plimsoll.pool.sessions.closed",
            dimensions: [("reason", reason.rawValue)]
        ).increment()
    }
}
