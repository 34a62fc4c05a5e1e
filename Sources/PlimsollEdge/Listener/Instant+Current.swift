import Foundation
import PlimsollDomain

extension Instant {
    /// What the machine's clock says now.
    static var current: Instant { Instant(Date.now) }
}
