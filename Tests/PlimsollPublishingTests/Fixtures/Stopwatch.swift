import PlimsollDomain
import PlimsollPublishing
import PlimsollStore
import Synchronization

/// Two clocks that stand still until they are advanced, and know how often they were read, and
/// whether they are to be trusted.
final class Stopwatch: Sendable {
    private struct State {
        var wall = Instant.soonAfter
        var uptime = ContinuousClock.now
        var readings = 0
        var isTrusted = true
    }

    private let state = Mutex(State())

    var readings: Int { state.withLock { $0.readings } }

    var wall: Instant { state.withLock { $0.wall } }

    func reading() -> ClockReading {
        state.withLock { state in
            state.readings += 1
            return ClockReading(wall: state.wall, uptime: state.uptime)
        }
    }

    /// Time goes by.
    func advance(by duration: Duration) {
        state.withLock { state in
            state.wall = state.wall.advanced(by: duration)
            state.uptime += duration
        }
    }

    var isTrusted: Bool { state.withLock { $0.isTrusted } }

    /// What is reckoned is corrected.
    func setWall(by duration: Duration) {
        state.withLock { $0.wall = $0.wall.advanced(by: duration) }
    }

    /// Whoever reckons the time comes to doubt it, or to trust it again.
    func trust(_ isTrusted: Bool) {
        state.withLock { $0.isTrusted = isTrusted }
    }
}
