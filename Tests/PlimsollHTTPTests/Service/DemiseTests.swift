import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// The end of a system and the end of the app, where releases are registered.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct DemiseTests {
    private static let releases: [(version: String, system: String)] = [
        ("3.0", "13.5"), ("3.5", "13.5"), ("4.0", "15.0"),
    ]

    private static func move(_ threshold: String, to version: String) -> JSONValue {
        [
            "op": "setValue", "platform": "ios", "threshold": .string(threshold),
            "value": .string(version),
        ]
    }

    private static func texts(_ threshold: String, _ words: String) -> [JSONValue] {
        ["en-GB", "en"].map { language in
            [
                "op": "setText", "platform": "ios", "threshold": .string(threshold),
                "part": "description", "language": .string(language), "text": .string(words),
            ]
        }
    }

    /// The store has three releases; everybody on 13.5 with 3.0 is let in.
    private func settle(_ service: ServiceFixture) async throws {
        for (version, system) in Self.releases {
            let answer = try await service.send(
                .put,
                "/v1/apps/harbour/releases/ios/\(version)",
                as: .proposer,
                ["os": .string(system), "liveSince": "2020-01-01T00:00:00.000Z"]
            )
            try #require(answer.status == .ok)
        }
        try await service.apply(
            .array(
                [Self.move("minimumOS", to: "13.5"), Self.move("minimumApp", to: "3.0")]
                    + Self.texts("minimumOS", "Update your phone to iOS 13.5.")
                    + Self.texts("minimumApp", "Update the app.")
            )
        )
    }

    private func verdict(
        _ service: ServiceFixture,
        os: String,
        app: String
    ) async throws -> JSONValue? {
        let device = "platform=ios&os=\(os)&app=\(app)&store=4.0&language=en"
        return try await service.send(.get, "/v1/apps/harbour/simulate?\(device)", as: .viewer)
            .json["verdict"]
    }

    // Goal: iOS 13 and 14 are given up, and both minima move together. Method: the app alone is not
    // even proposed, the system alone is proposed and not approved, both together are, and phones of
    // each kind are told what they can do.
    @Test func `the end of a system is refused where only one minimum moves`() async throws {
        try await ServiceFixture.with { service in
            try await settle(service)
            let app = Self.move("minimumApp", to: "4.0")
            let system = Self.move("minimumOS", to: "15.0")
            let alone = try await service.propose([app])
            #expect(alone.status == .unprocessableContent)
            #expect(alone.codes == ["checkRefused"])
            let why = alone.json["errors"]?.array?.first?["detail"]?.string
            #expect(why?.contains("cannot install what we tell them to install") == true)
            let half = try await service.propose([system])
            let found = half.json["checks"]?.array?.first
            #expect(found?["check"] == "minimumAppLeftBehind" && found?["severity"] == "refuse")
            #expect(
                found?["sentence"]
                    == """
                    ios.minimumOS.value rises to 15.0 and minimumApp is 3.0: who has 3.5 on an older \
                    system, where it runs, is shut out. What needs 15.0 begins with 4.0; both minima \
                    move in one change.
                    """
            )
            let refused = try await service.approve(half)
            #expect(refused.codes == ["checkRefused"])
            #expect(try await verdict(service, os: "14.8", app: "3.5") == "available")
            let words = Self.texts("minimumOS", "This app needs iOS 15 from now on.")
            let both = try await service.propose(.array([app, system] + words))
            #expect(both.json["checks"] == [])
            #expect(try await service.approve(both).json["state"] == "applied")
            #expect(try await verdict(service, os: "14.8", app: "3.5") == "osTooOld")
            #expect(
                try await verdict(service, os: "15.0", app: "3.5") == "appTooOldUpdateAvailable"
            )
            #expect(try await verdict(service, os: "15.0", app: "4.0") == "available")
        }
    }

    @Test func `a system alone is given up where an approver says why`() async throws {
        try await ServiceFixture.with { service in
            try await settle(service)
            let change = try await service.propose([Self.move("minimumOS", to: "15.0")])
            let id = try #require(change.json["id"]?.string)
            for (role, status) in [(Role.proposer, 403), (.approver, 200)] {
                let answer = try await service.send(
                    .post,
                    "/v1/changes/\(id)/override",
                    as: role,
                    ["check": "minimumAppLeftBehind", "reason": "iOS 14 loses keys (INC-9)."],
                    headers: [.ifMatch: change.tag]
                )
                #expect(answer.status.code == status)
            }
            #expect(try await service.approve(change).json["state"] == "applied")
            #expect(try await verdict(service, os: "14.8", app: "3.5") == "osTooOld")
            #expect(try await verdict(service, os: "15.0", app: "3.5") == "available")
        }
    }

    @Test func `the app ends at 99 where an approver says why`() async throws {
        try await ServiceFixture.with { service in
            try await settle(service)
            let words = Self.texts("minimumApp", "The service has ended. Thank you.")
            let end = try await service.propose(
                .array([Self.move("minimumApp", to: "99")] + words)
            )
            #expect(end.json["checks"]?.array?.map { $0["check"] } == ["minimumUnreleased"])
            #expect(try await service.approve(end).codes == ["checkRefused"])
            let overridden = try await service.send(
                .post,
                "/v1/changes/\(try #require(end.json["id"]?.string))/override",
                as: .approver,
                ["check": "minimumUnreleased", "reason": "The app ends on 27 April."],
                headers: [.ifMatch: end.tag]
            )
            #expect(overridden.status == .ok)
            #expect(try await service.approve(end).json["state"] == "applied")
            for version in ["3.0", "4.0", "98.99"] {
                #expect(try await verdict(service, os: "15.0", app: version) == "appTooOld")
            }
        }
    }
}
