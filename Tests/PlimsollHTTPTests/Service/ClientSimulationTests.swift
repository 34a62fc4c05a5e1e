import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// `simulate` as apps in people's hands read what is published.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct ClientSimulationTests {
    private static let path = "/v1/apps/harbour/simulate"
    private static let old = "?platform=ios&os=14.0&app=3.5&language=en-GB&client=nhs-ios-3.0"

    private func minima(_ app: String) -> JSONValue {
        let system: [JSONValue] = ["en-GB", "en"].map { language in
            [
                "op": "setText", "platform": "ios", "threshold": "minimumOS",
                "part": "description", "language": .string(language),
                "text": .string("A newer iOS is needed (\(language))."),
            ]
        }
        let value: JSONValue = [
            "op": "setValue", "platform": "ios", "threshold": "minimumOS", "value": "13.5",
        ]
        return .array((Edits.minimum(app).array ?? []) + [value] + system)
    }

    private static let settings = "/v1/apps/harbour/settings"

    private func choose(
        _ profile: String,
        clients: JSONValue = .null,
        dryRun: Bool = false,
        _ service: ServiceFixture
    ) async throws -> ServiceAnswer {
        let settings: JSONValue = [
            "name": "Harbour", "platforms": ["ios", "android"], "languages": ["en-GB", "en"],
            "fallbackLanguage": "en-GB", "profile": .string(profile), "clients": clients,
            "princeOfVersions": "modern", "reason": "Clients of our own",
        ]
        let tag = try await service.send(.get, Self.settings, as: .admin).tag
        let answer = try await service.send(
            .put,
            Self.settings + (dryRun ? "?dryRun=true" : ""),
            as: .admin,
            settings,
            headers: [.ifMatch: tag]
        )
        try #require(answer.status == .ok, "\(answer)")
        return answer
    }

    private func minimal(_ service: ServiceFixture) async throws {
        let path = Self.settings
        let answer = try await choose("minimal", service)
        // Nothing is set, and nothing is published.
        let refused = (answer.json["refusedBy"]?.array ?? []).map { $0["client"] }
        #expect(
            refused
                == ClientGeneration.all.sorted { $0.platform < $1.platform }.map {
                    .string($0.name)
                }
        )
        let shown = try await service.send(.get, path, as: .viewer)
        #expect(shown.json["refusedBy"] == answer.json["refusedBy"])
        let then = path + "?event=\(try await service.head())"
        let earlier = try await service.send(.get, then, as: .viewer)
        #expect(earlier.json["refusedBy"] == .array([]), "of earlier settings nothing is said")
    }

    @Test func `settings that leave readers behind name them`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(minima("3.2"))
            func refused(by answer: ServiceAnswer) -> [String] {
                (answer.json["refusedBy"]?.array ?? []).compactMap { $0["client"]?.string }
            }
            let tried = try await choose("v3.0", dryRun: true, service)
            #expect(refused(by: tried) == ["nhs-android-3.8", "nhs-ios-3.10"])
        }
    }

    @Test func `without a client it is what the newest app does, refusing included`() async throws {
        try await ServiceFixture.with { service in
            try await minimal(service)
            try await service.apply(Edits.minimum("4.0"))
            let query = "?platform=ios&os=14.0&app=3.5&language=en-GB"
            let shown = try await service.send(.get, Self.path + query, as: .viewer)
            #expect(shown.json["client"] == "nhs-ios-3.10")
            #expect(shown.json["verdict"] == "available")
            #expect(shown.json["keepsLastDocument"] == true)
            // Whom the profile is for reads it, and is who is shown.
            _ = try await choose("v3.0", service)
            let old = try await service.send(.get, Self.path + query, as: .viewer)
            #expect(old.json["client"] == "nhs-ios-3.0")
            #expect(old.json["keepsLastDocument"] == false)
        }
    }

    @Test func `where no shipped app reads the document, it is what our own library does`()
        async throws
    {
        try await ServiceFixture.with { service in
            _ = try await choose("minimal", clients: [], service)
            try await service.apply(Edits.minimum("4.0"))
            let query = "?platform=ios&os=14.0&app=3.5&language=en-GB"
            let shown = try await service.send(.get, Self.path + query, as: .viewer)
            #expect(shown.json["client"] == "plimsoll")
            #expect(shown.json["verdict"] == "appTooOld")
        }
    }

    // Method: the last change that a V3.0 Android phone can read writes iOS too, which is written last.
    @Test func `the last document that an app could read may be of a change of both platforms`()
        async throws
    {
        try await ServiceFixture.with { service in
            try await minimal(service)
            let system = android("minimumOS", 26)
            try await service.apply(.array(system + android("minimumApp", 10)))
            let ios = Edits.minimum("3.6").array ?? []
            try await service.apply(.array(android("minimumApp", 36) + ios))
            let clear: JSONValue = [
                "op": "clearThreshold", "platform": "android", "threshold": "minimumOS",
            ]
            try await service.apply(.array(android("minimumApp", 40) + [clear]))
            let query = "?platform=android&os=30&app=35&language=en-GB&client=nhs-android-3.0"
            let shown = try await service.send(.get, Self.path + query, as: .viewer)
            #expect(shown.json["keepsLastDocument"] == true)
            #expect(shown.json["verdict"] == "appTooOld", "35 is below 36, and above 10")
        }
    }

    private func android(_ threshold: String, _ value: Int64) -> [JSONValue] {
        let edit: JSONValue = [
            "op": "setValue", "platform": "android", "threshold": .string(threshold),
            "value": .integer(value),
        ]
        let texts: [JSONValue] = ["en-GB", "en"].map { language in
            [
                "op": "setText", "platform": "android", "threshold": .string(threshold),
                "part": "description", "language": .string(language),
                "text": .string("Please update (\(value), \(language))."),
            ]
        }
        return [edit] + texts
    }

    // Goal: nobody believes that an app is switched off which refuses the document that does it.
    // Method: the change that a V3.0 iPhone cannot read, before it is agreed to and after.
    @Test func `an app that refuses a document keeps its last, and everybody can see it`()
        async throws
    {
        try await ServiceFixture.with { service in
            try await minimal(service)
            try await service.apply(minima("3.2"))
            let live = try await service.send(.get, Self.path + Self.old, as: .viewer)
            #expect(live.json["verdict"] == "available")
            #expect(live.json["keepsLastDocument"] == false)

            let clear: JSONValue = [
                "op": "clearThreshold", "platform": "ios", "threshold": "minimumOS",
            ]
            let change = try await service.propose(
                .array((Edits.minimum("4.0").array ?? []) + [clear])
            )
            let checks = change.json["checks"]?.array ?? []
            let unread = checks.filter { $0["check"] == "clientsCannotRead" }
            #expect(unread.count == 2, "\(checks)")
            #expect(unread.first?["sentence"]?.string?.contains("nhs-ios-3.0") == true)

            let id = try #require(change.json["id"]?.string)
            let next = try await service.send(
                .get,
                Self.path + Self.old + "&to=change:\(id)",
                as: .viewer
            )
            #expect(next.json["verdict"] == "available" && next.json["keepsLastDocument"] == true)
            #expect(next.json["refusedBy"]?.array?.first?["client"] == "nhs-ios-3.0")
            let because = try #require(next.json["because"]?.string)
            #expect(because.contains("minimumOSVersion is missing"))

            _ = try await service.approve(change)
            let after = try await service.send(.get, Self.path + Self.old, as: .viewer)
            #expect(after.json["verdict"] == "available" && after.json["runs"] == true)
            #expect(after.json["because"] == next.json["because"])
            let older = Self.old.replacing("app=3.5", with: "app=3.1")
            let held = try await service.send(.get, Self.path + older, as: .viewer)
            #expect(held.json["verdict"] == "appTooOld")
            #expect(held.json["description"] == "Please update to 3.2.")
        }
    }

    @Test func `edits are tried by a client too, and one of another platform is refused`()
        async throws
    {
        try await ServiceFixture.with { service in
            let device: JSONValue = [
                "platform": "ios", "os": "14.0", "app": "3.10.0", "language": "fr",
                "otherLanguages": ["en"],
            ]
            let edits = Edits.minimum("4.0.0")
            func run(_ client: JSONValue?) async throws -> ServiceAnswer {
                var body: JSONObject = ["device": device, "operations": edits]
                body["client"] = client
                return try await service.send(.post, Self.path, as: .viewer, .object(body))
            }
            let newest = try await run(nil)
            #expect(newest.json["verdict"] == "appTooOld")
            #expect(newest.json["description"] == "Update to 4.0.0.")
            // 3100 is more than 400.
            #expect(try await run("nhs-ios-3.0").json["verdict"] == "available")
            for client: JSONValue in ["nhs-android-3.0", "nhs-ios-1", "", 3] {
                let refused = try await run(client)
                #expect(refused.status == .unprocessableContent || refused.status == .badRequest)
            }
            let asked = Self.path + Self.old.replacing("nhs-ios", with: "nhs-android")
            let refused = try await service.send(.get, asked, as: .viewer)
            #expect(refused.status == .badRequest)
            for languages in ["", "en,", ",", "en,,de", "e"] {
                let asked = Self.path + "?platform=ios&os=14&app=3&language=\(languages)"
                #expect(try await service.send(.get, asked, as: .viewer).status == .badRequest)
            }
        }
    }

    @Test func `texts that a phone takes at random are all shown`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(minima("3.2"))
            let stranger = "?platform=ios&os=14&app=3.1&language=fr,it"
            let answer = try await service.send(.get, Self.path + stranger, as: .viewer)
            #expect(answer.json["description"] == .null)
            #expect(
                answer.json["descriptionOneOf"]
                    == ["en": "Update to 3.2.", "en-GB": "Please update to 3.2."]
            )
            let reader = "?platform=ios&os=14&app=3.1&language=fr,en"
            let known = try await service.send(.get, Self.path + reader, as: .viewer)
            #expect(known.json["description"] == "Update to 3.2.")
            #expect(known.json["descriptionOneOf"] == .null)
        }
    }

    @Test func `what the store offers follows from the releases, unless it is said`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(minima("3.2"))
            let device = "?platform=ios&os=14&app=3.1&language=en"
            let unknown = try await service.send(.get, Self.path + device, as: .viewer)
            #expect(unknown.json["verdict"] == "appTooOld" && unknown.json["store"] == .null)
            let release = try await service.send(
                .put,
                "/v1/apps/harbour/releases/ios/3.4.0",
                as: .proposer,
                ["os": "14.0", "liveSince": "2020-01-01T00:00:00.000Z"]
            )
            try #require(release.status == .ok, "\(release)")
            let offered = try await service.send(.get, Self.path + device, as: .viewer)
            #expect(offered.json["verdict"] == "appTooOldUpdateAvailable")
            #expect(offered.json["store"] == "3.4.0")
            let said = try await service.send(.get, Self.path + device + "&store=3.1", as: .viewer)
            #expect(said.json["verdict"] == "appTooOld" && said.json["store"] == "3.1")
            let older = device.replacing("os=14", with: "os=13.6")
            let none = try await service.send(.get, Self.path + older, as: .viewer)
            #expect(none.json["verdict"] == "appTooOld" && none.json["store"] == .null)
        }
    }
}
