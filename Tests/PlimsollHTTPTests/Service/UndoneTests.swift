import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// What a rollback took back says so, wherever it is shown.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct UndoneTests {
    private func undoneBy(
        _ service: ServiceFixture,
        _ more: String = ""
    ) async throws -> [JSONValue?] {
        let list = try await service.send(.get, "/v1/apps/harbour/changes\(more)", as: .viewer)
        return list.json["changes"]?.array?.map { $0["undoneBy"]?["position"] } ?? []
    }

    @Test func `a change says which rollback undid it, until another brings it back`() async throws
    {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.calm)
            let base = try await service.head()
            try await service.apply(Edits.minimum("3.2.0"))
            let head = try await service.head()
            let before = try await service.send(.get, "/v1/changes/2", as: .viewer)
            #expect(before.json["undoneBy"] == .null)
            let done = try await service.send(
                .post,
                "/v1/apps/harbour/rollback",
                as: .responder,
                ["to": ["event": .integer(base)], "reason": "It never shipped"]
            )
            try #require(done.status == .ok)
            let undone = try await service.send(.get, "/v1/changes/2", as: .viewer)
            #expect(undone.json["state"] == "applied")
            let undoing = undone.json["undoneBy"]
            #expect(undoing?["position"] == .integer(head + 1))
            #expect(undoing?["actor"] == .string(try await service.principal(.responder)))
            #expect(undoing?["reason"] == "It never shipped")
            #expect(undone.tag != before.tag)
            #expect(try await undoneBy(service) == [.integer(head + 1), nil])
            #expect(try await undoneBy(service, "?event=\(head)") == [nil, nil])
            _ = try await service.send(
                .post,
                "/v1/apps/harbour/rollback",
                as: .responder,
                ["to": ["event": .integer(head)], "reason": "It did ship"]
            )
            #expect(try await undoneBy(service) == [nil, nil])
            let back = try await service.send(.get, "/v1/changes/2", as: .viewer)
            #expect(back.json == before.json)
            let then = try await service.send(
                .get,
                "/v1/apps/harbour/changes?event=\(try #require(done.json["position"]?.integer))",
                as: .viewer
            )
            #expect(then.json["changes"]?.array?.first?["undoneBy"] == undoing)
        }
    }
}
