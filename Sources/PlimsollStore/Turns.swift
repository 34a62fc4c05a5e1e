import Synchronization

/// Lets one at a time do something, and the others as they came.
final class Turns: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Returns when it is the caller's turn, who gives it back with ``end()``.
    func begin() async {
        await withCheckedContinuation { continuation in
            let isNext = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isNext { continuation.resume() }
        }
    }

    func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.isTaken = false
            return nil
        }
        next?.resume()
    }
}
