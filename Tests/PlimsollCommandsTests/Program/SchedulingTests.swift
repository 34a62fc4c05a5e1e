import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Saying when a change comes into force, against a real HTTP server.
struct SchedulingTests {
    private typealias Reply = ScriptedService.Reply

    private func replies() throws -> [String: [Reply]] {
        [
            "GET /v1/apps": [Reply(AppList(apps: [try Samples.app()]))],
            "POST /v1/apps/harbour/changes": [Reply(try Samples.change(.proposed), .created)],
            "GET /v1/changes/17": [Reply(try Samples.change(.scheduled))],
            "POST /v1/changes/17/schedule": [Reply(try Samples.change(.proposed))],
        ]
    }

    private static let orders: [(options: [String], schedule: JSONValue)] = [
        (
            ["--at", "2027-07-01T09:00", "--time-zone", "Europe/London"],
            ["at": "2027-07-01T08:00:00.000Z", "until": nil, "timeZone": "Europe/London"]
        ),
        (
            ["--at", "2027-07-01T09:00:00+02:00", "--until", "2027-07-02T09:00:00Z"],
            [
                "at": "2027-07-01T07:00:00.000Z", "until": "2027-07-02T09:00:00.000Z",
                "timeZone": "UTC",
            ]
        ),
    ]

    @Test(arguments: orders)
    func `a time is sent with a proposal, and with an order of its own`(
        _ options: [String],
        _ schedule: JSONValue
    ) async throws {
        try await ScriptedService.with(try replies()) { service, url in
            let edits = ["--set", "ios.minimumApp.value=3.2.0", "--title", "x"]
            let proposed = try await plimsoll(["propose"] + edits + options, service: url)
            #expect(proposed.code == 0)
            #expect(try service.seen.last?.json()["schedule"] == schedule)
            let order = ["change", "schedule", "17"] + options
            let unconfirmed = try await plimsoll(order, service: url)
            #expect(unconfirmed.code == 2)
            let ordered = try await plimsoll(order + ["--yes"], service: url)
            #expect(ordered.code == 0)
            #expect(try service.seen.last?.json() == ["schedule": schedule])
            #expect(service.seen.last?.headers["if-match"] == "\"\(Samples.digestText)\"")
        }
    }

    @Test func `the last approval of a change whose time is to come needs nobody any more`()
        async throws
    {
        let schedule = Schedule(
            at: Instant(rfc3339: "2027-07-01T08:00:00Z"),
            until: nil,
            timeZone: try #require(TimeZoneName("Europe/London"))
        )
        let need = ApprovalRequirement(1, of: .approver)
        let expiring = MissingApproval(kind: .text, requirement: need, have: 0)
        let freeze = FreezePlanAnswer(
            plan: Position(57),
            app: nil,
            window: FreezeWindow(
                from: try #require(schedule.at),
                until: try #require(Instant(rfc3339: "2027-07-02T08:00:00Z")),
                timeZone: .utc
            ),
            by: Samples.alice,
            reason: nil
        )
        let courses = [
            (SuspensionCause?.none, ChangeCourse(), Int32(0), "into force at Thu 2027-07-01 09:00"),
            (.missed, ChangeCourse(), 6, SuspensionCause.missed.remedy),
            (
                .missed, ChangeCourse(missing: [MissingAnswer(expiring, couldGive: [])]), 6,
                "still needs approvals"
            ),
            (.approvals, ChangeCourse(), 6, "plimsoll change apply 17 brings it into force"),
            (nil, ChangeCourse(missingAtTime: [expiring]), 6, "end before that"),
            (nil, ChangeCourse(freezeAtTime: freeze), 0, "falls into a planned freeze"),
            (nil, ChangeCourse(endsBefore: [.first]), 0, "takes back what it was made on"),
        ]
        for (suspension, course, code, words) in courses {
            let script = [
                "GET /v1/changes/17": [Reply(try Samples.change(.proposed))],
                "POST /v1/changes/17/approve": [
                    Reply(
                        try Samples.change(
                            suspension == nil ? .scheduled : .suspended,
                            schedule: schedule,
                            suspension: suspension,
                            course: course
                        )
                    )
                ],
            ]
            try await ScriptedService.with(script) { _, url in
                let run = try await plimsoll(["change", "approve", "17", "--yes"], service: url)
                #expect(run.code == code)
                #expect(run.errors.contains(words), "\(run.errors)")
            }
        }
    }

