@testable import PlimsollPostgres
import Testing

/// The pool's decisions, stepped by hand: no socket, no clock, no chance.
struct PoolStateTests {
    private let start = ContinuousClock.now

    private func limits(_ maximum: Int, minimum: Int = 0) -> PoolLimits {
        var limits = PoolLimits()
        limits.sessionsMinimum = minimum
        limits.sessionsMaximum = maximum
        return limits
    }

    private func at(_ seconds: Double) -> PoolState.Instant { start + .seconds(seconds) }

    /// A state with so many sessions in use.
    private func state(
        _ limits: PoolLimits,
        inUse count: Int
    ) -> (SteppedPool, [PoolState.SessionID]) {
        let state = SteppedPool(limits)
        var ids: [PoolState.SessionID] = []
        for _ in 0..<count {
            #expect(state.acquire(at: start) == .connect)
            ids.append(state.connected(at: start, chance: 0).0)
        }
        return (state, ids)
    }

    private func ticket(_ action: PoolState.AcquireAction) throws -> PoolState.Ticket {
        guard case .wait(let ticket) = action else {
            Issue.record("it is \(action)")
            throw PostgresError(.misuse)
        }
        return ticket
    }

    @Test func `the first task connects, the second waits for the right to`() throws {
        let state = SteppedPool(limits(2))
        #expect(state.acquire(at: start) == .connect)
        let waiting = try ticket(state.acquire(at: start))
        let (_, action) = state.connected(at: start, chance: 0)
        #expect(action == .appoint(waiting))
        let (_, rest) = state.connected(at: start, chance: 0)
        #expect(rest == .rest)
        #expect(state.inUseCount == 2)
    }

    @Test func `the session used last is used next`() {
        let (state, ids) = state(limits(3), inUse: 3)
        for id in ids { #expect(state.release(id, .sound, at: start) == .keep) }
        #expect(state.acquire(at: at(1)) == .use(ids[2], needsProbe: false))
        #expect(state.acquire(at: at(31)) == .use(ids[1], needsProbe: true))
        #expect(state.idleCount == 1)
    }

    @Test func `a session that returns goes to whoever waited longest`() throws {
        let (state, ids) = state(limits(1), inUse: 1)
        let first = try ticket(state.acquire(at: start))
        let second = try ticket(state.acquire(at: start))
        #expect(state.release(ids[0], .sound, at: start) == .hand(ids[0], to: first))
        #expect(state.release(ids[0], .sound, at: start) == .hand(ids[0], to: second))
        #expect(state.release(ids[0], .sound, at: start) == .keep)
    }

    @Test func `one who has left is passed over`() throws {
        let (state, ids) = state(limits(1), inUse: 1)
        let first = try ticket(state.acquire(at: start))
        let second = try ticket(state.acquire(at: start))
        state.leave(first)
        #expect(state.release(ids[0], .sound, at: start) == .hand(ids[0], to: second))
    }

    @Test func `a broken session makes room for whoever waits`() throws {
        let (state, ids) = state(limits(1), inUse: 1)
        let waiting = try ticket(state.acquire(at: start))
        #expect(state.release(ids[0], .broken, at: start) == .close(ids[0], reason: .broken))
        #expect(state.closed() == .appoint(waiting))
    }

    @Test func `an old session is closed on its return, some sooner than others`() {
        let (state, ids) = state(limits(2), inUse: 1)
        #expect(state.acquire(at: start) == .connect)
        let young = state.connected(at: start, chance: 1).0
        #expect(state.release(young, .sound, at: at(3421)) == .close(young, reason: .expired))
        #expect(state.release(ids[0], .sound, at: at(3421)) == .keep)
        #expect(state.acquire(at: at(3421)) == .use(ids[0], needsProbe: false))
        #expect(state.release(ids[0], .sound, at: at(3600)) == .close(ids[0], reason: .expired))
    }

    @Test func `waiting has a limit`() throws {
        var limits = limits(1)
        limits.waitersMaximum = 1
        let (state, _) = state(limits, inUse: 1)
        _ = try ticket(state.acquire(at: start))
        #expect(state.acquire(at: start) == .refuse(.tooManyWaiting))
    }

    @Test func `failures are retried with growing pauses until the outage is established`() {
        let state = SteppedPool(limits(2))
        #expect(state.acquire(at: start) == .connect)
        #expect(state.nextAttempt(at: start) == start)
        #expect(state.connectFailed(at: start, chance: 0.5))
        #expect(state.nextAttempt(at: start) == start + .milliseconds(50))
        #expect(state.connectFailed(at: at(1), chance: 0.5))
        #expect(state.nextAttempt(at: at(1)) == at(1) + .milliseconds(100))
        #expect(!state.connectFailed(at: at(5), chance: 0.5))
    }

    @Test func `in an established outage tasks are refused at once, but for one attempt`()
        throws
    {
        let state = SteppedPool(limits(2))
        #expect(state.acquire(at: start) == .connect)
        let waiting = try ticket(state.acquire(at: start))
        #expect(state.connectFailed(at: start, chance: 0))
        #expect(!state.connectFailed(at: at(5), chance: 0))
        #expect(state.connectorGaveUp(at: at(5)) == .refuse([waiting]))
        #expect(state.acquire(at: at(5)) == .refuse(.outage))
        let retry = state.nextAttempt(at: at(5))
        #expect(state.acquire(at: retry) == .connect)
        #expect(state.acquire(at: retry) == .refuse(.outage))
        // The server is back: all is forgotten.
        _ = state.connected(at: retry, chance: 0)
        #expect(state.acquire(at: retry) == .connect)
    }

    @Test func `who gives up connecting hands the right on`() throws {
        let state = SteppedPool(limits(2))
        #expect(state.acquire(at: start) == .connect)
        let waiting = try ticket(state.acquire(at: start))
        #expect(state.connectorGaveUp(at: at(1)) == .appoint(waiting))
        #expect(state.connectorGaveUp(at: at(1)) == .rest)
        #expect(state.acquire(at: at(1)) == .connect)
    }

    @Test func `what was not needed for the whole window goes, down to the minimum`() {
        let (state, ids) = state(limits(4, minimum: 1), inUse: 4)
        for id in ids { #expect(state.release(id, .sound, at: start) == .keep) }
        #expect(state.acquire(at: at(500)) == .use(ids[3], needsProbe: true))
        #expect(state.release(ids[3], .sound, at: at(500)) == .keep)
        #expect(state.retire(at: at(599)).isEmpty)
        #expect(state.retire(at: at(600)) == Array(ids[0...2]))
        #expect(state.retire(at: at(2000)).isEmpty)
        #expect(state.idleCount == 1)
    }

    @Test func `the minimum is made ready one at a time`() {
        let state = SteppedPool(limits(4, minimum: 2))
        #expect(state.wantsMore(at: start))
        #expect(!state.wantsMore(at: start))
        let (id, _) = state.connected(at: start, chance: 0)
        #expect(state.release(id, .sound, at: start) == .keep)
        #expect(state.wantsMore(at: start))
    }

    @Test func `a closed pool refuses, and closes what returns`() throws {
        let (state, ids) = state(limits(2), inUse: 2)
        #expect(state.release(ids[0], .sound, at: start) == .keep)
        let (sessions, tickets) = state.close()
        #expect(sessions == [ids[0]])
        #expect(tickets.isEmpty)
        #expect(state.acquire(at: start) == .refuse(.closed))
        #expect(state.release(ids[1], .sound, at: start) == .close(ids[1], reason: .shutdown))
        #expect(state.inUseCount == 0)
    }
}
