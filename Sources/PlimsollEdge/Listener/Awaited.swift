import Synchronization

/// A value that comes once, for whoever waits for it, then or later.
final class Awaited<Value: Sendable>: Sendable {
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
