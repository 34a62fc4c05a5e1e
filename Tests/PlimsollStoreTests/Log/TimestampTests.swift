import PlimsollDomain
import PlimsollPostgres
import Testing

@testable import PlimsollStore

@Suite struct TimestampTests {
    /// The years that an instant can be written in, and the borders of a day and of 1970.
    @Test(
        arguments: [
            -62_167_219_200_000, -86_400_001, -1, 0, 1, 1_795_248_000_123, 253_402_300_799_999,
        ] as [Int64]
    )
    func `an instant comes back from the database as it was`(milliseconds: Int64) {
        let instant = Instant(millisecondsSince1970: milliseconds)
        #expect(Timestamp(instant).microsecondsSince1970 == milliseconds * 1000)
        #expect(Instant(Timestamp(instant)) == instant)
    }

    @Test(arguments: [(1999, 1), (1000, 1), (999, 0), (0, 0), (-1, -1), (-1000, -1), (-1001, -2)])
    func `a finer time lies in the millisecond that has begun`(
        microseconds: Int64,
        milliseconds: Int64
    ) {
        let timestamp = Timestamp(microsecondsSince1970: microseconds)
        #expect(Instant(timestamp) == Instant(millisecondsSince1970: milliseconds))
    }
}
