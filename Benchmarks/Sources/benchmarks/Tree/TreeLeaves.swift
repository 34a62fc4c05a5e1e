import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import Synchronization

/// The edges at the bottom of a tree, in this process: each follows two of those above, and is put in the
/// place of one that was killed.
final class TreeLeaves: Sendable {
    private struct State {
        var awaited: SnapshotSequence?
        var served: [SnapshotSequence?]
        var times: [Int: ContinuousClock.Instant] = [:]
        var stops: [AsyncStream<Void>.Continuation?]
        /// How often each was started: who was replaced has nothing more to say.
        var starts: [Int]
        var wentBack = 0
    }

    private let keys: TrustedKeys
    private let state: Mutex<State>

    init(_ count: Int, trusting keys: TrustedKeys) {
        self.keys = keys
        let served = [SnapshotSequence?](repeating: nil, count: count)
        let stops = [AsyncStream<Void>.Continuation?](repeating: nil, count: count)
        state = Mutex(
            State(served: served, stops: stops, starts: Array(repeating: 0, count: count))
        )
    }

    /// How often one went to an older snapshot.
    var wentBack: Int { state.withLock(\.wentBack) }

    /// Begins anew where there is one already.
    func start(
        _ number: Int,
        following origins: [ServiceAddress],
        in group: inout ThrowingDiscardingTaskGroup<any Error>
    ) {
        let (stopped, stop) = AsyncStream.makeStream(of: Void.self)
        let (former, start) = state.withLock { state in
            state.served[number] = nil
            state.starts[number] += 1
            defer { state.stops[number] = stop }
            return (state.stops[number], state.starts[number])
        }
        former?.finish()
        let edge = TreeEdge(trusting: keys) { [self] in
            note($0, at: number, start)
        }
        group.addTask(name: "leaf") {
            try await withThrowingDiscardingTaskGroup { group in
                for origin in origins { edge.follow(origin, in: &group) }
                for await _ in stopped {}
                group.cancelAll()
            }
        }
    }

    func await(_ sequence: SnapshotSequence) {
        state.withLock { ($0.awaited, $0.times) = (sequence, [:]) }
    }

    /// When each of these served what is waited for; those that did not are left out.
    func times(
        of numbers: [Int],
        within patience: Duration
    ) async throws -> [ContinuousClock.Instant] {
        let end = ContinuousClock.now + patience
        while ContinuousClock.now < end {
            let found = state.withLock { state in numbers.compactMap { state.times[$0] } }
            if found.count == numbers.count { return found }
            try await Task.sleep(for: .milliseconds(1))
        }
        return state.withLock { state in numbers.compactMap { state.times[$0] } }
    }

    private func note(_ snapshots: [OfferedSnapshot], at number: Int, _ start: Int) {
        state.withLock { state in
            guard state.starts[number] == start else { return }
            for snapshot in snapshots {
                if let served = state.served[number], served > snapshot.sequence {
                    state.wentBack += 1
                }
                state.served[number] = snapshot.sequence
                guard snapshot.sequence == state.awaited, state.times[number] == nil else {
                    continue
                }
                state.times[number] = .now
            }
        }
    }
}
