import PlimsollDomain
import Synchronization

/// A clock that stands until somebody pauses, and then has gone on by as much.
final class PausedClock: Sendable {
    private let instant = Mutex(Instant(millisecondsSince1970: 1_795_000_000_000))

    var now: Instant { instant.withLock { $0 } }
    private let trust = Mutex(true)

    var isTrusted: Bool { trust.withLock(\.self) }

    func beginDoubt() { trust.withLock { $0 = false } }

    func endDoubt() { trust.withLock { $0 = true } }

    func advance(by duration: Duration) {
        instant.withLock { $0 = $0.advanced(by: duration) }
    }

    func pause(_ duration: Duration) async throws {
        advance(by: duration)
        // Whoever pauses again and again leaves the processor to the others.
        try await Task.sleep(for: .milliseconds(1))
    }
}
