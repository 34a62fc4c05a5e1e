import CLinux
import Glibc
import Synchronization

/// Says when a descriptor is ready or an instant has come.
///
/// One thread with one epoll set serves the whole process. It only resumes: it never touches
/// what it watches, so it cannot be held up. Descriptors are armed for one report at a time,
/// level-triggered, because libpq reads once a call and may leave bytes in the kernel.
package final class Readiness: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// What a descriptor is watched for.
    package enum Interest: Sendable {
        case reading, writing, both
    }

    /// Why a wait ended.
    package enum Outcome: Sendable {
        case ready
        case deadlinePassed
        /// Somebody asked the waiting task to look around, see ``WatchedDescriptor/interrupt()``.
        case interrupted
    }

    /// What the thread works on, kept as long as the process lives.
    package static let shared = Readiness()

    private let set: CInt
    private let waker: CInt
    private let state = Mutex(State())

    private init() {
        set = creadiness_open()
        waker = creadiness_open_waker()
        let isComplete = creadiness_watch_reading(set, waker, 0) == 0
        precondition(isComplete, "the system grants the process an epoll set and a waker")
        let isWatched = DetachedThread.start(named: "readiness") { [self] in watch() }
        precondition(isWatched, "the system grants the process one thread")
    }

    /// Runs `action` on the readiness thread at `instant`; it must be short and never block.
    func schedule(at instant: Instant, _ action: @escaping @Sendable () -> Void) -> TimerID {
        let (id, isEarlier) = state.withLock { state in
            let id = state.makeKey()
            state.timers[id] = Timer(instant: instant, action: action)
            return (TimerID(key: id), state.plan(instant))
        }
        if isEarlier { creadiness_wake(waker) }
        return id
    }

    func cancel(_ timer: TimerID) {
        // The thread may wake once in vain for it; that is cheaper than to look for the next.
        state.withLock { _ = $0.timers.removeValue(forKey: timer.key) }
    }

    // MARK: - Descriptors

    func adopt() -> UInt64 {
        state.withLock { state in
            let key = state.makeKey()
            state.entries[key] = Entry()
            return key
        }
    }

    func forget(_ descriptor: CInt, key: UInt64) {
        let entry = state.withLock { $0.entries.removeValue(forKey: key) }
        if entry?.isKnown == true {
            creadiness_forget(set, descriptor)
        }
        entry?.continuation?.resume(returning: .interrupted)
    }

    func interrupt(key: UInt64) {
        let continuation = state.withLock { state -> Continuation? in
            guard let waiting = state.entries[key]?.continuation else {
                state.entries[key]?.isInterrupted = true
                return nil
            }
            state.entries[key]?.continuation = nil
            return waiting
        }
        continuation?.resume(returning: .interrupted)
    }

    func wait(
        for interest: Interest,
        of descriptor: CInt,
        key: UInt64,
        until deadline: Instant?
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            let (plan, isEarlier) = state.withLock { state -> (ArmPlan, Bool) in
                guard var entry = state.entries[key], !entry.isInterrupted else {
                    state.entries[key]?.isInterrupted = false
                    return (.interrupted, false)
                }
                let plan: ArmPlan = entry.isKnown ? .again : .firstTime
                entry.isKnown = true
                entry.continuation = continuation
                entry.deadline = deadline
                state.entries[key] = entry
                return (plan, deadline.map { state.plan($0) } ?? false)
            }
            guard plan != .interrupted else {
                continuation.resume(returning: .interrupted)
                return
            }
            // Outside the lock, which the thread wants as soon as the descriptor is ready.
            let armed = creadiness_arm(
                set,
                descriptor,
                key,
                interest == .writing ? 0 : 1,
                interest == .reading ? 0 : 1,
                plan == .again ? 1 : 0
            )
            // What cannot be watched is called ready: the caller's next read says why.
            if armed != 0 { resume(key: key, .ready) }
            if isEarlier { creadiness_wake(waker) }
        }
    }

    private func resume(key: UInt64, _ outcome: Outcome) {
        let continuation = state.withLock { $0.entries[key]?.continuation.take() }
        continuation?.resume(returning: outcome)
    }

    // MARK: - The thread

    private func watch() {
        var events = [creadiness_event](repeating: creadiness_event(), count: 64)
        while true {
            let timeout = state.withLock { $0.millisecondsUntilPlanned(from: .now) }
            let count = unsafe creadiness_wait(set, &events, CInt(events.count), timeout)
            if events.prefix(Int(max(count, 0))).contains(where: { $0.key == 0 }) {
                creadiness_calm(waker)
            }
            let keys = events.prefix(Int(max(count, 0))).map(\.key)
            let due = state.withLock { $0.collect(ready: keys, at: .now) }
            for (continuation, outcome) in due.continuations {
                continuation.resume(returning: outcome)
            }
            for action in due.actions { action() }
        }
    }
}

