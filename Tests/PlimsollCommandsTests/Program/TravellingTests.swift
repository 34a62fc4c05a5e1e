import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Commands that compare states and look into the past, against a real HTTP server that answers
/// what it is told.
struct TravellingTests {
    private typealias Reply = ScriptedService.Reply

    private func diff(
        _ from: StateName,
        _ to: StateName,
        _ more: [FieldChange] = []
    ) throws -> Reply {
        let change = FieldChange(
            field: Field(.ios, .minimumApp, .value),
            before: .version(.dotted(try #require(AppleVersion("3.1.0")))),
            after: .version(.dotted(try #require(AppleVersion("3.2.0"))))
        )
        return Reply(
            DiffAnswer(
                app: try Samples.slug(),
                from: DiffAnswer.Side(name: from, position: Position(30)),
                to: DiffAnswer.Side(name: to, position: Position(42)),
                changes: from == to ? [] : [change] + more
            )
        )
    }

    private func script(_ more: [String: [Reply]]) throws -> [String: [Reply]] {
        let usual = [
            "GET /v1/apps": [Reply(AppList(apps: [try Samples.app()]))],
            "GET /v1/principals": [Reply(PrincipalList(principals: []))],
        ]
        return usual.merging(more) { _, new in new }
    }

    @Test func `two states are compared by the service`() async throws {
        let replies = try script([
            "GET /v1/apps/harbour/diff": [
                diff(.event(Position(30)), .live), diff(.live, .live),
            ]
        ])
        try await ScriptedService.with(replies) { service, url in
            let differ = try await plimsoll(
                ["diff", "event:30", "live", "--platform", "ios"],
                service: url
            )
            #expect(differ.code == 3)
            #expect(try differ.json()["changes"]?.array?.count == 1)
            #expect(
                service.requests.last
                    == "GET /v1/apps/harbour/diff?from=event%3A30&to=live&platform=ios"
            )
            let same = try await plimsoll(["diff", "live", "live"], service: url)
            #expect(same.code == 0)
            #expect(try same.json()["same"] == true)
        }
    }

    // Goal: a file is compared with a state that no single answer has. Method: the document as it
    // is says 3.1.0, an open change would make it 3.2.0, and so does the file; what else the change
    // would do, no file says.
    @Test func `a file is compared with what a change would make of it`() async throws {
        let live = try Samples.document(minimumApp: "3.1.0")
        let wanted = try Samples.served(Samples.document(minimumApp: "3.2.0"), at: 50)
        let offers = FieldChange(
            field: .offers(of: .ios),
            before: nil,
            after: .offers([.nothing(on: .ios)])
        )
        let change = StateName.change(try #require(ChangeID("17")))
        let replies = try script([
            "GET /v1/apps/harbour/documents/ios": [Reply(try Samples.answer(live))],
            "GET /v1/apps/harbour/diff": [diff(.event(Position(42)), change, [offers])],
        ])
        try await ScriptedService.with(replies) { service, url in
            try await withFile("availability-ios.json", wanted) { path in
                let run = try await plimsoll(["diff", "change:17", "file:\(path)"], service: url)
                #expect(run.code == 0, "\(run.output)")
                #expect(
                    service.requests.suffix(2) == [
                        "GET /v1/apps/harbour/documents/ios?event=42",
                        "GET /v1/apps/harbour/diff?from=event%3A42&to=change%3A17&platform=ios",
                    ]
                )
            }
        }
    }

    @Test func `two addresses that phones know are compared without a token`() async throws {
        let served = try ["3.1.0", "3.2.0"].map {
            Reply(bytes: try Samples.served(Samples.document(minimumApp: $0), at: 50))
        }
        let replies = [
            "GET /a/availability-ios": [served[0]], "GET /b/availability-ios": [served[1]],
        ]
        try await ScriptedService.with(replies) { _, url in
            let (old, new) = ("\(url)/a/availability-ios", "\(url)/b/availability-ios")
            let differ = try await plimsoll(
                ["diff", old, new, "--format", "table"],
                token: nil
            )
            #expect(differ.code == 3)
            #expect(differ.output == "iOS minimum app 3.1.0 → 3.2.0\n")
            #expect(try await plimsoll(["diff", old, old], token: nil).code == 0)
            let missing = try await plimsoll(["diff", old, "\(url)/availability-ios"], token: nil)
            #expect(missing.code == 1)
            #expect(missing.errors.contains("answered 404"))
        }
    }

    // Goal: one field's history is the field's own, and any other filter makes it the record's.
    @Test func `one field by itself shows its values with the people behind them`() async throws {
        let field = Field(.ios, .minimumApp, .value)
        let answer = FieldHistoryAnswer(
            app: try Samples.slug(),
            field: field,
            writes: [
                FieldHistoryAnswer.Write(
                    change: try #require(Samples.effect().first { $0.field == field }),
                    event: Position(40),
                    recordedAt: Samples.instant,
                    origin: FieldOrigin(
                        author: Samples.alice,
                        approvers: [Samples.alice],
                        change: ChangeID("17"),
                        reason: "It loses data."
                    )
                )
            ],
            next: nil
        )
        let replies = try script([
            "GET /v1/apps/harbour/documents/ios/history": [Reply(answer)],
            "GET /v1/events": [Reply(bytes: Array(#"{"events": [], "next": null}"#.utf8))],
        ])
        try await ScriptedService.with(replies) { service, url in
            let own = ["history", "--field", "ios.minimumApp.value"]
            let table = try await plimsoll(own + ["--format", "table"], service: url)
            #expect(table.code == 0)
            #expect(table.output.contains("harbour: iOS minimum app"))
            #expect(table.output.contains("3.1.0"))
            #expect(table.output.contains("It loses data."))
            let json = try await plimsoll(own + ["--limit", "7"], service: url).json()
            #expect(json["history"]?.array?.first?["after"] == "3.2.0")
            #expect(
                service.requests.last?.hasSuffix("?field=ios.minimumApp.value&limit=7") == true
            )
            let newest = try await plimsoll(own + ["--order", "newest"], service: url)
            #expect(try newest.json()["history"] == json["history"])
            let oldest = try await plimsoll(own + ["--order", "oldest"], service: url)
            #expect(try oldest.json()["events"] == [])
            let narrowed = try await plimsoll(own + ["--type", "ThresholdSet"], service: url)
            #expect(try narrowed.json()["events"] == [])
            let everywhere = own + ["--all-apps"]
            let run = try await plimsoll(everywhere, service: url, app: "harbour")
            #expect(try run.json()["events"] == [])
            #expect(service.requests.last == "GET /v1/events?field=ios.minimumApp.value&limit=50")
        }
    }

    // Whoever watches in an outage is told of it, and not that a connection broke which there never was.
    @Test func `who follows the record is told why it does not come`() async throws {
        let replies = try script([
            "GET /v1/events": [
                Reply(Problem(.unavailable, detail: "The log has not been read yet.")),
                Reply(Problem(.forbidden, detail: "This needs the role auditor.")),
            ]
        ])
        try await ScriptedService.with(replies) { _, url in
            let run = try await plimsoll(["history", "--follow"], service: url)
            #expect(run.code == 1)
            #expect(run.errors.contains("The log has not been read yet. Going on in a moment."))
            #expect(run.errors.contains("This needs the role auditor."))
        }
    }

    @Test func `apps are listed as they were`() async throws {
        try await ScriptedService.with(try script([:])) { service, url in
            let run = try await plimsoll(["apps", "list", "--event", "42"], service: url)
            #expect(run.code == 0)
            #expect(service.requests.last == "GET /v1/apps?event=42")
            let both = ["apps", "list", "--event", "42", "--at", "2026-11-21T08:00:00Z"]
            #expect(try await plimsoll(both, service: url).code == 2)
        }
    }
}
