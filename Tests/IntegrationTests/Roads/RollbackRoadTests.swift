import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

extension ServiceTests {
    /// Back to a time, and back on named platforms, as responders do it.
    @Suite struct RollbackRoadTests {
        // Method: two changes of both platforms, and a moment before each.
        @Test func `platforms go back to a time, one by one and together`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let story = try await Story(server)
                    let (ios, android) = (story.second.ios, story.second.android)
                    let body: JSONValue = [
                        "to": ["time": .string(story.afterFirst.rfc3339)], "platforms": ["ios"],
                        "reason": "Wrong on iOS.",
                    ]
                    let reply = try await server.send(
                        .post,
                        "/v1/apps/harbour/rollback",
                        as: story.responder,
                        body
                    )
                    #expect(reply.status == 200, "\(reply.json)")
                    #expect(reply.json["platforms"] == ["ios"])
                    try await story.expectServed(story.first.ios, android)
                    #expect(story.first.ios != ios)

                    try await story.rollBack(to: story.afterFirst, "--platform", "android")
                    try await story.expectServed(story.first.ios, story.first.android)
                    try await story.rollBack(to: story.beforeFirst)
                    try await story.expectServed(story.sample.ios, story.sample.android)
                    let both = ["--platform", "ios", "--platform", "android"]
                    try await story.rollBack(to: story.afterSecond, both)
                    try await story.expectServed(ios, android)
                    try await server.expectAgreement(with: try await server.settle())
                }
            }
        }

        @Test func `a rollback to nowhere is refused and leaves no trace`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let story = try await Story(server)
                    let events = try await server.settle().count
                    let yesterday = Instant(Date.now.addingTimeInterval(-86_400)).rfc3339
                    try await story.expectRefused(["time": .string(yesterday)], ["ios"], "/to")
                    try await story.expectRefused(["time": "yesterday"], ["ios"], "/to/time")
                    let moment: JSONValue = ["time": .string(story.afterFirst.rfc3339)]
                    try await story.expectRefused(moment, ["symbian"], "/platforms/0")
                    try await story.expectRefused(moment, ["ios", "ipados"], "/platforms/1")
                    try await story.expectRefused(moment, [], "/platforms")
                    #expect(try await server.settle().count == events)
                    try await story.expectServed(story.second.ios, story.second.android)
                }
            }
        }
    }
}

/// Two changes of both platforms.
private struct Story {
    struct Documents {
        let ios: JSONValue
        let android: JSONValue

        init(_ server: RunningServer) async throws {
            ios = withoutStamp(try await server.published("ios"))
            android = withoutStamp(try await server.published("android"))
        }
    }

    let server: RunningServer
    let responder: String
    let sample: Documents
    let beforeFirst: Instant
    let first: Documents
    let afterFirst: Instant
    let second: Documents
    let afterSecond: Instant

    init(_ server: RunningServer) async throws {
        self.server = server
        responder = try await server.admit("rita", "responder")
        let team = try await Team(server)
        sample = try await Documents(server)
        beforeFirst = Instant(Date.now)
        first = try await Self.apply("Premier.", team)
        afterFirst = Instant(Date.now)
        second = try await Self.apply("Deuxième.", team)
        afterSecond = Instant(Date.now)
    }

    private static func apply(_ words: String, _ team: Team) async throws -> Documents {
        let proposed = try await team.server.propose(
            ["ios", "android"].map { Edits.setText($0, "description", "fr", words) }.json,
            as: team.proposer
        )
        let approved = try await team.server.decide("approve", on: proposed, as: team.approver)
        try #require(approved.json["state"]?.string == "applied", "\(approved.json)")
        _ = try await team.server.settle()
        return try await Documents(team.server)
    }

    func rollBack(to time: Instant, _ more: String...) async throws {
        try await rollBack(to: time, more)
    }

    func rollBack(to time: Instant, _ more: [String]) async throws {
        let back =
            ["rollback", "--to-time", time.rfc3339, "--reason", "A test needs it."] + more
        let tried = try await server.expect(0, back + ["--dry-run"], as: responder)
        let others = try #require(tried["sideEffects"]?["undoneOfOthers"]?.array).count
        let done = try await server.plimsoll(
            back + ["--undoing", "\(others)", "--yes"],
            as: responder
        )
        try #require(done.status == 0, "\(done.errors)")
    }

    func expectServed(_ ios: JSONValue, _ android: JSONValue) async throws {
        _ = try await server.settle()
        let served = try await Documents(server)
        #expect(served.ios == ios)
        #expect(served.android == android)
    }

    func expectRefused(
        _ target: JSONValue,
        _ platforms: JSONValue,
        _ pointer: String
    ) async throws {
        let body: JSONValue = ["to": target, "platforms": platforms, "reason": "Because."]
        let path = "/v1/apps/harbour/rollback"
        let reply = try await server.send(.post, path, as: responder, body)
        #expect((400..<500).contains(reply.status), "\(body)")
        let pointers = (reply.json["errors"]?.array ?? []).compactMap { $0["pointer"]?.string }
        #expect(pointers == [pointer], "\(reply.json)")
    }
}

extension [JSONValue] {
    fileprivate var json: JSONValue { .array(self) }
}