    // Goal: nobody waits for an approval that the policy does not ask for.
    @Test(arguments: [
        (ChangeState.approved, "plimsoll change apply 17"),
        (.scheduled, "comes into force at Thu 2027-07-01 09:00 Europe/London"),
        (.proposed, "plimsoll change approve 17"),
    ])
    func `what is done next with a proposal depends on whether anybody has to approve it`(
        _ state: ChangeState,
        _ words: String
    ) async throws {
        let schedule = Schedule(
            at: Instant(rfc3339: "2027-07-01T08:00:00Z"),
            until: nil,
            timeZone: try #require(TimeZoneName("Europe/London"))
        )
        let proposed = try Samples.change(state, schedule: state == .scheduled ? schedule : nil)
        let script = try replies().merging(
            ["POST /v1/apps/harbour/changes": [Reply(proposed, .created)]]
        ) { $1 }
        try await ScriptedService.with(script) { _, url in
            let edits = ["propose", "--set", "ios.minimumApp.value=3.2.0", "--title", "x"]
            let run = try await plimsoll(edits, service: url)
            #expect(run.code == 0)
            #expect(run.errors.contains(words), "\(run.errors)")
        }
    }

    @Test func `a schedule is taken away`() async throws {
        try await ScriptedService.with(try replies()) { service, url in
            let run = try await plimsoll(
                ["change", "schedule", "17", "--clear", "--yes"],
                service: url
            )
            #expect(run.code == 0)
            #expect(try service.seen.last?.json() == ["schedule": nil])
        }
    }

    @Test func `both ends of its time are shown, in its zone and in UTC`() async throws {
        let schedule = Schedule(
            at: Instant(rfc3339: "2027-07-01T08:00:00Z"),
            until: Instant(rfc3339: "2027-07-08T08:00:00Z"),
            timeZone: try #require(TimeZoneName("Europe/London"))
        )
        let term = ChangeTerm(
            state: .ended,
            applied: Position(57),
            ended: Position(61),
            endedAt: schedule.until
        )
        let answer = try Samples.change(
            .applied,
            schedule: schedule,
            course: ChangeCourse(term: term)
        )
        let script = ["GET /v1/changes/17": [Reply(answer)]]
        try await ScriptedService.with(script) { _, url in
            let shown = try await plimsoll(
                ["change", "show", "17", "--format", "table"],
                service: url
            )
            for words in [
                "Thu 2027-07-01 09:00 Europe/London (2027-07-01T08:00:00.000Z)",
                "Thu 2027-07-08 09:00 Europe/London (2027-07-08T08:00:00.000Z)",
                "applied by event 57, ended by event 61",
            ] {
                #expect(shown.output.contains(words))
            }
        }
    }

    @Test(arguments: [
        (["--at", "2027-07-01T09:00"], "give a time zone"),
        (["--at", "2027-10-31T01:30", "--time-zone", "Europe/London"], "2027-10-31T00:30:00.000Z"),
        (["--until", "2027-03-28T01:30", "--time-zone", "Europe/London"], "never show"),
        (["--at", "2027-07-01T09:00", "--time-zone", "Europe/Londn"], "Europe/Londn"),
        (["--at", "tomorrow"], "tomorrow"), (["--time-zone", "Europe/London"], "--at"),
        (["--clear", "--at", "2027-07-01T09:00:00Z"], "--clear"), ([], "--clear"),
    ])
    func `what names no single instant is wrong usage, and nobody is asked`(
        _ options: [String],
        _ words: String
    ) async throws {
        let run = try await plimsoll(
            ["change", "schedule", "17"] + options,
            service: "http://127.0.0.1:9"
        )
        #expect(run.code == 2)
        #expect(run.errors.contains(words), "\(run.errors)")
    }
}
