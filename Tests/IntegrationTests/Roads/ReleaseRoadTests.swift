import PlimsollAPI
import PlimsollJSON
import Testing

extension ServiceTests {
    /// What releases forbid, over the real program.
    @Suite struct ReleaseRoadTests {
        // Goal: nobody is told to install what they cannot, and an incident or an end still gets
        // through with a word.
        // Method: a job registers with the command line, twice; then the minimum of the app moves
        // alone, with the system, and beyond everything that was released.
        @Test func `an unreleased minimum needs a word, and app and system move together`()
            async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let team = try await Team(server)
                    try await team.setMinimum("3.0.0", "Update to use the app.")
                    let minimumOS = try await server.document("minimumOS", as: team.proposer)
                    for _ in 1...2 { try await team.release("3.0.0", needing: minimumOS) }
                    try await team.release("4.0.0", needing: "18.0")

                    let alone = try await server.propose(team.edits("4.0.0"), as: team.proposer)
                    #expect(alone.status == 422, "\(alone.json)")
                    #expect(alone.codes == ["checkRefused"])
                    let system = Edits.setValue("ios", "minimumOS", "18.0")
                    let together = try await server.propose(
                        team.edits("4.0.0", with: [system]),
                        as: team.proposer
                    )
                    #expect(together.status == 201, "\(together.json)")
                    let demise = try await server.decide(
                        "approve",
                        on: together,
                        as: team.approver
                    )
                    #expect(demise.json["state"]?.string == "applied", "\(demise.json)")

                    let incident = try await server.propose(
                        team.edits("4.0.1"),
                        as: team.proposer
                    )
                    let early = try await server.decide(
                        "approve",
                        on: incident,
                        as: team.approver
                    )
                    #expect(early.codes == ["checkRefused"], "\(early.json)")
                    let id = try #require(incident.json["id"]?.string)
                    let word = try await server.plimsoll(
                        [
                            "change", "override", id, "--check", "minimumUnreleased", "--reason",
                            "4.0.0 loses bookings, 4.0.1 is in review", "--yes",
                        ],
                        as: team.approver
                    )
                    #expect(word.status == 0, "\(word)")
                    let applied = try await server.decide(
                        "approve",
                        on: incident,
                        as: team.approver
                    )
                    #expect(applied.json["state"]?.string == "applied", "\(applied.json)")
                    #expect(
                        try await team.verdict(app: "4.0.0", os: "18.0", store: "4.0.0")
                            == "appTooOld"
                    )
                }
            }
        }
    }
}

extension Team {
    /// A job says that a release exists.
    fileprivate func release(_ version: String, needing system: String) async throws {
        let outcome = try await server.plimsoll(
            ["release", "add", "ios", version, "--os", system, "--app", "harbour"],
            as: proposer
        )
        try #require(outcome.status == 0, "\(outcome)")
    }

    /// Raises the minimum of the app, with what people read.
    fileprivate func edits(_ version: String, with more: [JSONValue] = []) -> JSONValue {
        let words = "Update to \(version)."
        return .array(
            [
                Edits.setValue("ios", "minimumApp", .string(version)),
                Edits.setText("ios", "description", "en-GB", words),
                Edits.setText("ios", "description", "en", words),
            ] + more
        )
    }
}

extension RunningServer {
    /// The value of a threshold of the document for iOS.
    fileprivate func document(_ threshold: String, as token: String) async throws -> String {
        let reply = try await send(.get, "/v1/apps/harbour/documents/ios", as: token)
        let value = reply.json["document"]?["\(threshold)Version"]?["value"]?.string
        return try #require(value, "\(reply.json)")
    }
}
