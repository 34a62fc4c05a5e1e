package import Foundation

extension Instant {
    /// The millisecond in which a date lies, before 1970 as after it.
    package init(_ date: Date) {
        self.init(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
