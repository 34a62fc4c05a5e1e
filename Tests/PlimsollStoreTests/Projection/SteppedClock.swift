import PlimsollDomain
import Synchronization

/// A clock that stands still until it is told to step, also backwards.
final class SteppedClock: Sendable {
    private let instant = Mutex(Instant(millisecondsSince1970: 1_790_000_000_000))

    var now: Instant { instant.withLock { $0 } }

    func step(_ duration: Duration) {
        instant.withLock { $0 = $0.advanced(by: duration) }
    }
}