/// Names a scheduled action, so that it can be taken back.
struct TimerID: Sendable {
    fileprivate let key: UInt64
}

private typealias Continuation = CheckedContinuation<Readiness.Outcome, Never>

/// How a descriptor is to be armed, if at all.
private enum ArmPlan {
    case firstTime, again, interrupted
}

private struct Entry {
    var continuation: Continuation?
    var deadline: Readiness.Instant?
    var isInterrupted = false
    /// Whether the epoll set has the descriptor.
    var isKnown = false
}

private struct Timer {
    let instant: Readiness.Instant
    let action: @Sendable () -> Void
}

private struct Due {
    var continuations: [(Continuation, Readiness.Outcome)] = []
    var actions: [@Sendable () -> Void] = []
}

private struct State {
    var entries: [UInt64: Entry] = [:]
    var timers: [UInt64: Timer] = [:]
    /// When the thread looks at deadlines next.
    ///
    /// It may be too early, never too late; so a deadline that is not reached, which is the rule,
    /// costs no wake-up.
    var planned: Readiness.Instant?
    private var lastKey: UInt64 = 0

    /// Key 0 is the waker's.
    mutating func makeKey() -> UInt64 {
        lastKey += 1
        return lastKey
    }

    /// Answers whether the thread must be woken to heed the instant.
    mutating func plan(_ instant: Readiness.Instant) -> Bool {
        if let planned, planned <= instant { return false }
        planned = instant
        return true
    }

    func millisecondsUntilPlanned(from now: Readiness.Instant) -> CInt {
        guard let planned else { return -1 }
        let left = (planned - now) / .milliseconds(1)
        return left <= 0 ? 0 : CInt(min(left.rounded(.up), 60_000))
    }

    mutating func collect(ready keys: [UInt64], at now: Readiness.Instant) -> Due {
        var due = Due()
        for key in keys {
            guard let continuation = entries[key]?.continuation else { continue }
            entries[key]?.continuation = nil
            due.continuations.append((continuation, .ready))
        }
        if let planned, planned <= now {
            collectDeadlines(at: now, into: &due)
        }
        return due
    }

    private mutating func collectDeadlines(at now: Readiness.Instant, into due: inout Due) {
        planned = nil
        for (key, entry) in entries {
            guard let continuation = entry.continuation, let deadline = entry.deadline else {
                continue
            }
            if deadline <= now {
                entries[key]?.continuation = nil
                due.continuations.append((continuation, .deadlinePassed))
            } else {
                _ = plan(deadline)
            }
        }
        for (key, timer) in timers {
            if timer.instant <= now {
                timers[key] = nil
                due.actions.append(timer.action)
            } else {
                _ = plan(timer.instant)
            }
        }
    }
}

/// A descriptor of our own that can be waited for, closed exactly once.
///
/// libpq closes its socket by itself when the stream ends, and the kernel gives the number to
/// the next who asks. Hence a session never watches libpq's own descriptor but a duplicate:
/// that number is ours until we close it.
package final class WatchedDescriptor: Sendable {
    package typealias Interest = Readiness.Interest
    package typealias Outcome = Readiness.Outcome

    private let descriptor: CInt
    private let key: UInt64

    /// Takes over an open descriptor.
    package init(owning descriptor: CInt) {
        self.descriptor = descriptor
        key = Readiness.shared.adopt()
    }

    /// Fails when there is nothing open under that number, or no number left.
    package convenience init?(duplicating descriptor: CInt) {
        let copy = creadiness_duplicate(descriptor)
        guard copy >= 0 else { return nil }
        self.init(owning: copy)
    }

    deinit {
        Readiness.shared.forget(descriptor, key: key)
        close(descriptor)
    }

    /// Suspends until the descriptor is ready, the deadline has passed, or an interruption.
    ///
    /// One task waits at a time.
    package func wait(
        for interest: Interest,
        until deadline: ContinuousClock.Instant? = nil
    ) async -> Outcome {
        await Readiness.shared.wait(for: interest, of: descriptor, key: key, until: deadline)
    }

    /// Makes the current wait, or else the next, return ``Readiness/Outcome/interrupted``.
    package func interrupt() {
        Readiness.shared.interrupt(key: key)
    }

    /// Ends the stream in both directions, for every holder of the socket.
    func shutDown() {
        creadiness_shut_down(descriptor)
    }
}
