import CLinux
import Synchronization

/// One suspended task that is woken exactly once.
///
/// Whoever resumes first decides the value: the one it waits for, its deadline, or its own
/// cancellation.
final class Waiter<Value: Sendable>: Sendable {
    private enum State {
        case fresh
        case waiting(CheckedContinuation<Value, Never>)
        case done(Value)
    }

    private let state = Mutex(State.fresh)

    /// Answers whether this call decided the value.
    @discardableResult
    func resume(_ value: Value) -> Bool {
        let (isFirst, continuation) = state.withLock {
            state -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .fresh:
                state = .done(value)
                return (true, nil)
            case .waiting(let continuation):
                state = .done(value)
                return (true, continuation)
            case .done:
                return (false, nil)
            }
        }
        continuation?.resume(returning: value)
        return isFirst
    }

    /// Suspends until somebody resumes; `late` and `cancelled` are the values of those causes.
    func value(
        until deadline: ContinuousClock.Instant?,
        late: Value,
        cancelled: Value
    ) async -> Value {
        let timer = deadline.map { deadline in
            Readiness.shared.schedule(at: deadline) { self.resume(late) }
        }
        let value = await withTaskCancellationHandler {
            await suspended()
        } onCancel: {
            resume(cancelled)
        }
        if let timer { Readiness.shared.cancel(timer) }
        return value
    }

    /// Suspends until somebody resumes, whatever becomes of the task.
    func value() async -> Value {
        await suspended()
    }

    private func suspended() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Value? in
                if case .done(let value) = state { return value }
                state = .waiting(continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}

/// Who may use something now: one task at a time, first come, first served.
///
/// An actor lets others in at every `await`, a `PGconn` does not; so a session's operations
/// take turns from beginning to end.
package final class Turn: Sendable {
    private enum Answer {
        case granted, late, cancelled
    }

    private struct State {
        var isTaken = false
        var waiters: [Waiter<Answer>] = []
    }

    private let state = Mutex(State())

    package init() {}

    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Whether a cancelled task still gets its work done, as rolling back must be.
    package enum Cancellation {
        case heeded, ignored
    }

    /// Suspends until the turn is granted, the deadline has passed or, unless that is to be
    /// ignored, the task is cancelled.
    package func take(
        until deadline: ContinuousClock.Instant?,
        _ cancellation: Cancellation = .heeded
    ) async throws(PostgresError) {
        let waiter = state.withLock { state -> Waiter<Answer>? in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let waiter = Waiter<Answer>()
            state.waiters.append(waiter)
            return waiter
        }
        guard let waiter else { return }
        let answer =
            switch cancellation {
            case .heeded: await waiter.value(until: deadline, late: .late, cancelled: .cancelled)
            case .ignored: await waiter.value()
            }
        switch answer {
        case .granted: return
        case .late: throw forsake(waiter, PostgresError(.timedOut(.turn)))
        case .cancelled: throw forsake(waiter, PostgresError(.cancelled))
        }
    }

    /// Hands the turn to the next who still waits for it.
    package func give() {
        state.withLock { state in
            while !state.waiters.isEmpty {
                if state.waiters.removeFirst().resume(.granted) { return }
            }
            state.isTaken = false
        }
    }

    private func forsake(_ waiter: Waiter<Answer>, _ error: PostgresError) -> PostgresError {
        state.withLock { $0.waiters.removeAll { $0 === waiter } }
        return error
    }
}

/// A thread for what would hold up the cooperative pool.
enum DetachedThread {
    /// Runs the body on a thread of its own, which ends with it and takes no signals.
    ///
    /// Answers whether the system granted a thread.
    static func start(named name: StaticString, _ body: @escaping @Sendable () -> Void) -> Bool {
        let kept = unsafe Unmanaged.passRetained(Body(run: body))
        let context = unsafe kept.toOpaque()
        let started = unsafe String(describing: name).withCString { name in
            unsafe creadiness_start_thread(
                { context in
                    guard let context = unsafe context else { return }
                    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                },
                context,
                name
            )
        }
        if started != 0 { unsafe kept.release() }
        return started == 0
    }

    /// Answers what a blocking call answers, or `nil` when that takes longer than until the
    /// deadline; the call itself then goes on unattended.
    static func value<Value: Sendable>(
        until deadline: ContinuousClock.Instant?,
        of call: @escaping @Sendable () -> Value
    ) async -> Value? {
        let waiter = Waiter<Value?>()
        guard start(named: "blocking call", { waiter.resume(call()) }) else { return nil }
        return await waiter.value(until: deadline, late: nil, cancelled: nil)
    }
}

private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
