import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Times as people write them, on the days when clocks are set too.
@Suite struct ScheduleFormTests {
    @Test(arguments: [
        (#"{"at": "2027-07-01T09:00", "timeZone": "Europe/London"}"#, "2027-07-01T08:00:00.000Z"),
        (#"{"at": "2026-12-01T09:00", "timeZone": "Europe/London"}"#, "2026-12-01T09:00:00.000Z"),
        (#"{"at": "2026-12-01T09:00:30.5", "timeZone": "UTC"}"#, "2026-12-01T09:00:30.500Z"),
        (#"{"at": "2026-12-01T09:00:00+05:45"}"#, "2026-12-01T03:15:00.000Z"),
        (
            #"{"at": "2026-12-01T09:00:00Z", "timeZone": "Asia/Kathmandu"}"#,
            "2026-12-01T09:00:00.000Z"
        ),
        (#"{"at": "2027-03-28T00:59", "timeZone": "Europe/London"}"#, "2027-03-28T00:59:00.000Z"),
        (#"{"at": "2027-03-28T02:00", "timeZone": "Europe/London"}"#, "2027-03-28T01:00:00.000Z"),
        (#"{"at": "2027-10-31T02:00", "timeZone": "Europe/London"}"#, "2027-10-31T02:00:00.000Z"),
        (#"{"at": "2027-10-31T00:59", "timeZone": "Europe/London"}"#, "2027-10-30T23:59:00.000Z"),
        (
            #"{"at": "2027-10-31T01:30:00+01:00", "timeZone": "Europe/London"}"#,
            "2027-10-31T00:30:00.000Z"
        ),
    ])
    func `a time is an instant, as it is written or as clocks in the zone show it`(
        _ body: String,
        _ instant: String
    ) throws {
        #expect(try Schedule(body: Array(body.utf8)).at?.rfc3339 == instant)
    }

    @Test(arguments: [
        (
            "2027-03-28T01:30", "Europe/London", "2027-03-28T00:30:00.000Z",
            "2027-03-28T01:30:00.000Z"
        ),
        (
            "2027-10-31T01:30", "Europe/London", "2027-10-31T00:30:00.000Z",
            "2027-10-31T01:30:00.000Z"
        ),
        (
            "2027-03-14T02:00", "America/New_York", "2027-03-14T06:00:00.000Z",
            "2027-03-14T07:00:00.000Z"
        ),
        (
            "2027-04-04T01:45", "Australia/Lord_Howe", "2027-04-03T14:45:00.000Z",
            "2027-04-03T15:15:00.000Z"
        ),
    ])
    func `a time that clocks show twice or never is refused, and both instants are named`(
        _ local: String,
        _ zone: String,
        _ first: String,
        _ second: String
    ) throws {
        let problem = try refusal(of: #"{"until": "\#(local)", "timeZone": "\#(zone)"}"#)
        #expect(pointers(problem) == ["/until"])
        let detail = try #require(problem.errors.first?.detail)
        #expect(detail.contains(first) && detail.contains(second) && detail.contains(zone))
    }

    @Test(arguments: [
        (#"{"at": "2026-12-01T09:00"}"#, ["/at"]),
        (#"{"at": "2026-12-01T09:00", "until": "2026-12-02", "timeZone": "UTC"}"#, ["/until"]),
        (#"{"at": "2026-12-01T09:00", "timeZone": "Europe/Londn"}"#, ["/timeZone"]),
        (#"{"at": "2026-12-01T09:00", "timeZone": ""}"#, ["/timeZone"]),
        (#"{"at": "2026-12-01T09:00", "timeZone": "../../etc/passwd"}"#, ["/timeZone"]),
        (#"{"at": "2026-12-01T09:00", "timeZone": "GMT+25:00"}"#, ["/timeZone"]),
        (#"{"at": "2026-12-01T09:00", "timeZone": "BST"}"#, ["/timeZone"]),
        (#"{"at": "2026-12-01T09:00", "timeZone": "EST5EDT"}"#, ["/timeZone"]),
        (#"{"at": "2026-12-01T09:00", "timeZone": 3}"#, ["/timeZone"]),
        (#"{"at": "2026-02-30T09:00", "timeZone": "UTC"}"#, ["/at"]),
        (#"{"at": "2026-12-01T24:00", "timeZone": "UTC"}"#, ["/at"]),
        (#"{"at": "2026-12-01 09:00", "timeZone": "UTC"}"#, ["/at"]),
        (#"{"at": "10000-01-01T00:00:00Z"}"#, ["/at"]),
        (#"{"at": 1796115600000}"#, ["/at"]),
        (#"{"at": "2026-12-01T09:00:00Z", "zone": "UTC"}"#, ["/zone"]),
    ])
    func `anything else is refused where it stands`(_ body: String, _ places: [String]) throws {
        #expect(pointers(try refusal(of: body)) == places)
    }

    @Test func `a schedule is taken away by null, and by nothing less`() throws {
        #expect(try SchedulingForm(body: Array(#"{"schedule": null}"#.utf8)).schedule == nil)
        let problem = try #require(throws: Problem.self) {
            try SchedulingForm(body: Array("{}".utf8))
        }
        #expect(pointers(problem) == ["/schedule"])
    }

    @Test func `what is written is read again, and answered with local times`() throws {
        let schedule = Schedule(
            at: Instant(rfc3339: "2027-07-01T08:00:00Z"),
            until: Instant(rfc3339: "2027-12-01T09:00:00Z"),
            timeZone: try #require(TimeZoneName("Europe/London"))
        )
        let form = SchedulingForm(schedule: schedule)
        #expect(try SchedulingForm(body: form.bytes) == form)
        let answer = Schedule.answered.json(schedule)
        #expect(answer["atLocal"]?.string == "2027-07-01T09:00:00.000+01:00")
        #expect(answer["untilLocal"]?.string == "2027-12-01T09:00:00.000+00:00")
        var reader = ObjectReader(answer)
        let read = Schedule.answered.read(&reader)
        #expect(read == schedule)
        let behind = try #require(TimeZoneName("America/St_Johns").flatMap(ZoneClock.init))
        #expect(behind.text(try #require(schedule.at)) == "2027-07-01T05:30:00.000-02:30")
    }

    @Test func `a zone that this machine does not know is answered without local times`() throws {
        let zone = try #require(TimeZoneName("Mars/Olympus"))
        let schedule = Schedule(at: .init(millisecondsSince1970: 0), until: nil, timeZone: zone)
        let answer = Schedule.answered.json(schedule)
        #expect(answer["atLocal"] == .null)
        var reader = ObjectReader(answer)
        let read = Schedule.answered.read(&reader)
        #expect(read == schedule)
    }

    private func refusal(of body: String) throws -> Problem {
        try #require(throws: Problem.self) { try Schedule(body: Array(body.utf8)) }
    }
}
