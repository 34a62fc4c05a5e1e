import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollCommands

/// Moments as people write them, on a machine in London on the evening of 24 March 2027.
@Suite struct WrittenMomentTests {
    private let now = Instant(rfc3339: "2027-03-24T20:15:30Z")

    private func read(
        _ text: String,
        _ sense: WrittenMoment.Sense = .past
    ) throws -> WrittenMoment {
        let london = try #require(TimeZoneName("Europe/London").flatMap(ZoneClock.init))
        return try WrittenMoment(text, sense, now: try #require(now), in: london)
    }

    @Test(arguments: [
        ("24h", "2027-03-23T20:15:30.000Z", "2027-03-23T20:15:30.000Z"),
        ("90m", "2027-03-24T18:45:30.000Z", "2027-03-24T18:45:30.000Z"),
        ("7d", "2027-03-17T20:15:30.000Z", "2027-03-17T20:15:30.000Z"),
        ("now", "2027-03-24T20:15:30.000Z", "2027-03-24T20:15:30.000Z"),
        ("today", "2027-03-24T00:00:00.000Z", "2027-03-24T23:59:59.999Z"),
        ("yesterday", "2027-03-23T00:00:00.000Z", "2027-03-23T23:59:59.999Z"),
        ("yesterday 08:30", "2027-03-23T08:30:00.000Z", "2027-03-23T08:30:00.000Z"),
        ("2027-03-28", "2027-03-28T00:00:00.000Z", "2027-03-28T22:59:59.999Z"),
        ("2027-07-01", "2027-06-30T23:00:00.000Z", "2027-07-01T22:59:59.999Z"),
        ("2027-07-01T09:00", "2027-07-01T08:00:00.000Z", "2027-07-01T08:00:00.000Z"),
        ("2027-07-01 09:00:05", "2027-07-01T08:00:05.000Z", "2027-07-01T08:00:05.000Z"),
        (
            "2027-07-01 09:00 America/New_York", "2027-07-01T13:00:00.000Z",
            "2027-07-01T13:00:00.000Z"
        ),
        ("2027-07-01 UTC", "2027-07-01T00:00:00.000Z", "2027-07-01T23:59:59.999Z"),
        ("2027-07-01T09:00:00+02:00", "2027-07-01T07:00:00.000Z", "2027-07-01T07:00:00.000Z"),
        // Clocks in Cairo are set forward over the midnight on which this day begins.
        ("2027-04-30 Africa/Cairo", "2027-04-29T22:00:00.000Z", "2027-04-30T20:59:59.999Z"),
    ])
    func `a moment is what people mean by it`(text: String, start: String, end: String) throws {
        let moment = try read(text)
        #expect(moment.start.rfc3339 == start)
        #expect(moment.end.rfc3339 == end)
    }

    @Test func `a length of time lies ahead where that is meant`() throws {
        #expect(try read("30d", .coming).start.rfc3339 == "2027-04-23T20:15:30.000Z")
        #expect(try read("tomorrow", .coming).start.rfc3339 == "2027-03-25T00:00:00.000Z")
    }

    @Test(arguments: [
        "", " ", "24", "24x", "-24h", "2027-02-30", "2027-13-01", "2027-03-24T25:00", "yesterdays",
        "yesterday 08:30 09:30", "2027-03-24 08:30 GMT", "2027-03-24T08:30:00ZZ", "08:30",
    ])
    func `what is no moment is refused with what one looks like`(text: String) throws {
        #expect(throws: MomentFault.unreadable(text)) { try read(text) }
    }

    @Test func `a time that clocks show twice or never, and a zone that is none, are named`() throws
    {
        for (text, words) in [
            ("2027-10-31 01:30", "show twice"), ("2027-03-28 01:30", "never show"),
            ("2027-03-28 Europe/Londn", "no time zone Europe/Londn"),
        ] {
            let fault = try #require(throws: MomentFault.self) { try read(text) }
            #expect(fault.description.contains(words), "\(fault)")
        }
    }
}
