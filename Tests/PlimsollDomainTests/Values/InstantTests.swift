import Foundation
import PlimsollDomain
import Testing

@Suite struct InstantTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2020-08-03T22:59:35.000Z", 1_596_495_575_000),
            ("2020-08-03T23:59:35.5+01:00", 1_596_495_575_500),
            ("2024-02-29T12:00:00.123456789Z", 1_709_208_000_123),
            ("1969-12-31T23:59:59.999Z", -1), ("2016-12-31T23:59:60Z", 1_483_228_799_000),
            ("2000-03-01t00:00:00z", 951_868_800_000),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000),
            ("9999-12-31T23:59:59+23:59", 253_402_214_459_000),
        ] as [(String, Int64)]
    )
    func `RFC 3339 is read`(_ text: String, _ milliseconds: Int64) {
        #expect(Instant(rfc3339: text)?.millisecondsSince1970 == milliseconds)
    }

    @Test(arguments: [
        "", "2020-08-03", "2020-13-01T00:00:00Z", "2023-02-29T00:00:00Z", "2020-08-03T24:00:00Z",
        "2020-08-03T22:59:35", "2020-08-03 22:59:35Z", "2020-08-03T22:59:35.Z",
        "2020-08-03T22:59:35+1:00", "2020-08-03T22:59:35Z ", "20-08-03T22:59:35Z",
        "2020-08-03T22:59:61Z", "2020-00-03T22:59:35Z", "9999-12-31T23:59:59-00:01",
        "9999-12-31T23:59:59-23:59", "0000-01-01T00:00:00+00:01", "10000-01-01T00:00:00Z",
    ])
    func `anything else is no instant`(_ text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test func `what is written is read back, day by day over four centuries`() {
        for day in stride(from: -200 * 365, through: 200 * 365, by: 1) {
            let instant = Instant(millisecondsSince1970: Int64(day) * 86_400_000 + 3_723_004)
            #expect(Instant(rfc3339: instant.rfc3339) == instant)
        }
    }

    @Test(arguments: [(1.9995, 1999), (0.0004, 0), (-0.0004, -1), (-1, -1000), (-1.0004, -1001)])
    func `a date lies in the millisecond that has begun`(seconds: Double, milliseconds: Int64) {
        let instant = Instant(Date(timeIntervalSince1970: seconds))
        #expect(instant.millisecondsSince1970 == milliseconds)
    }

    @Test func `the weekday is the calendar's`() {
        #expect(CivilTime(Instant(millisecondsSince1970: 0)).weekday == 4)
        #expect(CivilTime(Instant(millisecondsSince1970: 1_596_495_575_000)).weekday == 1)
        #expect(CivilTime(Instant(millisecondsSince1970: -86_400_000)).weekday == 3)
    }
}
