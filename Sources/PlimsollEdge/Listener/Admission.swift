import Foundation
import NIOCore
import PlimsollDomain
import Synchronization

/// How many connections there are on all loops together, and how many there may be.
final class Admission: Sendable {
    private let maximum: Int
    private let count = Atomic(0)

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Whether there was room for one more.
    func enter() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= maximum else {
            leave()
            return false
        }
        return true
    }

    func leave() {
        count.subtract(1, ordering: .relaxed)
    }
}

/// The limits of time as a loop adds them to its clock, never earlier than they say although
/// that may be a tick old.
struct Timeouts {
    let tick: TimeAmount
    private let head: TimeAmount
    private let idle: TimeAmount
    private let linger: TimeAmount

    init(_ limits: EdgeLimits) {
        tick = TimeAmount(limits.tickInterval)
        head = TimeAmount(limits.headTimeout) + tick
        idle = TimeAmount(limits.idleTimeout) + tick
        linger = TimeAmount(limits.lingerTimeout) + tick
    }

    subscript(deadline: EdgeConnection.Deadline) -> TimeAmount {
        switch deadline {
        case .head: head
        case .idle: idle
        case .linger: linger
        }
    }
}

/// A value that comes once, for whoever waits for it, then or later.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Value, any Error>])
        case settled(Result<Value, any Error>)
    }

    private let state = Mutex(State.waiting([]))

    var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Value, any Error>? in
                    switch state {
                    case .waiting(let others):
                        state = .waiting(others + [continuation])
                        return nil
                    case .settled(let result):
                        return result
                    }
                }
                if let result { continuation.resume(with: result) }
            }
        }
    }

    /// The first result stays.
    func settle(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
            guard case .waiting(let continuations) = state else { return [] }
            state = .settled(result)
            return continuations
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}

/// Works, and closes what it worked with whatever came of it; the work's error is the one thrown.
func closing(
    _ close: () async throws -> Void,
    after work: () async throws -> Void
) async throws {
    do {
        try await work()
    } catch {
        try? await close()
        throw error
    }
    try await close()
}

extension Instant {
    /// What the machine's clock says now.
    static var current: Instant { Instant(Date.now) }
}

/// Where the event loops find the newest table.
///
/// They ask before every batch of requests. Asking is one atomic load; only after a change is
/// the lock taken, once by each loop. Once ``publish(_:)`` has returned, no request that arrives
/// is answered from an older table.
final class TableSource: Sendable {
    private let generation = Atomic<Int>(0)
    private let current: Mutex<EdgeTable>

    init(_ table: EdgeTable) {
        current = Mutex(table)
    }

    var table: EdgeTable { current.withLock { $0 } }

    func publish(_ table: EdgeTable) {
        current.withLock { current in
            current = table
            generation.add(1, ordering: .releasing)
        }
    }

    /// The newest table, if it is newer than the one a loop already has.
    @inline(__always)
    func tableNewer(than known: inout Int) -> EdgeTable? {
        guard generation.load(ordering: .acquiring) != known else { return nil }
        return current.withLock { current in
            known = generation.load(ordering: .relaxed)
            return current
        }
    }
}
