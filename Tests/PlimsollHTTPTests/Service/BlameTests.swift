import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct BlameTests {
    private static let path = "/v1/apps/harbour/documents/ios/blame"

    @Test func `each field has its event, author, approver, reason and time`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.1"))
            let before = try await service.head()
            try await service.apply(Edits.minimum("3.2"))
            let live = try await service.send(.get, Self.path, as: .viewer)
            let field = try #require(live.line("ios.minimumApp.value"))
            #expect(field["value"] == "3.2")
            #expect(field["change"] == "2")
            #expect(field["reason"] == "3.1 loses data")
            let proposer = try await service.send(.get, "/v1/me", as: .proposer)
            #expect(field["author"] == proposer.json["principal"])
            let approver = try await service.send(.get, "/v1/me", as: .approver)
            #expect(field["approvers"] == [approver.json["principal"] ?? .null])
            #expect(field["kind"] == "change" && field["incident"] == .null)
            let position = try #require(field["event"]?.integer)
            let event = try await service.send(.get, "/v1/events/\(position)", as: .auditor)
            #expect(event.json["type"] == "ThresholdSet")
            #expect(event.json["recordedAt"] == field["since"])
            let then = try await service.send(.get, "\(Self.path)?event=\(before)", as: .viewer)
            #expect(then.json["position"] == .integer(before))
            #expect(then.line("ios.minimumApp.value")?["value"] == "3.1")
            #expect(then.line("ios.minimumApp.value")?["change"] == "1")
        }
    }

    @Test func `after a rollback its responder stands behind the field`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.1"))
            try await service.apply(Edits.minimum("3.2"))
            let rolledBack = try await service.send(
                .post,
                "/v1/apps/harbour/rollback",
                as: .responder,
                ["to": ["beforeChange": "2"], "reason": "3.2 is not in the store"]
            )
            #expect(rolledBack.status == .ok)
            let live = try await service.send(.get, Self.path, as: .viewer)
            let field = try #require(live.line("ios.minimumApp.value"))
            let responder = try await service.send(.get, "/v1/me", as: .responder)
            #expect(field["author"] == responder.json["principal"])
            #expect(field["change"] == .null)
            #expect(field["approvers"] == [])
            #expect(field["kind"] == "rollback" && field["incident"] == .null)
            #expect(field["reason"] == "3.2 is not in the store")
        }
    }

    @Test func `after an emergency its incident says why nobody approved`() async throws {
        try await ServiceFixture.with { service in
            let block: JSONValue = [
                "platform": "ios", "below": "3.2.0", "reason": "It loses data.",
                "incident": "INC-731",
            ]
            let path = "/v1/apps/harbour/block"
            let done = try await service.send(.post, path, as: .responder, block)
            #expect(done.status == .ok)
            let live = try await service.send(.get, Self.path, as: .viewer)
            let field = try #require(live.line("ios.minimumApp.value"))
            #expect(field["kind"] == "emergency")
            #expect(field["incident"] == "INC-731")
            #expect(field["approvers"] == [])
        }
    }

    @Test(arguments: [
        ("ios/blame?event=1000000", HTTPResponse.Status.notFound),
        ("macos/blame", .notFound), ("amiga/blame", .notFound), ("ios/blame?event=x", .badRequest),
        ("ios/blame?field=x", .badRequest),
        ("ios/blame?event=1&at=2026-01-01T00:00:00Z", .badRequest),
    ])
    func `what never was has nobody behind it`(
        _ path: String,
        _ status: HTTPResponse.Status
    ) async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(
                .get,
                "/v1/apps/harbour/documents/\(path)",
                as: .viewer
            )
            #expect(answer.status == status)
        }
    }
}

extension ServiceAnswer {
    fileprivate func line(_ path: String) -> JSONValue? {
        json["fields"]?.array?.first { $0["field"] == .string(path) }
    }
}
