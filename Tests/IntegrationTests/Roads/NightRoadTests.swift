import PlimsollAPI
import PlimsollJSON
import Testing

extension ServiceTests {
    /// What somebody on call does alone, with the program and against the whole service.
    @Suite struct NightRoadTests {
        private static let block = [
            "block", "ios", "--below", "3.2.0", "--reason", "3.1 loses bookings", "--yes",
        ]

        // Goal: from the command to what phones read, and to the review in the morning.
        // Method: during a freeze, one step after the other, and the log audited at the end.
        @Test func `a version is blocked in a freeze, and somebody else reviews it`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let responder = try await server.admit("rita", "responder")
                    let approver = try await server.admit("bob", "approver")
                    let before = try await server.published()
                    _ = try await server.expect(
                        0,
                        ["freeze", "on", "--reason", "Launch day"],
                        as: responder
                    )
                    let live = try await server.expect(0, ["get", "--json"], as: responder)
                    #expect(live["freeze"]?["reason"] == "Launch day")

                    let block = Self.block + ["--incident", "INC-731", "--wait"]
                    let receipt = try await server.expect(0, block, as: responder)
                    let published = try await server.published()
                    #expect(published.minimumApp == "3.2.0")
                    #expect(published.text("de") == before.text("de"))
                    #expect(published.sequence == receipt["sequence"]?.integer)
                    try await server.expectSigned(published)
                    _ = try await server.expect(3, block, as: responder)

                    let review = try #require(receipt["review"]?["position"]?.integer)
                    let close = ["reviews", "close", "\(review)", "--verdict", "confirmed"]
                    _ = try await server.expect(1, close, as: responder)
                    #expect(try await server.gauge("plimsoll_reviews_open") == "1")
                    let closed = try await server.expect(0, close, as: approver)
                    #expect(closed["state"] == "closed")
                    let open = try await server.expect(0, ["reviews"], as: approver)
                    #expect(open["reviews"] == [])
                    #expect(try await server.gauge("plimsoll_reviews_open") == "0")
                    try await server.expectAgreement(with: try await server.settle())
                    try await fixture.expectVerified()
                }
            }
        }

        @Test func `who cannot block is told what to do, and nothing changes`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let proposer = try await server.admit("alice", "proposer")
                    let responder = try await server.admit("rita", "responder")
                    let before = try await server.published()
                    let refused = try await server.plimsoll(Self.block, as: proposer)
                    #expect(refused.status == 1)
                    #expect(refused.errors.contains("Next: plimsoll propose --app harbour"))
                    for twin in [
                        ["block", "ios", "--below", "2.0"], ["block", "macos", "--below", "3"],
                        ["block", "ios", "--below", "0"],
                    ] {
                        let arguments = twin + ["--reason", "Drill", "--yes"]
                        let answer = try await server.plimsoll(arguments, as: responder)
                        #expect(answer.status == 1, "\(twin): \(answer.errors)")
                    }
                    let drill = ["--below", "3.2.0", "--reason", "Drill", "--dry-run"]
                    _ = try await server.expect(0, ["block", "ios"] + drill, as: responder)
                    _ = try await server.settle()
                    #expect(try await server.published().answer.body == before.answer.body)
                }
            }
        }

        // The demise of an app: nothing is high enough, and nobody has to wait for a release.
        @Test func `an app ends at 99, and comes back by a rollback that says what it does`()
            async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let responder = try await server.admit("rita", "responder")
                    let before = try await server.published()
                    let end = [
                        "emergency", "--set", "ios.minimumApp.value=99", "--text",
                        "ios.minimumApp.description.en=The service has ended.", "--text",
                        "ios.minimumApp.description.en-GB=The service has ended.", "--title",
                        "The end", "--reason", "It is over", "--incident", "END-1", "--yes",
                        "--wait",
                    ]
                    let ended = try await server.expect(0, end, as: responder)
                    #expect(try await server.published().minimumApp == "99")
                    let checks = (ended["checks"]?.array ?? []).compactMap { $0["check"]?.string }
                    // The texts in the other languages still ask for an update.
                    #expect(
                        checks == [
                            "minimumAboveRecommended", "updateStillAdvised", "textsNotRewritten",
                        ]
                    )

                    let change = try #require(ended["change"]?.string)
                    let back = ["rollback", "--before-change", change, "--reason", "It is not"]
                    let tried = try await server.expect(0, back + ["--dry-run"], as: responder)
                    #expect(tried["sideEffects"]?["undone"] == [.string(change)])
                    let verdicts = (tried["devices"]?.array ?? []).first {
                        $0["kind"] == "belowMinimum" && $0["device"]?["platform"] == "ios"
                    }
                    #expect(verdicts?["device"]?["app"] == "98")
                    #expect(verdicts?["before"]?["runs"] == false)
                    #expect(verdicts?["after"]?["runs"] == true)
                    _ = try await server.expect(0, back + ["--yes", "--wait"], as: responder)
                    #expect(try await server.published().minimumApp == before.minimumApp)
                }
            }
        }
    }
}

extension RunningServer {
    /// Runs the program, which has to end like this; answers what it wrote, null for nothing.
    func expect(
        _ status: Int32,
        _ arguments: [String],
        as token: String
    ) async throws -> JSONValue {
        let outcome = try await plimsoll(arguments, as: token)
        try #require(outcome.status == status, "\(arguments): \(outcome.errors)")
        return outcome.output.isEmpty ? .null : try JSONValue(parsing: Array(outcome.output.utf8))
    }

    /// What stands behind a name in the metrics.
    fileprivate func gauge(_ name: String) async throws -> String? {
        let metrics = try await send(.get, "/metrics", as: nil)
        return String(decoding: metrics.answer.body, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("\(name) ") }?.split(separator: " ").last.map(String.init)
    }
}
