import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// What apps and changes were at earlier events.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct MomentTests {
    private static let changes = "/v1/apps/harbour/changes"

    // Goal: a list of changes at an event says what it said at that event. Method: a change that
    // is proposed, then applied, and one that is rejected; after each step the live list is kept,
    // and held against the list at that event at the end.
    @Test func `a list of changes at an event is the list of that time`() async throws {
        try await ServiceFixture.with { service in
            var kept: [(position: Int64, changes: JSONValue?)] = []
            func keep() async throws {
                let list = try await service.send(.get, Self.changes, as: .viewer)
                kept.append((try await service.head(), list.json["changes"]))
            }
            try await keep()
            try await service.apply(Edits.minimum("3.1"))
            try await keep()
            let proposed = try await service.propose(Edits.minimum("3.2"))
            try await keep()
            let id = try #require(proposed.json["id"]?.string)
            let rejected = try await service.send(
                .post,
                "/v1/changes/\(id)/reject",
                as: .approver,
                ["reason": "Too early"],
                headers: [.ifMatch: proposed.tag]
            )
            #expect(rejected.status == .ok)
            try await keep()
            for (position, changes) in kept {
                let then = try await service.send(
                    .get,
                    "\(Self.changes)?event=\(position)",
                    as: .viewer
                )
                #expect(then.json["changes"] == changes, "at \(position)")
            }
            let open = try await service.send(
                .get,
                "\(Self.changes)?event=\(kept[2].position)&state=proposed",
                as: .viewer
            )
            #expect(open.json["changes"]?.array?.map { $0["id"] } == [.string(id)])
        }
    }

    // Goal: whoever looks back reads what people read then. Method: a change is revised, with another
    // title and another base.
    @Test func `a list of changes at an event has the titles of that time`() async throws {
        try await ServiceFixture.with { service in
            let proposed = try await service.propose(Edits.minimum("3.2"))
            let then = try await service.head()
            let before = try await service.send(.get, Self.changes, as: .viewer)
            let id = try #require(proposed.json["id"]?.string)
            let revised = try await service.send(
                .post,
                "/v1/changes/\(id)/revise",
                as: .proposer,
                [
                    "title": "Raise it further", "base": .integer(then),
                    "operations": Edits.minimum("3.3"),
                ],
                headers: [.ifMatch: proposed.tag]
            )
            try #require(revised.status == .ok, "\(revised)")
            let now = try await service.send(.get, Self.changes, as: .viewer)
            #expect(now.json["changes"]?.array?.first?["title"] == "Raise it further")
            let past = try await service.send(.get, "\(Self.changes)?event=\(then)", as: .viewer)
            #expect(past.json["changes"] == before.json["changes"])
        }
    }

    @Test func `an app at an event has that position, and nothing published yet`() async throws {
        try await ServiceFixture.with { service in
            let before = try await service.send(.get, "/v1/apps/harbour", as: .viewer)
            let position = try #require(before.json["position"]?.integer)
            try await service.apply(Edits.minimum("3.1"))
            let then = try await service.send(
                .get,
                "/v1/apps/harbour?event=\(position)",
                as: .viewer
            )
            #expect(then.json == before.json)
        }
    }

    @Test(arguments: [
        ("event=1000000", HTTPResponse.Status.notFound), ("event=1", .notFound),
        ("at=2020-01-01T00:00:00Z", .notFound), ("at=x", .badRequest), ("event=-1", .badRequest),
        ("event=3&at=2026-01-01T00:00:00Z", .badRequest),
    ])
    func `a moment without the app is refused`(
        _ query: String,
        _ status: HTTPResponse.Status
    ) async throws {
        try await ServiceFixture.with { service in
            for path in ["/v1/apps/harbour", Self.changes] {
                let answer = try await service.send(.get, "\(path)?\(query)", as: .viewer)
                #expect(answer.status == status, "\(path)")
            }
        }
    }
}
