import PlimsollDomain
import Synchronization

/// Where the writer shows the world, and whoever waits for it to change looks on.
final class Stage: Sendable {
    private struct State {
        var world: World?
        var audience: [Int: AsyncStream<Position>.Continuation] = [:]
        var next = 0
        var isClosed = false
        var prohibition: Prohibition?
    }

    private let state = Mutex(State())

    /// `nil` until the log has been folded for the first time.
    var world: World? { state.withLock(\.world) }

    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Why nothing may be written; `nil` where it may.
    var prohibition: Prohibition? {
        get { state.withLock(\.prohibition) }
        set { state.withLock { $0.prohibition = newValue } }
    }

    func show(_ world: World) {
        let audience = state.withLock { state in
            state.world = world
            return Array(state.audience.values)
        }
        for seat in audience { seat.yield(world.position) }
    }

    /// Shows nothing more, and sends everybody home.
    func close() {
        let audience = state.withLock { state in
            state.isClosed = true
            return Array(state.audience.values)
        }
        for seat in audience { seat.finish() }
    }

    /// Begins with where the world stands, if it is shown already.
    func growth() -> AsyncStream<Position> {
        let (stream, seat) = AsyncStream.makeStream(
            of: Position.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let (id, world, isClosed) = state.withLock { state in
            state.next += 1
            if !state.isClosed { state.audience[state.next] = seat }
            return (state.next, state.world, state.isClosed)
        }
        seat.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.audience.removeValue(forKey: id) }
        }
        if let world { seat.yield(world.position) }
        if isClosed { seat.finish() }
        return stream
    }
}
