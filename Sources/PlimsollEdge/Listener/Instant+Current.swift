import Foundation
import PlimsollDomain

extension Instant {
    /// What the machine's clock says now.
    static var current: Instant {
        Instant(millisecondsSince1970: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
