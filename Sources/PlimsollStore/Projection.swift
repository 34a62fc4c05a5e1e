package import PlimsollDomain
import Synchronization

/// How far the read models have come, and who waits for them to come further.
package final class Progress: Sendable {
    private struct State {
        var position = Position.start
        var waiters: [Waiter] = []
        var lag = FoldLag()
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

    /// Whether they follow a log that ends here, soon enough to be asked.
    package func isCurrent(with head: Position) -> Bool {
        expect(head)
        return state.withLock { $0.lag.state == .current }
    }

    /// Says where the log ends, so that it counts how long it takes to come there.
    package func expect(_ head: Position) {
        state.withLock { $0.lag.expect(head, from: $0.position, at: .now) }
    }

    /// Moves on and wakes whoever waited for it.
    package func reach(_ position: Position) {
        let woken = state.withLock { state in
            state.position = max(state.position, position)
            state.lag.reach(state.position, at: .now)
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

/// The newest events of the log, for those who follow it: however many they are, each event is
/// read once.
package final class RecentEvents: Sendable {
    private let events = Mutex<[AuditedEvent]>([])

    /// How many are kept; an event is at most as large as an entry of the log.
    package static let countMaximum = 1000

    package init() {}

    /// Takes in what follows; what does not follow, or is more than is kept, begins anew.
    package func append(_ new: [AuditedEvent]) {
        guard let first = new.first else { return }
        events.withLock { events in
            let follows = events.last.map { $0.position.advanced(by: 1) == first.position }
            guard follows ?? true, new.count <= Self.countMaximum else {
                events = Array(new.suffix(Self.countMaximum))
                return
            }
            events += new
            // In bulk, so that it does not move all of them for each new one.
            if events.count >= 2 * Self.countMaximum {
                events.removeFirst(events.count - Self.countMaximum)
            }
        }
    }

    /// What follows a position; `nil` where the first of it is not kept any more, or not yet.
    package func events(after position: Position) -> [AuditedEvent]? {
        events.withLock { events in
            guard let first = events.first, let last = events.last,
                first.position <= position.advanced(by: 1), position < last.position
            else { return nil }
            let offset = Int(position.rawValue - first.position.rawValue) + 1
            return Array(events[offset...])
        }
    }

    /// They may be others than those of the database.
    package func forget() {
        events.withLock { $0 = [] }
    }
}
