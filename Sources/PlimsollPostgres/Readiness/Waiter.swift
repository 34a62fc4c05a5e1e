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
