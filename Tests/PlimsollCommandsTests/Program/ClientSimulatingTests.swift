import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// `plimsoll simulate --client nhs-…`: what apps in people's hands make of a document.
struct ClientSimulatingTests {
    private static let device = ["--os", "14.0", "--app-version", "3.5"]

    /// One minimum of two.
    private let lone = #"{"minimumAppVersion":{"value":"4.0","description":{"en-GB":"Update."}}}"#

    private func simulate(
        _ document: String,
        by client: String,
        _ options: [String] = device
    ) async throws -> CommandLineRun {
        try await withFile("availability-ios.json", Array(document.utf8)) { path in
            try await plimsoll(
                ["simulate", "--client", client, "--document", path] + options,
                token: nil
            )
        }
    }

    @Test func `an app that refuses a file runs, and the reason is said`() async throws {
        let run = try await simulate(lone, by: "nhs-ios-3.0")
        #expect(run.code == 0, "\(run.errors)")
        let json = try run.json()
        #expect(json["verdict"] == "available" && json["keepsLastDocument"] == true)
        #expect(json["because"]?.string?.contains("minimumOSVersion is missing") == true)
    }

    @Test func `without a client it is what the newest app makes of a file, refusing included`()
        async throws
    {
        try await withFile("availability-ios.json", Array(lone.utf8)) { path in
            let run = try await plimsoll(
                ["simulate", "--platform", "ios", "--document", path] + Self.device,
                token: nil
            )
            let json = try run.json()
            #expect(json["client"] == "nhs-ios-3.10", "\(run.errors)")
            #expect(json["verdict"] == "available" && json["keepsLastDocument"] == true)
        }
    }

    @Test func `a member without a value is read by nobody`() async throws {
        let system = #""minimumOSVersion":{"description":{"en-GB":"New iOS."}},"#
        let both = "{" + system + lone.dropFirst()
        let run = try await simulate(both, by: "nhs-ios-3.0")
        let because = try run.json()["because"]?.string ?? ""
        #expect(because.contains("minimumOSVersion has no value"), "\(run.errors)")
        let whole = both.replacing(
            #"{"description":{"en-GB":"New"#,
            with: #"{"value":"13","description":{"en-GB":"New"#
        )
        let held = try await simulate(whole, by: "nhs-ios-3.0")
        #expect(try held.json()["verdict"] == "appTooOld")
        #expect(try held.json()["description"] == "Update.")
        let newest = try await simulate(whole, by: "nhs-ios-3.10")
        #expect(try newest.json()["keepsLastDocument"] == true)
    }

    @Test(arguments: [
        ["--client", "nhs-ios-1.0"], ["--client", "nhs-ios-3.0", "--platform", "ios"],
        ["--client", "nhs-ios-3.0", "--times", "2"], ["--client", "nhs-ios-3.0", "--matrix"],
    ])
    func `what a client does not go with is refused`(options: [String]) async throws {
        let run = try await plimsoll(["simulate"] + options + Self.device, token: nil)
        #expect(run.code == 2, "\(run.output)")
    }

    @Test func `the service is asked for the client and all languages, and says who refuses`()
        async throws
    {
        let reading = DeviceReading(
            shown: DeviceOutcome(
                verdict: .appTooOld,
                shownTitle: nil,
                shownDescription: .oneOf([
                    try #require(LanguageTag("en")): "Update.",
                    try #require(LanguageTag("cy")): "Diweddarwch.",
                ]),
                because: "the app is older than 4.0"
            ),
            offered: OfferOutcome(verdict: .noUpdate, place: 0, version: nil, because: "none")
        )
        let answer = SimulationAnswer(
            app: try Samples.slug(),
            platform: .ios,
            from: DiffAnswer.Side(name: .live, position: Position(42)),
            to: nil,
            before: reading,
            outcome: reading,
            refusedBy: [
                SimulationAnswer.Refuser(
                    client: "nhs-ios-3.10",
                    versions: "3.10 and newer",
                    because: "recommendedOSVersion is missing"
                )
            ]
        )
        let script = ["GET /v1/apps/harbour/simulate": [ScriptedService.Reply(answer)]]
        try await ScriptedService.with(script) { service, url in
            let command =
                ["simulate", "--client", "nhs-ios-3.0", "--lang", "fr", "--lang", "it"]
                + Self.device
            let run = try await plimsoll(
                command + ["--app", "harbour", "--format", "table"],
                service: url
            )
            #expect(run.code == 0, "\(run.errors)")
            for words in [
                "text: one of these, and nobody can say which:\n  cy: Diweddarwch.\n  en: Update.",
                "Refused by nhs-ios-3.10 (3.10 and newer), which keeps its last document:"
                    + " recommendedOSVersion is missing.",
            ] { #expect(run.output.contains(words), "\(run.output)") }
            let asked = try #require(service.requests.last)
            #expect(asked.contains("platform=ios") && asked.contains("client=nhs-ios-3.0"))
            #expect(asked.contains("language=fr%2Cit") || asked.contains("language=fr,it"))
            let json = try await plimsoll(command + ["--app", "harbour"], service: url)
            #expect(try json.json() == .object(answer.json))
        }
    }
}
