package import PlimsollDomain
package import PlimsollPostgres

extension Timestamp {
    /// An instant as PostgreSQL keeps it; nothing is lost, since it counts microseconds.
    package init(_ instant: Instant) {
        self.init(microsecondsSince1970: instant.millisecondsSince1970 * 1000)
    }
}

extension Instant {
    /// The millisecond in which a timestamp lies, before 1970 as after it.
    package init(_ timestamp: Timestamp) {
        let (milliseconds, rest) = timestamp.microsecondsSince1970.quotientAndRemainder(
            dividingBy: 1000
        )
        self.init(millisecondsSince1970: rest < 0 ? milliseconds - 1 : milliseconds)
    }
}
