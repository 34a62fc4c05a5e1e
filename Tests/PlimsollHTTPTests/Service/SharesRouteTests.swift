import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// How many devices run what, over REST, and what is said of them.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct SharesRouteTests {
    private static let path = "/v1/apps/harbour/shares/ios"
    private static let count: JSONValue = [
        "rows": [["app": "3.0", "devices": 120], ["app": "3.2", "os": "15.0", "devices": 880]]
    ]

    @Test func `a count is kept, and sent twice is written once`() async throws {
        try await ServiceFixture.with { service in
            let none = try await service.send(.get, Self.path, as: .viewer)
            #expect(none.json["rows"] == [] && none.json["devices"] == 0)
            let sent = try await service.send(.put, Self.path, as: .proposer, Self.count)
            #expect(sent.status == .ok && sent.json["devices"] == 1000)
            let end = try await service.logEnd()
            _ = try await service.send(.put, Self.path, as: .proposer, Self.count)
            #expect(try await service.logEnd() == end)
            let kept = try await service.send(.get, Self.path, as: .viewer)
            #expect(kept.json == sent.json)
        }
    }

    @Test func `a count that is taken away is gone, also for whoever does it twice`() async throws {
        try await ServiceFixture.with { service in
            _ = try await service.send(.put, Self.path, as: .proposer, Self.count)
            for _ in 1...2 {
                let gone = try await service.send(.delete, Self.path, as: .proposer)
                #expect(gone.status == .noContent)
            }
            let none = try await service.send(.get, Self.path, as: .viewer)
            #expect(none.json["rows"] == [] && none.json["devices"] == 0)
            let proposed = try await service.propose(Edits.minimum("3.1"))
            #expect(proposed.json["blocked"] == [])
        }
    }

    @Test func `whoever proposes, compares, blocks or rolls back is told how many`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("2.0"))
            let earlier = try await service.head()
            _ = try await service.send(.put, Self.path, as: .proposer, Self.count)
            let tried = try await service.send(
                .post,
                "/v1/apps/harbour/changes?dryRun=true",
                as: .proposer,
                [
                    "title": "Raise it", "base": .integer(try await service.head()),
                    "operations": Edits.minimum("3.1"),
                ]
            )
            let share = try #require(tried.json["blocked"]?.array?.first)
            #expect(share["sentence"] == "blocks about 12 % of devices, none before")
            #expect(share["added"] == 120)
            let blocked = try await service.send(
                .post,
                "/v1/apps/harbour/block",
                as: .responder,
                ["platform": "ios", "below": "3.1", "reason": "3.0 loses data"]
            )
            #expect(blocked.json["blocked"]?.array?.first == share)
            let diff = try await service.send(
                .get,
                "/v1/apps/harbour/diff?from=event:\(earlier)&to=live",
                as: .viewer
            )
            #expect(diff.json["blocked"]?.array == [share])
            let back = try await service.send(
                .post,
                "/v1/apps/harbour/rollback?dryRun=true",
                as: .responder,
                ["to": ["event": .integer(earlier)], "reason": "It was not"]
            )
            let returned = try #require(back.json["blocked"]?.array?.first)
            #expect(returned["before"] == 120 && returned["after"] == 0)
        }
    }

    @Test func `a change of texts says nothing of devices`() async throws {
        try await ServiceFixture.with { service in
            _ = try await service.send(.put, Self.path, as: .proposer, Self.count)
            let proposed = try await service.propose([
                Edits.text("en-GB", "Please update."), Edits.text("en", "Update."),
            ])
            #expect(proposed.status == .created)
            #expect(proposed.json["blocked"] == [])
        }
    }
}
