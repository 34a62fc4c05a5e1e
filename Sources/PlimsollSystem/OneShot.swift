import Synchronization

/// A value that is known sooner or later, for whoever asks for it, then or later.
package final class OneShot<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value, any Error>

    private struct State {
        var result: Result<Value, any Error>?
        var waiting: [Int: Waiter] = [:]
        var ticketsGiven = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var isSettled: Bool { state.withLock { $0.result != nil } }

    /// Waits for it; throws when the task is cancelled before.
    package var value: Value {
        get async throws {
            let ticket = state.withLock { state in
                state.ticketsGiven += 1
                return state.ticketsGiven
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { enter($0, ticket: ticket) }
            } onCancel: {
                state.withLock { $0.waiting.removeValue(forKey: ticket) }?
                    .resume(throwing: CancellationError())
            }
        }
    }

    private func enter(_ waiter: Waiter, ticket: Int) {
        let result = state.withLock { state -> Result<Value, any Error>? in
            if let result = state.result { return result }
            // The cancellation may have come before us; then nobody would ever resume.
            if Task.isCancelled { return .failure(CancellationError()) }
            state.waiting[ticket] = waiter
            return nil
        }
        if let result { waiter.resume(with: result) }
    }

    /// The first result stays, unless it is taken back.
    package func settle(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            state.result = state.result ?? result
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for waiter in waiting { waiter.resume(with: result) }
    }

    /// Whoever asks from now on waits for the next result.
    package func reset() {
        state.withLock { $0.result = nil }
    }
}

extension OneShot<Void> {
    package func settle() { settle(.success(())) }
}
