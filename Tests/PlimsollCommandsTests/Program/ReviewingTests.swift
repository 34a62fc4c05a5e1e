import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Talking about changes, freezing and going back to what was good, against a real HTTP server.
struct ReviewingTests {
    private typealias Reply = ScriptedService.Reply

    @Test(arguments: [
        ("request-changes", ["--reason", "Welsh is missing"]), ("apply", []),
        ("revise", ["--set", "ios.minimumApp.value=3.2.1", "--base", "42"]),
    ])
    func `what binds to a digest is confirmed, and sent with it`(
        _ verb: String,
        _ options: [String]
    ) async throws {
        let script = [
            "GET /v1/changes/17": [Reply(try Samples.change(.proposed))],
            "POST /v1/changes/17/\(verb)": [Reply(try Samples.change(.applied, at: 57))],
        ]
        try await ScriptedService.with(script) { service, url in
            let command = ["change", verb, "17"] + options
            let unconfirmed = try await plimsoll(command, service: url)
            #expect(unconfirmed.code == 2)
            #expect(service.requests.isEmpty)
            let run = try await plimsoll(command + ["--yes"], service: url)
            #expect(run.code == 0)
            #expect(service.requests == ["GET /v1/changes/17", "POST /v1/changes/17/\(verb)"])
            #expect(service.seen.last?.headers["if-match"] == "\"\(Samples.digestText)\"")
        }
    }

    // Goal: whoever is told who can help need not look an id up. Method: a refusal names alice by
    // her id, once where people are listed for the caller and once where they are not.
    @Test(arguments: [true, false])
    func `a refusal names people by their names where those may be seen`(
        _ isListed: Bool
    ) async throws {
        let id = Samples.alice.text
        let fault = Problem.Fault(
            at: nil,
            code: "approvalsMissing",
            detail: "The rule text needs 1 approval of \(id), has 0.",
            remedy: "Ask \(id)."
        )
        let path = "POST /v1/changes/17/apply"
        var script = [
            "GET /v1/changes/17": [Reply(try Samples.change(.proposed))],
            path: [Reply(Problem(.conflict, detail: fault.detail, errors: [fault]))],
        ]
        if isListed {
            let alice = PrincipalAnswer(id: Samples.alice, name: "alice", roles: [])
            script["GET /v1/principals"] = [Reply(PrincipalList(principals: [alice]))]
        }
        try await ScriptedService.with(script) { _, url in
            let run = try await plimsoll(["change", "apply", "17", "--yes"], service: url)
            #expect(run.code == 6)
            #expect(run.errors.contains("of \(isListed ? "alice" : id), has 0"))
            #expect(run.errors.contains("Ask \(isListed ? "alice" : id)."))
        }
    }

    @Test(arguments: [
        (["change", "apply", "17"], "changes/17/apply", "changedSince", "plimsoll change show 17"),
        (
            ["rollback", "--to-event", "30", "--reason", "No", "--app", "harbour"],
            "apps/harbour/rollback", "targetDiffers", "the same command again"
        ),
    ])
    func `who is overtaken is shown where to look`(
        _ command: [String],
        _ path: String,
        _ code: String,
        _ next: String
    ) async throws {
        let fault = Problem.Fault(at: nil, code: code, detail: "It moved.")
        let script = [
            "GET /v1/changes/17": [Reply(try Samples.change(.proposed))],
            "POST /v1/\(path)": [Reply(Problem(.stale, detail: fault.detail, errors: [fault]))],
        ]
        try await ScriptedService.with(script) { _, url in
            let run = try await plimsoll(command + ["--yes"], service: url)
            #expect(run.code == 5)
            #expect(run.errors.contains("Next: \(next)"), "\(run.errors)")
        }
    }

