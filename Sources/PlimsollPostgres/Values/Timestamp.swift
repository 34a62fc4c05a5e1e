/// A point in time as PostgreSQL keeps it: microseconds since the beginning of 1970, UTC.
///
/// PostgreSQL's two infinities are no points in time and are refused.
package struct Timestamp: Sendable, Hashable {
    package let microsecondsSince1970: Int64

    package init(microsecondsSince1970: Int64) {
        self.microsecondsSince1970 = microsecondsSince1970
    }

    /// PostgreSQL counts from the beginning of 2000.
    private static let epochOffset: Int64 = 946_684_800_000_000
}

extension Timestamp: Comparable {
    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microsecondsSince1970 < right.microsecondsSince1970
    }
}

extension Timestamp: PostgresArrayElement {
    package static var postgresType: PostgresType { .timestamptz }
    package static var postgresArrayType: PostgresType { .timestamptzArray }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        let microseconds: Int64 = try bytes.integer()
        guard microseconds != .max, microseconds != .min else { throw .unreadable(.infinity) }
        let (sum, isTooLate) = microseconds.addingReportingOverflow(Self.epochOffset)
        guard !isTooLate else { throw .unreadable(.outOfRange) }
        self.init(microsecondsSince1970: sum)
    }

    package func write(to output: inout ValueWriter) {
        let (difference, isTooEarly) =
            microsecondsSince1970.subtractingReportingOverflow(Self.epochOffset)
        // The smallest number but one is no infinity, and out of the server's range: it says so.
        output.append(isTooEarly ? Int64.min + 1 : difference)
    }
}
