import PlimsollAPI
import PlimsollJSON
import Testing

extension ServiceTests {
    /// The three situations that the first description of the document was written for.
    @Suite struct SituationTests {
        // Goal: each situation through REST alone, and what phones of that day do with it.
        // Method: one service lives through all three, as a real one did.
        @Test func `launch, incident and demise are each one change`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let team = try await Team(server)
                    try await team.setMinimum("3.0.0", "Update to use the app.")
                    #expect(try await team.verdict(app: "3.0.0", store: "3.0.0") == "available")
                    #expect(
                        try await team.verdict(app: "2.9.9", store: "3.0.0")
                            == "appTooOldUpdateAvailable"
                    )
                    #expect(try await team.verdict(app: "3.0.0", os: "14.8") == "osTooOld")

                    try await team.setMinimum("3.2.0", "The app is being repaired.")
                    #expect(try await team.verdict(app: "3.1.9", store: "3.1.9") == "appTooOld")
                    #expect(try await team.verdict(app: "3.2.0", store: "3.2.0") == "available")

                    try await team.setMinimum("99", "The service has ended. Thank you.")
                    #expect(try await team.verdict(app: "3.2.0", store: "3.2.0") == "appTooOld")
                    #expect(try await team.verdict(app: "98.99.99") == "appTooOld")
                    let last = try await server.published()
                    #expect(last.text("en") == "The service has ended. Thank you.")
                    try await server.expectSigned(last)
                }
            }
        }
    }
}

/// Somebody who proposes and somebody who approves, at one service.
struct Team {
    let server: RunningServer
    let proposer: String
    let approver: String

    /// Another one in the same service has a name of its own, since nobody is called what others are.
    init(_ server: RunningServer, called name: String = "team") async throws {
        self.server = server
        proposer = try await server.admit("alice of the \(name)", "proposer")
        approver = try await server.admit("bob of the \(name)", "approver")
    }

    /// Raises the line and waits until phones read it; recommendations go with it.
    func setMinimum(_ version: String, _ words: String) async throws {
        let proposed = try await server.propose(
            [
                ["op": "clearThreshold", "platform": "ios", "threshold": "recommendedApp"],
                ["op": "clearThreshold", "platform": "ios", "threshold": "recommendedOS"],
                Edits.setValue("ios", "minimumApp", .string(version)),
                Edits.setText("ios", "description", "en-GB", words),
                Edits.setText("ios", "description", "en", words),
            ],
            as: proposer
        )
        try #require(proposed.status == 201, "\(proposed.json)")
        let approved = try await server.decide("approve", on: proposed, as: approver)
        try #require(approved.status == 200, "\(approved.json)")
        try await eventually("\(words) on phones") {
            let published = try await server.published()
            return published.minimumApp == version && published.text("en") == words ? () : nil
        }
    }

    /// Two offers on Android that can stand in either order.
    func setOffers() async throws {
        let offers: JSONValue = [
            ["lastVersion": 77, "requirements": ["custom": ["region": "eu"]]],
            ["lastVersion": 76, "requirements": ["os": 26]],
        ]
        let proposed = try await server.propose(
            [["op": "setOffers", "platform": "android", "offers": offers]],
            as: proposer
        )
        try #require(proposed.status == 201, "\(proposed.json)")
        let approved = try await server.decide("approve", on: proposed, as: approver)
        try #require(approved.status == 200, "\(approved.json)")
    }

    /// What a phone in English decides.
    func verdict(app: String, os: String = "17.0", store: String? = nil) async throws -> String {
        let shop = store.map { "&store=\($0)" } ?? ""
        let reply = try await server.send(
            .get,
            "/v1/apps/harbour/simulate?platform=ios&os=\(os)&app=\(app)&language=en\(shop)",
            as: approver
        )
        return try #require(reply.json["verdict"]?.string, "\(reply.json)")
    }
}
