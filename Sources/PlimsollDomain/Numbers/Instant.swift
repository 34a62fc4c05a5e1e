/// A moment in UTC, to the millisecond.
///
/// Instants come in with a command or a recorded event; the domain never asks for the time.
package struct Instant: Hashable, Comparable, Sendable {
    package let millisecondsSince1970: Int64

    package init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    package func advanced(by duration: Duration) -> Instant {
        Instant(millisecondsSince1970: millisecondsSince1970 + duration.milliseconds)
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.millisecondsSince1970 < right.millisecondsSince1970
    }
}

extension Duration {
    /// Whole ones, without what is left.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