    @Test func `a conflict is shown with the command that decides it`() async throws {
        let field = Field(.ios, .minimumApp, .value)
        let change = ChangeAnswer(
            summary: try Samples.change(.proposed).summary,
            reason: nil,
            operations: [],
            effect: [],
            digest: nil,
            outcome: ChangeOutcome(),
            conflicts: [
                FieldConflict(
                    field: field,
                    base: nil,
                    live: nil,
                    write: FieldWrite(
                        position: Position(43),
                        actor: Samples.alice,
                        recordedAt: Samples.instant
                    )
                )
            ]
        )
        let script = [
            "GET /v1/changes/17": [Reply(change)],
            "GET /v1/apps/harbour": [Reply(try Samples.app())],
        ]
        try await ScriptedService.with(script) { _, url in
            let shown = ["change", "show", "17", "--format", "table"]
            let run = try await plimsoll(shown, service: url)
            let place = field.path
            #expect(
                run.output.contains(
                    "plimsoll change revise 17 --mine \(place), or --theirs \(place)\n"
                ),
                "\(run.output)"
            )
            #expect(run.output.contains("Its edits do not fit what is live any more."))
        }
    }

    @Test func `a revision edits what the change has, and says whose a field is to be`()
        async throws
    {
        let own = try Samples.document(minimumApp: "3.2.0", "Update, please.")
        let script = [
            "GET /v1/changes/17": [Reply(try Samples.change(.proposed, of: own))],
            "POST /v1/changes/17/revise": [Reply(try Samples.change(.proposed, at: 57))],
        ]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                [
                    "change", "revise", "17", "--set", "ios.minimumApp.value=3.2.1", "--base", "42",
                    "--mine", "ios.minimumApp.value", "--theirs", "ios.minimumApp.title.en",
                    "--yes",
                ],
                service: url
            )
            #expect(run.code == 0, "\(run.errors)")
            let sent = try #require(service.seen.last).json()
            let edits = sent["operations"]?.array ?? []
            #expect(edits.map { $0["op"] } == ["setText", "setValue"])
            #expect(edits.last?["value"] == "3.2.1")
            #expect(
                sent["resolve"]
                    == ["ios.minimumApp.title.en": "theirs", "ios.minimumApp.value": "mine"]
            )
        }
    }

    @Test func `a comment is sent as it is written`() async throws {
        let script = ["POST /v1/changes/17/comment": [Reply(try Samples.change(.proposed))]]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(["change", "comment", "17", "At noon."], service: url)
            #expect(run.code == 0)
            #expect(try service.seen.last?.json() == ["comment": "At noon."])
        }
    }

    @Test func `a freeze is of one app or of all`() async throws {
        let freeze = FreezeAnswer(
            app: nil,
            by: Samples.alice,
            since: Samples.instant,
            reason: try Reason(validating: "Launch day")
        )
        let script = [
            "POST /v1/freeze": [Reply(freeze)],
            "DELETE /v1/apps/harbour/freeze": [Reply(bytes: [], .noContent)],
        ]
        try await ScriptedService.with(script) { service, url in
            let on = ["freeze", "on", "--all", "--reason", "Launch day"]
            let started = try await plimsoll(on, service: url)
            #expect(started.code == 0)
            #expect(try started.json()["since"] == .string(Samples.instant.rfc3339))
            let off = ["freeze", "off", "--app", "harbour", "--reason", "It is over"]
            let ended = try await plimsoll(off, service: url)
            #expect(ended.code == 0)
            #expect(
                service.requests.prefix(2) == ["POST /v1/freeze", "DELETE /v1/apps/harbour/freeze"]
            )
            #expect(try service.seen[1].json() == ["reason": "It is over"])
        }
    }

    // Goal: nobody takes an app for thawed that everything's freeze still holds.
    @Test func `who ends the freeze of an app is told of the one of everything`() async throws {
        for (app, isTold) in [(nil, true), (try Samples.slug(), false)] as [(AppSlug?, Bool)] {
            let freeze = FreezeAnswer(
                app: app,
                by: Samples.alice,
                since: Samples.instant,
                reason: try Reason(validating: "Launch day")
            )
            let script = [
                "GET /v1/apps/harbour/freeze": [Reply(FreezesAnswer(freeze: freeze, plans: []))],
                "DELETE /v1/apps/harbour/freeze": [Reply(bytes: [], .noContent)],
            ]
            try await ScriptedService.with(script) { _, url in
                let run = try await plimsoll(["freeze", "off", "--app", "harbour"], service: url)
                #expect(run.code == 0, "\(run.errors)")
                #expect(run.errors.contains("The freeze of harbour is over."))
                let words = "Everything is frozen since \(Samples.instant), by"
                #expect(run.errors.contains(words) == isTold, "\(run.errors)")
            }
        }
    }

    // Goal: nobody takes a freeze that holds for one that is still to come. Method: the app has one
    // that nobody planned, while a planned one of everything is in force.
    @Test func `a planned freeze that is in force behind another one is not told as to come`()
        async throws
    {
        let freeze = FreezeAnswer(
            app: try Samples.slug(),
            by: Samples.alice,
            since: Samples.instant,
            reason: nil
        )
        let plan = FreezePlanAnswer(
            plan: Position(57),
            app: nil,
            window: FreezeWindow(
                from: try #require(Instant(rfc3339: "2001-06-30T17:00:00Z")),
                until: try #require(Instant(rfc3339: "2999-07-02T08:00:00Z")),
                timeZone: .utc
            ),
            by: Samples.alice,
            reason: nil
        )
        let script = [
            "GET /v1/apps/harbour/freeze": [Reply(FreezesAnswer(freeze: freeze, plans: [plan]))]
        ]
        try await ScriptedService.with(script) { _, url in
            let show = ["freeze", "show", "--app", "harbour", "--format", "table"]
            let shown = try await plimsoll(show, service: url)
            #expect(shown.output.contains("harbour is frozen since \(Samples.instant)"))
            #expect(shown.output.contains("Everything is frozen from Sat 2001-06-30 17:00 UTC"))
            #expect(!shown.output.contains("will be"))
        }
    }

    @Test func `a freeze is planned in a zone, shown with weekdays, and cancelled`() async throws {
        let window = FreezeWindow(
            from: try #require(Instant(rfc3339: "2027-06-30T17:00:00Z")),
            until: try #require(Instant(rfc3339: "2027-07-02T08:00:00Z")),
            timeZone: try #require(TimeZoneName("Europe/London"))
        )
        let plan = FreezePlanAnswer(
            plan: Position(57),
            app: try Samples.slug(),
            window: window,
            by: Samples.alice,
            reason: try Reason(validating: "Holidays")
        )
        let script = [
            "POST /v1/apps/harbour/freeze/plans": [Reply(plan)],
            "GET /v1/apps/harbour/freeze": [Reply(FreezesAnswer(freeze: nil, plans: [plan]))],
            "DELETE /v1/apps/harbour/freeze/plans/57": [Reply(bytes: [], .noContent)],
        ]
        try await ScriptedService.with(script) { service, url in
            let times = [
                "--from", "2027-06-30T18:00", "--until", "2027-07-02T09:00", "--zone",
                "Europe/London",
            ]
            let planning = ["freeze", "plan", "--reason", "Holidays", "--app", "harbour"]
            let planned = try await plimsoll(planning + times, service: url)
            #expect(planned.code == 0, "\(planned.errors)")
            #expect(planned.errors.contains("plimsoll freeze cancel 57 --app harbour\n"))
            #expect(
                try service.seen.last?.json() == [
                    "from": "2027-06-30T17:00:00.000Z", "until": "2027-07-02T08:00:00.000Z",
                    "timeZone": "Europe/London", "reason": "Holidays",
                ]
            )
            let show = ["freeze", "show", "--app", "harbour", "--format", "table"]
            let shown = try await plimsoll(show, service: url)
            #expect(shown.output.contains("from Wed 2027-06-30 18:00 Europe/London"))
            #expect(shown.output.contains("until Fri 2027-07-02 09:00 Europe/London"))
            let cancel = ["freeze", "cancel", "57", "--app", "harbour"]
            #expect(try await plimsoll(cancel, service: url).code == 0)
            for (wrong, words) in [
                (["--from", "2027-06-30T18:00", "--until", "2027-07-02T09:00:00Z"], "no offset"),
                (
                    ["--from", "2027-03-28T01:30", "--until", "2027-07-02T09:00"] + times.suffix(2),
                    "never show"
                ),
                (["--from", "tomorrow", "--until", "2027-07-02T09:00:00Z"], "tomorrow"),
            ] {
                let run = try await plimsoll(planning + wrong, service: url)
                #expect(run.code == 2)
                #expect(run.errors.contains(words), "\(run.errors)")
            }
        }
    }

    @Test func `the last good state and single fields are destinations`() async throws {
        let script = [
            "POST /v1/apps/harbour/rollback": [Reply(try Samples.receipt(at: 61))]
        ]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                [
                    "rollback", "--to", "last-good", "--live-for", "12h", "--only",
                    "ios.minimumApp.value", "--only", "ios.minimumOS", "--reason", "x", "--yes",
                    "--app", "harbour",
                ],
                service: url
            )
            #expect(run.code == 0)
            let sent = try #require(service.seen.last).json()
            #expect(sent["to"] == ["lastGood": 43_200])
            #expect(sent["fields"] == ["ios.minimumApp.value"])
            #expect(sent["thresholds"] == ["ios.minimumOS"])
        }
    }

    @Test(arguments: [
        ["rollback", "--to", "last-good", "--live-for", "0s", "--reason", "x"],
        ["rollback", "--to-event", "4", "--live-for", "12h", "--reason", "x"],
        ["rollback", "--to-event", "4", "--to", "last-good", "--reason", "x"],
        ["rollback", "--to", "yesterday", "--reason", "x"],
        ["rollback", "--to-event", "4", "--only", "minimumApp", "--reason", "x"],
        [
            "rollback", "--to-event", "4", "--platform", "ios", "--only",
            "ios.minimumApp.value", "--reason", "x",
        ],
        ["freeze", "on"], ["freeze", "on", "--all", "--app", "harbour", "--reason", "x"],
        ["change", "revise", "17"], ["propose", "--title", "x"],
        ["change", "revise", "17", "--mine", "minimumApp"],
        [
            "change", "revise", "17", "--mine", "ios.minimumApp.value", "--theirs",
            "ios.minimumApp.value",
        ], ["change", "comment", "17"],
        ["change", "request-changes", "17"],
    ])
    func `wrong usage ends with 2, and asks nobody`(_ arguments: [String]) async throws {
        let run = try await plimsoll(arguments, service: "http://127.0.0.1:9")
        #expect(run.code == 2)
        #expect(run.errors.hasPrefix("Error: "))
    }
}
