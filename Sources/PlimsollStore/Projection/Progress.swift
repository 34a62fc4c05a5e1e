package import PlimsollDomain
import Synchronization

/// How far the read models have come, and who waits for them to come further.
package final class Progress: Sendable {
    private struct State {
        var position = Position.start
        var waiters: [Waiter] = []
    }

    private struct Waiter {
        let position: Position
        let id: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    /// The newest of what has been reached.
    package let recent = RecentEvents()
    private let state = Mutex(State())
    private let ids = Atomic(0)

    package init() {}

    package var position: Position { state.withLock(\.position) }

    /// Moves on and wakes whoever waited for it.
    package func reach(_ position: Position) {
        let woken = state.withLock { state in
            state.position = max(state.position, position)
            let woken = state.waiters.filter { $0.position <= state.position }
            state.waiters.removeAll { $0.position <= state.position }
            return woken
        }
        for waiter in woken { waiter.continuation.resume() }
    }

    /// Goes back where the read models have lost what they held; who asks for it waits again.
    package func fallBack(to position: Position) {
        recent.forget()
        state.withLock { $0.position = min($0.position, position) }
    }

    /// Returns once the position is reached; `false` if it takes longer than the patience.
    package func wait(for position: Position, patience: Duration) async -> Bool {
        if self.position >= position { return true }
        await withTaskGroup { group in
            group.addTask(name: "wait for the read models") { await self.wait(for: position) }
            group.addTask(name: "patience with the read models") {
                // Cancelled as soon as the position is reached, which is no failure.
                try? await Task.sleep(for: patience)
            }
            await group.next()
            group.cancelAll()
        }
        return self.position >= position
    }

    private func wait(for position: Position) async {
        let id = ids.add(1, ordering: .relaxed).newValue
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if state.position >= position || Task.isCancelled { return true }
                    state.waiters.append(
                        Waiter(position: position, id: id, continuation: continuation)
                    )
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
    }
}
