import Foundation
import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollCommands

/// Blocking a version and reviewing it, against a real HTTP server that answers what it is told.
struct BlockingTests {
    private typealias Reply = ScriptedService.Reply

    private static let path = "POST /v1/apps/harbour/block"
    private let block = ["block", "ios", "--below", "3.2.0", "--reason", "3.1 loses bookings"]

    private func receipt(at position: Int?) throws -> EmergencyAnswer {
        EmergencyAnswer(
            app: try Samples.slug(),
            change: position.flatMap { _ in ChangeID("18") },
            position: position.map { Position($0) },
            sequence: position.flatMap { SnapshotSequence(rawValue: Int64($0)) },
            incident: try Title(validating: "INC-731"),
            review: .init(
                position: position.map { Position($0 - 2) },
                order: ReviewOrder(owner: Samples.alice, role: .approver, due: Samples.instant)
            ),
            changes: try Samples.effect(),
            stays: [
                FieldChange(
                    field: Field(.ios, .minimumApp, .value),
                    before: .version(dotted("3.4.0")),
                    after: .version(dotted("3.2.0"))
                )
            ],
            textsMissing: [try #require(Field(path: "ios.minimumApp.description.cy"))]
        )
    }

    private func review(_ state: ReviewAnswer.State) throws -> ReviewAnswer {
        ReviewAnswer(
            position: Position(59),
            before: Position(57),
            app: try Samples.slug(),
            kind: .emergency,
            change: ChangeID("18"),
            state: state,
            actor: Samples.alice,
            since: Samples.instant,
            reason: nil,
            incident: nil,
            order: ReviewOrder(owner: Samples.alice, role: .approver, due: Samples.instant),
            reviewers: [],
            verdict: nil
        )
    }

    @Test func `without a terminal nothing is blocked unless it is confirmed`() async throws {
        let arguments = block
        try await ScriptedService.with([Self.path: [Reply(try receipt(at: 61))]]) { service, url in
            let run = try await plimsoll(arguments, service: url)
            #expect(run.code == 2)
            #expect(service.requests.isEmpty)
        }
    }

    @Test func `a confirmed block of a named app is one request, and waits for phones`()
        async throws
    {
        let arguments =
            block + [
                "--yes", "--app", "harbour", "--incident", "INC-731", "--wait", "--format", "table",
            ]
        let document = try Samples.document(minimumApp: "3.2.0")
        let edge = "GET /distribution/harbour/availability-ios"
        let publisher = Publisher()
        let script = [
            Self.path: [Reply(try receipt(at: 61))],
            "GET /v1/keys": [Reply(try Samples.keys(publisher))],
            edge: try [40, 61].map {
                try Reply(try Samples.served(document, at: $0), signedBy: publisher)
            },
        ]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(arguments, service: url, edge: url)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("ordered as sequence 61"))
            #expect(run.output.contains("plimsoll reviews show 59"))
            #expect(run.output.contains("iOS minimum app description (cy)"))
            #expect(run.output.contains("iOS minimum app for good: 3.4.0 was to come back"))
            #expect(service.requests.filter { $0 == edge }.count == 2)
            let sent = try #require(service.seen.first { $0.method == "POST" }).json()
            #expect(sent["below"] == "3.2.0" && sent["incident"] == "INC-731")
        }
    }

    // Goal: texts are given as people give them elsewhere. Method: some in a file, some on the command
    // line, which count before those of the file.
    @Test func `a block takes texts, from the command line and from a file`() async throws {
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appending(path: "\(UUID()).json")
        try Data(#"{"title": {"en": "Old"}, "description": {"en": "Old", "cy": "Hen"}}"#.utf8)
            .write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let sending =
            block + [
                "--yes", "--app", "harbour", "--file", file.path, "--text",
                "description.en=It is on its way.", "--text", "ios.minimumApp.title.de=Leider",
            ]
        try await ScriptedService.with([Self.path: [Reply(try receipt(at: 61))]]) { service, url in
            let run = try await plimsoll(sending, service: url)
            #expect(run.code == 0, "\(run.errors)")
            let sent = try #require(service.seen.first { $0.method == "POST" }).json()
            #expect(
                sent["texts"] == [
                    "title": ["de": "Leider", "en": "Old"],
                    "description": ["cy": "Hen", "en": "It is on its way."],
                ]
            )
        }
        for wrong in [
            ["--text", "recommendedApp.title.en=No"], ["--text", "android.minimumApp.title.en=No"],
            ["--text", "description.en=A", "--text", "description.en=B"], ["--text", "en=A"],
            ["--text", "description.en="],
        ] {
            try await ScriptedService.with([:]) { service, url in
                let run = try await plimsoll(block + ["--yes"] + wrong, service: url)
                #expect(run.code == 2, "\(wrong): \(run.errors)")
                #expect(service.requests.isEmpty)
            }
        }
    }

    // Goal: after --accept-log nobody is told that phones have a block that is not published. Method:
    // the edge serves a snapshot that the service's log has not come to.
    @Test func `what is served of a log that was given up is no proof, and ends with 7`()
        async throws
    {
        let arguments =
            block + ["--yes", "--app", "harbour", "--wait=10s", "--format", "table"]
        let document = try Samples.document(minimumApp: "3.1.0")
        let publisher = Publisher()
        let fault = Problem.Fault(
            at: .parameter("to"),
            code: "targetAhead",
            detail: "There is no event 1248; the log ends at 61.",
            remedy: "Choose an event from the history."
        )
        let script = [
            Self.path: [Reply(try receipt(at: 61))],
            "GET /v1/keys": [Reply(try Samples.keys(publisher))],
            "GET /v1/apps/harbour/diff": [
                Reply(Problem(.notFound, detail: fault.detail, errors: [fault]))
            ],
            "GET /distribution/harbour/availability-ios": [
                try Reply(try Samples.served(document, at: 1248), signedBy: publisher)
            ],
        ]
        try await ScriptedService.with(script) { _, url in
            let run = try await plimsoll(arguments, service: url, edge: url)
            #expect(run.code == 7, "\(run.errors)")
            #expect(run.output.contains("done as event 61"))
            #expect(!run.output.contains("published as"))
            for words in [
                "snapshot 1248 of the log that was given up", "published until event 1248",
                "The write itself is done.",
            ] {
                #expect(run.errors.contains(words), "\(run.errors)")
            }
        }
    }

    @Test func `a proposer is told the command that proposes it`() async throws {
        let fault = Problem.Fault(
            at: nil,
            code: "proposeInstead",
            detail: "To act at once needs the role responder for the app harbour.",
            remedy: "Propose the same edits."
        )
        let refusal = Problem(.forbidden, detail: fault.detail, errors: [fault])
        let arguments = block + ["--app", "harbour"]
        try await ScriptedService.with([Self.path: [Reply(refusal)]]) { _, url in
            for more in [["--yes"], ["--dry-run"]] {
                let run = try await plimsoll(arguments + more, service: url)
                #expect(run.code == 1)
                #expect(
                    run.errors.contains(
                        "Next: plimsoll propose --app harbour --platform ios"
                            + " --set minimumApp.value=3.2.0"
                    )
                )
            }
        }
    }

    @Test func `of two with one name the ids are where people are listed`() async throws {
        let ritas = [Samples.alice, PrincipalID(UUID())].map {
            PrincipalAnswer(id: $0, name: "rita", roles: [])
        }
        let script = ["GET /v1/principals": [Reply(PrincipalList(principals: ritas))]]
        let arguments = block + ["--app", "harbour", "--yes", "--owner"]
        try await ScriptedService.with(script) { service, url in
            for (name, words) in [("rita", "Several are called"), ("rosa", "nobody called")] {
                let run = try await plimsoll(arguments + [name], service: url)
                #expect(run.code == 1)
                #expect(run.errors.contains(words))
                #expect(run.errors.contains("Next: plimsoll principal list\n"))
            }
            #expect(service.requests.allSatisfy { $0 == "GET /v1/principals" })
        }
    }

    @Test func `what is blocked already ends with 3`() async throws {
        let nothing = Problem(.nothingToDo, detail: "Everything is as this would make it already.")
        let arguments = block + ["--app", "harbour", "--yes"]
        try await ScriptedService.with([Self.path: [Reply(nothing)]]) { _, url in
            let run = try await plimsoll(arguments, service: url)
            #expect(run.code == 3)
        }
    }

    @Test(arguments: [
        ["block", "ios", "--below", "3.2.0"], ["block", "--below", "3.2.0", "--reason", "x"],
        ["block", "symbian", "--below", "3.2.0", "--reason", "x"],
        ["block", "ios", "--below", "v3", "--reason", "x", "--yes"],
        ["block", "android", "--below", "3.2", "--reason", "x", "--yes"],
        ["block", "ios", "--below", "3.2.0", "--reason", "", "--yes"],
        ["emergency", "--set", "ios.minimumApp.value=3", "--title", "x", "--incident", "x"],
        ["emergency", "--set", "ios.minimumApp.value=3", "--title", "x", "--reason", "x"],
        ["reviews", "close", "59"], ["reviews", "close", "59", "--verdict", "objected"],
        ["reviews", "close", "59", "--verdict", "fine"], ["reviews", "show"],
    ])
    func `wrong usage asks nobody`(_ arguments: [String]) async throws {
        try await ScriptedService.with([:]) { service, url in
            let run = try await plimsoll(arguments, service: url)
            #expect(run.code == 2)
            #expect(service.requests.isEmpty)
        }
    }

    @Test func `an emergency sends the edits that a proposal would`() async throws {
        let path = "POST /v1/apps/harbour/emergency"
        try await ScriptedService.with([path: [Reply(try receipt(at: 61))]]) { service, url in
            let run = try await plimsoll(
                [
                    "emergency", "--app", "harbour", "--set", "ios.minimumApp.value=3.2.0",
                    "--title", "Block", "--reason", "Broken", "--incident", "INC-731", "--yes",
                ],
                service: url
            )
            #expect(run.code == 0)
            #expect(try run.json()["change"] == "18")
            let sent = try #require(service.seen.last).json()
            #expect(sent["incident"] == "INC-731" && sent["owner"] == .null)
            #expect(sent["operations"]?.array?.count == 1)
        }
    }

    // Goal: whoever waits waits for what phones are told, and for no file that there is not. Method: an
    // app that no marketplace lists goes back in what it offers there, alone or beside a minimum.
    @Test(arguments: [true, false])
    func `of an app that no marketplace lists its packages are not waited for`(
        alone: Bool
    ) async throws {
        let offered = FieldChange(field: .packages, before: nil, after: .packages([versionID(7)]))
        let effect = alone ? [offered] : try Samples.effect() + [offered]
        let receipt = RollbackAnswer(
            app: try Samples.slug(),
            position: Position(61),
            sequence: SnapshotSequence(rawValue: 61),
            target: Position(30),
            platforms: [.ios],
            changes: effect,
            outlook: try Samples.receipt(at: 61).outlook
        )
        let list = PackageList(
            app: try Samples.slug(),
            position: Position(61),
            listings: [],
            packages: [],
            offered: [versionID(7)],
            withdrawn: [],
            awaited: []
        )
        let publisher = Publisher()
        let document = try Samples.served(Samples.document(minimumApp: "3.2.0"), at: 61)
        let script = [
            "POST /v1/apps/harbour/rollback": [Reply(receipt)],
            "GET /v1/keys": [Reply(try Samples.keys(publisher))],
            "GET /v1/apps/harbour/packages": [Reply(list)],
            "GET /distribution/harbour/availability-ios": [
                try Reply(document, signedBy: publisher)
            ],
        ]
        let back = ["rollback", "--to-event", "30", "--reason", "No", "--app", "harbour", "--yes"]
        try await ScriptedService.with(script) { _, url in
            let run = try await plimsoll(back + ["--wait=20s"], service: url, edge: url)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("Phones are told nothing of it.") == alone)
            #expect(try run.json()["served"]?["event"] == (alone ? nil : 61))
        }
    }

    @Test(arguments: [#"{"at": "2027-07-01T09:00:00Z"}"#, #"{"until": "2027-07-01T09:00:00Z"}"#])
    func `an emergency from a file with a schedule is refused before anybody is asked`(
        schedule: String
    ) async throws {
        let file = """
            {"title": "Block", "reason": "Broken", "schedule": \(schedule), "operations": [{"op": \
            "setValue", "platform": "ios", "threshold": "minimumApp", "value": "3.2.0"}]}
            """
        let path = "POST /v1/apps/harbour/emergency"
        try await ScriptedService.with([path: [Reply(try receipt(at: 61))]]) { service, url in
            try await withFile("change.json", Array(file.utf8)) { file in
                let run = try await plimsoll(
                    [
                        "emergency", "--app", "harbour", "--file", file, "--incident", "INC-731",
                        "--yes",
                    ],
                    service: url
                )
                #expect(run.code == 1)
                #expect(run.errors.contains("Leave the schedule out of the file"))
                #expect(service.requests.isEmpty)
            }
        }
    }

    @Test func `reviews are listed, and closed with a verdict`() async throws {
        let script = [
            "GET /v1/reviews": [Reply(ReviewList(reviews: [try review(.overdue)], next: nil))],
            "POST /v1/reviews/59/close": [Reply(try review(.closed))],
        ]
        try await ScriptedService.with(script) { service, url in
            let list = try await plimsoll(
                ["reviews", "--overdue", "--format", "table"],
                service: url
            )
            #expect(list.code == 0)
            #expect(list.output.contains("emergency (change 18)"))
            #expect(service.requests.contains { $0.contains("overdue=true") })
            #expect(!service.requests.contains { $0.contains("closed") })
            _ = try await plimsoll(["reviews", "list", "--closed"], service: url)
            #expect(service.requests.contains { $0.contains("closed=true") })
            let close = ["reviews", "close", "59", "--verdict", "objected", "--comment", "3.1.9"]
            let closed = try await plimsoll(close, service: url)
            #expect(closed.code == 0)
            #expect(
                try service.seen.last?.json() == ["outcome": "objected", "comment": "3.1.9"]
            )
        }
    }

    @Test func `the doctor names what is overdue`() throws {
        #expect(ReviewCheck.finding(overdue: []).isGood)
        let finding = ReviewCheck.finding(overdue: [try review(.overdue)])
        #expect(!finding.isGood)
        #expect(finding.detail.contains("59 of harbour"))
        #expect(finding.remedy != nil)
    }
}
