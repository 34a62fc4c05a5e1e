import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct PrinceOfVersionsTests {
    private static let path = "/v1/apps/harbour/prince-of-versions"
    private static let minimumOS: JSONValue = [
        [
            "op": "setValue", "platform": "ios", "threshold": "minimumOS", "value": "15.0",
        ],
        [
            "op": "setText", "platform": "ios", "threshold": "minimumOS", "part": "description",
            "language": "en-GB", "text": "Please update iOS.",
        ],
        [
            "op": "setText", "platform": "ios", "threshold": "minimumOS", "part": "description",
            "language": "en", "text": "Update iOS.",
        ],
    ]

    @Test func `what clients are told is what stands, now or then`() async throws {
        try await ServiceFixture.with { service in
            let before = try await service.head()
            try await service.apply(Edits.minimum("3.1"))
            let live = try await service.send(.get, Self.path, as: .viewer)
            #expect(live.status == .ok)
            #expect(live.required == "3.1.0")
            let then = try await service.send(.get, "\(Self.path)?event=\(before)", as: .viewer)
            #expect(then.json["position"] == .integer(before))
            #expect(then.required == nil)
            #expect(then.json["document"]?["plimsoll"] == nil)
        }
    }

    @Test func `offers of a platform's own are shown as they are edited`() async throws {
        try await ServiceFixture.with { service in
            let none = try await service.send(.get, Self.path, as: .viewer)
            #expect(none.json["offers"] == [:])
            let offer: JSONValue = ["requiredVersion": "3.2.0", "requirements": ["os": "17.0.0"]]
            try await service.apply([["op": "setOffers", "platform": "ios", "offers": [offer]]])
            let live = try await service.send(.get, Self.path, as: .viewer)
            let own = live.json["offers"]?["ios"]?.array
            #expect(own?.count == 1)
            #expect(own?.first?["requiredVersion"] == "3.2.0")
            #expect(live.json["document"]?["ios"]?.array?.count == 2)
            let seen = try await service.send(
                .get,
                "/v1/apps/harbour/documents/ios",
                as: .viewer
            )
            #expect(seen.json["offerCount"] == 1)
        }
    }

    @Test func `what the format cannot say is noted`() async throws {
        try await ServiceFixture.with { service in
            let quiet = try await service.send(.get, Self.path, as: .viewer)
            #expect(quiet.json["notes"] == [])
            try await service.apply(Self.minimumOS)
            let live = try await service.send(.get, Self.path, as: .viewer)
            let note = try #require(live.json["notes"]?.array?.first)
            #expect(note["code"] == "systemOnlyInMetadata")
            #expect(note["platform"] == "ios")
        }
    }

    // Goal: whoever proposes, tries, sees or approves a change sees what the export says of it.
    @Test(arguments: ["", "?dryRun=true"])
    func `what clients would be told is noted on the change itself`(query: String) async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.1"))
            let offer: JSONValue = [
                "lastVersion": "3.0.0", "requirements": ["os": "17.0.0"],
                "metadata": ["hard": true],
            ]
            let path = "/v1/apps/harbour/changes"
            let proposed = try await service.send(
                .post,
                path + query,
                as: .proposer,
                [
                    "title": "Offers", "base": .integer(try await service.head()),
                    "operations": [["op": "setOffers", "platform": "ios", "offers": [offer]]],
                ]
            )
            #expect(proposed.status == .created || proposed.status == .ok)
            #expect(Contract.service.faults(in: proposed, to: .post, path) == [])
            let codes = proposed.json["notes"]?.array?.compactMap { $0["code"]?.string }
            #expect(codes == ["thresholdsNotTold", "lastOfferAdded", "valuesAsTexts"])
            #expect(proposed.json["notes"]?.array?.first?["platform"] == "ios")
        }
    }

    @Test func `clients before 4·0 are told where the app was registered for them`() async throws {
        try await ServiceFixture.with { service in
            let registered = try await service.send(
                .post,
                "/v1/apps",
                as: .admin,
                [
                    "slug": "quay", "name": "Quay", "platforms": ["ios"], "languages": ["en"],
                    "fallbackLanguage": "en", "princeOfVersions": "all",
                ]
            )
            #expect(registered.json["princeOfVersions"] == "all")
            let answer = try await service.send(
                .get,
                "/v1/apps/quay/prince-of-versions",
                as: .admin
            )
            let document = answer.json["document"]
            #expect(document?["ios"]?["latest_version"]?["version"] == "0.0.0")
            #expect(document?["ios2"]?.array?.count == 1)
        }
    }

    @Test(arguments: [
        ("/v1/apps/nowhere/prince-of-versions", 404), ("\(path)?event=0", 404),
        ("\(path)?event=999999", 404), ("\(path)?platform=ios", 400),
    ])
    func `what makes no sense is a problem`(path: String, status: Int) async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(.get, path, as: .viewer)
            #expect(answer.status.code == status)
            #expect(Contract.service.faults(in: answer, to: .get, path) == [])
        }
    }
}

extension ServiceAnswer {
    fileprivate var required: JSONValue? {
        json["document"]?["ios"]?.array?.first?["required_version"]
    }
}
