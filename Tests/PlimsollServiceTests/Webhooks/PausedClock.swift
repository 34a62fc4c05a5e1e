import PlimsollDomain
import Synchronization
import Testing

/// A clock that stands until somebody pauses, and then has gone on by as much.
final class PausedClock: Sendable {
    private let instant = Mutex(Instant(millisecondsSince1970: 1_795_000_000_000))

    var now: Instant { instant.withLock { $0 } }

    func advance(by duration: Duration) {
        instant.withLock { $0 = $0.advanced(by: duration) }
    }

    func pause(_ duration: Duration) async throws {
        advance(by: duration)
        // Whoever pauses again and again leaves the processor to the others.
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// Looks until something is so; fails the test after two minutes.
///
/// Only for what happens beside the test: a message that arrives, an event that is recorded.
func eventually(
    _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ look: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + .seconds(120)
    while true {
        if try await look() { return }
        try #require(
            ContinuousClock.now < deadline,
            "waited in vain: \(what)",
            sourceLocation: sourceLocation
        )
        try await Task.sleep(for: .milliseconds(5))
    }
}
