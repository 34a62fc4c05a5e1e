import Metrics

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
