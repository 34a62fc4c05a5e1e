import Foundation
package import PlimsollDomain
import Synchronization

/// A clock that goes with the machine's, and steps when told to.
package final class TestClock: Sendable {
    private let offset = Mutex(Duration.zero)

    package init() {}

    package var now: Instant { offset.withLock { Instant(Date.now).advanced(by: $0) } }

    package func step(_ duration: Duration) {
        offset.withLock { $0 += duration }
    }
}
