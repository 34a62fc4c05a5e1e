import Synchronization

/// Lets those who need the server wait until it is there, or until it is known that it will not
/// be.
final class ReadinessGate: Sendable {
    private typealias Waiter = CheckedContinuation<Void, any Error>

    private enum Phase {
        case closed
        case open
        case broken(any Error)
    }

    private struct State {
        var phase: Phase = .closed
        var waiting: [Int: Waiter] = [:]
        var ticketsGiven = 0
    }

    private let state = Mutex(State())

    func open() {
        settle(.open, .success(()))
    }

    /// Everybody who waits or will wait gets the error.
    func fail(with error: any Error) {
        settle(.broken(error), .failure(error))
    }

    /// The server went away and is being started again.
    func close() {
        state.withLock { $0.phase = .closed }
    }

    func wait() async throws {
        let ticket = state.withLock { state in
            state.ticketsGiven += 1
            return state.ticketsGiven
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                enter(waiter, ticket: ticket)
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?
                .resume(throwing: CancellationError())
        }
    }

    private func enter(_ waiter: Waiter, ticket: Int) {
        let answer = state.withLock { state -> Result<Void, any Error>? in
            switch state.phase {
            case .open: return .success(())
            case .broken(let error): return .failure(error)
            case .closed:
                // The cancellation may have come before us; then nobody would ever resume.
                if Task.isCancelled { return .failure(CancellationError()) }
                state.waiting[ticket] = waiter
                return nil
            }
        }
        if let answer { waiter.resume(with: answer) }
    }

    private func settle(_ phase: Phase, _ answer: Result<Void, any Error>) {
        let waiting = state.withLock { state in
            state.phase = phase
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for waiter in waiting {
            waiter.resume(with: answer)
        }
    }
}
