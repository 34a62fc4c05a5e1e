@testable import PlimsollPostgres

/// A pool's state that expectations can be written about; they cannot hold what is not copied.
final class SteppedPool {
    typealias Instant = PoolState.Instant
    typealias SessionID = PoolState.SessionID

    private var state: PoolState

    init(_ limits: PoolLimits) { state = PoolState(limits: limits) }

    var idleCount: Int { state.idleCount }
    var inUseCount: Int { state.inUseCount }

    func acquire(at now: Instant) -> PoolState.AcquireAction { state.acquire(at: now) }
    func leave(_ ticket: PoolState.Ticket) { state.leave(ticket) }
    func nextAttempt(at now: Instant) -> Instant { state.nextAttempt(at: now) }

    func connected(at now: Instant, chance: Double) -> (SessionID, PoolState.ConnectorAction) {
        state.connected(at: now, chance: chance)
    }

    func connectFailed(at now: Instant, chance: Double) -> Bool {
        state.connectFailed(at: now, chance: chance)
    }

    func connectorGaveUp(at now: Instant) -> PoolState.ConnectorAction {
        state.connectorGaveUp(at: now)
    }

    func release(
        _ id: SessionID,
        _ condition: PoolState.ReturnCondition,
        at now: Instant
    ) -> PoolState.ReleaseAction {
        state.release(id, condition, at: now)
    }

    func closed() -> PoolState.ConnectorAction { state.closed() }
    func retire(at now: Instant) -> [SessionID] { state.retire(at: now).map(\.0) }
    func wantsMore(at now: Instant) -> Bool { state.wantsMore(at: now) }
    func close() -> (sessions: [SessionID], tickets: [PoolState.Ticket]) { state.close() }
}
