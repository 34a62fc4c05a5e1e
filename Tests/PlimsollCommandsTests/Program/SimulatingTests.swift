import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// `plimsoll simulate` of one device, against a real HTTP server that answers what it is told.
struct SimulatingTests {
    private static let device = [
        "simulate", "--platform", "ios", "--os", "15.4", "--app-version", "3.1.0", "--lang", "de",
    ]

    private func answer(to name: StateName?) throws -> SimulationAnswer {
        SimulationAnswer(
            app: try Samples.slug(),
            platform: .ios,
            from: DiffAnswer.Side(name: .live, position: Position(42)),
            to: name.map { DiffAnswer.Side(name: $0, position: Position(30)) },
            before: DeviceReading(
                shown: DeviceOutcome(
                    verdict: .available,
                    title: nil,
                    description: nil,
                    because: "no threshold is above it"
                ),
                offered: try offered(.noUpdate, "offer 0 asks for nothing newer")
            ),
            outcome: DeviceReading(
                shown: DeviceOutcome(
                    verdict: .appTooOld,
                    title: nil,
                    description: "Warten.",
                    because: "the app is older than 3.2.0"
                ),
                offered: try offered(.updateRequired, "offer 0 requires 3.2.0", "3.2.0")
            )
        )
    }

    private func offered(
        _ verdict: OfferVerdict,
        _ because: String,
        _ version: String? = nil
    ) throws -> OfferOutcome {
        OfferOutcome(
            verdict: verdict,
            place: 0,
            version: try version.map { try #require(OfferVersion(written: $0, on: .ios)) },
            because: because
        )
    }

    @Test(arguments: [
        (["--change", "17"], "live", "change:17"),
        (["--change", "17", "--event", "30"], "event:30", "change:17"),
        (["--after-rollback", "event:30"], "live", "rollback:event:30"),
        (["--after-rollback", "before-change:7"], "live", "rollback:before-change:7"),
        (["--after-rollback", "last-good"], "live", "rollback:last-good:86400"),
        (["--after-rollback", "last-good:12h"], "live", "rollback:last-good:43200"),
        (
            ["--after-rollback", "time:2026-11-21T08:00:00.000Z"], "live",
            "rollback:time:2026-11-21T08:00:00.000Z"
        ),
    ])
    func `one device is shown before and after`(
        _ arguments: [String],
        _ from: String,
        _ to: String
    ) async throws {
        let answer = try answer(to: StateName(to))
        let script = ["GET /v1/apps/harbour/simulate": [ScriptedService.Reply(answer)]]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                Self.device + arguments + ["--app", "harbour", "--format", "table"],
                service: url
            )
            #expect(run.code == 0)
            #expect(
                run.output.split(separator: "\n").map(String.init) == [
                    "live: The app runs, because no threshold is above it.",
                    """
                    \(to): The app does not run, and no update for it is known, because the app is \
                    older than 3.2.0.
                    """, "text: Warten.",
                    """
                    live: Clients of Prince of Versions tell of no update, because offer 0 asks for \
                    nothing newer.
                    """,
                    """
                    \(to): Clients of Prince of Versions demand an update to 3.2.0, because offer 0 \
                    requires 3.2.0.
                    """,
                ]
            )
            let query = "os=15.4&app=3.1.0&language=de&from=\(from)&to=\(to)"
                .replacing(":", with: "%3A")
            #expect(
                service.requests == ["GET /v1/apps/harbour/simulate?platform=ios&\(query)"]
            )
        }
    }

    @Test func `one state is asked for alone`() async throws {
        let answer = try answer(to: nil)
        let script = ["GET /v1/apps/harbour/simulate": [ScriptedService.Reply(answer)]]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(Self.device + ["--app", "harbour"], service: url)
            #expect(try run.json() == .object(answer.json))
            #expect(service.requests.last?.hasSuffix("&from=live") == true)
        }
    }

    @Test func `a device without thresholds is told what its offers say alone`() async throws {
        let answer = try answer(to: nil)
        let jvm = SimulationAnswer(
            app: answer.app,
            platform: .jvm,
            from: answer.from,
            to: nil,
            before: answer.outcome,
            outcome: answer.outcome
        )
        let script = ["GET /v1/apps/harbour/simulate": [ScriptedService.Reply(jvm)]]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                [
                    "simulate", "--platform", "jvm", "--os", "17", "--app-version", "3.1.0",
                    "--app", "harbour", "--format", "table",
                ],
                service: url
            )
            #expect(run.output.hasPrefix("Clients of Prince of Versions demand an update"))
            #expect(service.requests.last?.contains("platform=jvm&os=17&app=3.1.0") == true)
        }
    }

    @Test func `a client is told what a change would make of it, beside what is`() async throws {
        func answer(_ version: String) throws -> ScriptedService.Reply {
            ScriptedService.Reply(
                PrinceOfVersionsAnswer(
                    app: try Samples.slug(),
                    position: Position(30),
                    document: ["jvm": [["required_version": .string(version)]]],
                    notes: []
                )
            )
        }
        let script = [
            "GET /v1/apps/harbour/prince-of-versions": [try answer("3.2.0"), try answer("3.0.0")]
        ]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                [
                    "simulate", "--client", "jvm", "--os", "17", "--app-version", "3.1.0",
                    "--app", "harbour", "--change", "17",
                ],
                service: url
            )
            let json = try run.json()
            #expect(json["status"] == "REQUIRED_UPDATE_NEEDED")
            #expect(json["before"]?["status"] == "NO_UPDATE_AVAILABLE" && json["moved"] == true)
            #expect(
                service.requests == [
                    "GET /v1/apps/harbour/prince-of-versions?in=change%3A17",
                    "GET /v1/apps/harbour/prince-of-versions",
                ]
            )
        }
    }

    @Test func `a client of Prince of Versions is asked about the service's own document`()
        async throws
    {
        let answer = PrinceOfVersionsAnswer(
            app: try Samples.slug(),
            position: Position(30),
            document: ["ios": [["required_version": "3.2.0"]]],
            notes: []
        )
        let script = ["GET /v1/apps/harbour/prince-of-versions": [ScriptedService.Reply(answer)]]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                [
                    "simulate", "--client", "ios-4.0.8", "--os", "15.4", "--app-version", "3.1.0",
                    "--app", "harbour", "--event", "30",
                ],
                service: url
            )
            #expect(try run.json()["status"] == "REQUIRED_UPDATE_NEEDED")
            #expect(service.requests == ["GET /v1/apps/harbour/prince-of-versions?event=30"])
        }
    }

    @Test(arguments: [
        ["--change", "17", "--after-rollback", "event:3"], ["--change", "x"],
        ["--after-rollback", "42"], ["--after-rollback", "last-good:0s"],
        ["--after-rollback", "change:7"], ["--document", "draft.json", "--change", "17"],
        ["--document", "draft.json", "--after-rollback", "event:3"],
    ])
    func `what is no state to come is wrong usage`(_ arguments: [String]) async throws {
        let run = try await plimsoll(Self.device + arguments, service: "http://127.0.0.1:9")
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
    }
}
