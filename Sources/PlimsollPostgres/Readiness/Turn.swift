import Synchronization

/// Who may use a session now: one task at a time, first come, first served.
///
/// An actor lets others in at every `await`, a `PGconn` does not; so a session's operations
/// take turns from beginning to end.
final class Turn: Sendable {
    private enum Answer {
        case granted, late, cancelled
    }

    private struct State {
        var isTaken = false
        var waiters: [Waiter<Answer>] = []
    }

    private let state = Mutex(State())

    /// Whether a cancelled task still gets its work done, as rolling back must be.
    enum Cancellation {
        case heeded, ignored
    }

    /// Suspends until the turn is granted, the deadline has passed or, unless that is to be
    /// ignored, the task is cancelled.
    func take(
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
    func give() {
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
