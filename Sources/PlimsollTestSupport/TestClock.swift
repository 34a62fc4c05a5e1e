import Foundation
package import PlimsollDomain
import Synchronization

/// A clock that goes with the machine's, or stands, and steps when told to.
package final class TestClock: Sendable {
    private let instant: Instant?
    private let offset = Mutex(Duration.zero)

    /// Stands where it is given an instant.
    package init(standingAt instant: Instant? = nil) { self.instant = instant }

    package var now: Instant {
        offset.withLock { (instant ?? Instant(Date.now)).advanced(by: $0) }
    }

    package func step(_ duration: Duration) {
        offset.withLock { $0 += duration }
    }
}
