import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// `GET …/history?field=…`.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct FieldHistoryTests {
    private static let path = "/v1/apps/harbour/documents/ios/history"
    private static let value = "\(path)?field=ios.minimumApp.value"

    // Goal: every write of a field is there, newest first, with the people behind it. Method: two
    // changes and a rollback, which nobody proposed.
    @Test func `every write of a field has its event, people, reason and both values`()
        async throws
    {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.1"))
            let before = try await service.head()
            try await service.apply(Edits.minimum("3.2"))
            let rolledBack = try await service.send(
                .post,
                "/v1/apps/harbour/rollback",
                as: .responder,
                ["to": ["beforeChange": "2"], "reason": "3.2 is not in the store"]
            )
            #expect(rolledBack.status == .ok)
            let answer = try await service.send(.get, Self.value, as: .viewer)
            let writes = try #require(answer.json["history"]?.array)
            #expect(writes.map { $0["before"] } == ["3.2", "3.1", .null])
            #expect(writes.map { $0["after"] } == ["3.1", "3.2", "3.1"])
            #expect(writes.map { $0["change"] } == [.null, "2", "1"])
            #expect(writes[0]["reason"] == "3.2 is not in the store")
            #expect(writes[1]["reason"] == "3.1 loses data")
            #expect(writes[1]["sentence"] == "iOS minimum app 3.1 → 3.2")
            let people = try await people(service)
            #expect(writes.map { $0["author"] } == [people[2], people[0], people[0]])
            #expect(writes.map { $0["approvers"] } == [[], [people[1]], [people[1]]])
            for write in writes {
                let position = try #require(write["event"]?.integer)
                let event = try await service.send(.get, "/v1/events/\(position)", as: .auditor)
                #expect(event.json["recordedAt"] == write["recordedAt"])
                #expect(event.json["fields"]?.array?.first?["after"] == write["after"])
            }
            let then = try await service.send(.get, "\(Self.value)&event=\(before)", as: .viewer)
            #expect(then.json["history"]?.array == [writes[2]])
        }
    }

    private func people(_ service: ServiceFixture) async throws -> [JSONValue] {
        var ids: [JSONValue] = []
        for role in [Role.proposer, .approver, .responder] {
            let me = try await service.send(.get, "/v1/me", as: role)
            ids.append(try #require(me.json["principal"]))
        }
        return ids
    }

    @Test func `a long history comes in parts, none twice and none left out`() async throws {
        try await ServiceFixture.with { service in
            for number in 1...5 { try await service.apply(Edits.minimum("3.\(number)")) }
            var (values, path) = ([JSONValue?](), "\(Self.value)&limit=2")
            for _ in 1...3 {
                let part = try await service.send(.get, path, as: .viewer)
                values += part.json["history"]?.array?.map { $0["after"] } ?? []
                guard let next = part.json["next"]?.string else { break }
                path = "\(Self.value)&limit=2&cursor=\(next)"
            }
            #expect(values == ["3.5", "3.4", "3.3", "3.2", "3.1"])
            let foreign = path.replacing("minimumApp", with: "minimumOS")
            #expect(try await service.send(.get, foreign, as: .viewer).status == .badRequest)
        }
    }

    @Test func `a field that was never written has an empty history`() async throws {
        try await ServiceFixture.with { service in
            let path = "\(Self.path)?field=ios.recommendedOS.value"
            let answer = try await service.send(.get, path, as: .viewer)
            #expect(answer.json["history"] == [])
            #expect(answer.json["next"] == .null)
        }
    }

    @Test(arguments: [
        ("ios/history", HTTPResponse.Status.badRequest, "parameterMissing"),
        ("ios/history?field=minimumApp", .badRequest, "valueWrong"),
        ("ios/history?field=android.minimumApp.value", .badRequest, "valueWrong"),
        ("ios/history?field=ios.minimumApp.value&limit=0", .badRequest, "valueWrong"),
        ("ios/history?field=ios.minimumApp.value&cursor=x", .badRequest, "valueWrong"),
        ("ios/history?field=ios.minimumApp.value&actor=x", .badRequest, "parameterUnknown"),
        ("ios/history?field=ios.minimumApp.value&event=1000000", .notFound, "targetAhead"),
        ("ios/history?field=ios.minimumApp.value&event=1", .notFound, "targetBeforeApp"),
        ("macos/history?field=macos.minimumApp.value", .notFound, "platformUnknown"),
        ("amiga/history?field=ios.minimumApp.value", .notFound, "platformUnknown"),
    ])
    func `what cannot be has no history`(
        _ path: String,
        _ status: HTTPResponse.Status,
        _ code: String
    ) async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(
                .get,
                "/v1/apps/harbour/documents/\(path)",
                as: .viewer
            )
            #expect(answer.status == status)
            #expect(answer.json["errors"]?.array?.first?["code"] == .string(code))
        }
    }
}
