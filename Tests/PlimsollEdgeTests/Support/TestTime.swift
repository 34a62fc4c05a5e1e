import Synchronization

/// A time that stands until a test has it pass.
final class TestTime: Sendable {
    private let instant = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { instant.withLock { $0 } }

    func pass(_ duration: Duration) {
        instant.withLock { $0 = $0.advanced(by: duration) }
    }
}
