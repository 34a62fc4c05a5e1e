/// A moment in UTC, to the millisecond.
///
/// Instants come in with a command or a recorded event; the domain never asks for the time.
package struct Instant: Hashable, Comparable, Sendable {
    package let millisecondsSince1970: Int64

    package init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    package func advanced(by duration: Duration) -> Instant {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return Instant(millisecondsSince1970: millisecondsSince1970 + milliseconds)
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.millisecondsSince1970 < right.millisecondsSince1970
    }
}
