import Foundation
import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// The life of signing keys over REST.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(2)))
struct KeyRouteTests {
    private static let keys = "/v1/apps/harbour/keys"

    private func add(_ service: ServiceFixture) async throws -> ServiceAnswer {
        let added = try await service.send(.post, Self.keys, as: .admin, [:])
        try #require(added.status == .created, "\(added)")
        return added
    }

    private func turn(
        _ key: ServiceAnswer,
        _ way: String,
        _ service: ServiceFixture,
        seeing tag: String? = nil
    ) async throws -> ServiceAnswer {
        let id = try #require(key.json["id"]?.string)
        return try await service.send(
            .post,
            "/v1/keys/\(id)/\(way)",
            as: .admin,
            way == "compromise" ? ["reason": "The backup was stolen"] : [:],
            headers: [.ifMatch: tag ?? key.tag]
        )
    }

    @Test func `a key is added, activated and retired, each binding to the one before`()
        async throws
    {
        try await ServiceFixture.with { service in
            let added = try await add(service)
            let id = try #require(added.json["id"]?.string)
            #expect(added.headers[.location] == "/v1/keys/\(id)")
            #expect(added.json["state"] == "added")
            #expect(added.tag == "\"\(try #require(added.json["position"]?.integer))\"")
            let active = try await turn(added, "activate", service)
            #expect(active.json["state"] == "active")
            let shown = try await service.send(.get, "/v1/keys/\(id)", as: .viewer)
            #expect(shown.json == active.json && shown.tag == active.tag)
            let stale = try await turn(added, "retire", service)
            #expect(stale.status == .preconditionFailed)
            #expect(stale.codes == ["keyDiffers"])
            let retired = try await turn(active, "retire", service)
            #expect(retired.json["state"] == "retired")
            let again = try await turn(retired, "retire", service)
            #expect(again.status == .conflict)
            #expect(again.json["type"] == "/problems/nothing-to-do")
        }
    }

    @Test func `the last key that signs is not lost, and the remedy names what waits`()
        async throws
    {
        try await ServiceFixture.with { service in
            let list = try await service.send(.get, "/v1/keys", as: .viewer).json
            let first = try #require(list["keys"]?.array?.first?["id"]?.string)
            let shown = try await service.send(.get, "/v1/keys/\(first)", as: .viewer)
            let added = try await add(service)
            for way in ["retire", "compromise"] {
                let answer = try await turn(shown, way, service)
                #expect(answer.status == .conflict)
                #expect(answer.codes == ["lastActiveKey"])
                let remedy = answer.json["errors"]?.array?.first?["remedy"]?.string
                #expect(remedy?.contains(try #require(added.json["id"]?.string)) == true)
            }
            _ = try await turn(added, "activate", service)
            let lost = try await turn(shown, "compromise", service, seeing: "\"1\"")
            #expect(lost.json["state"] == "compromised", "\(lost)")
        }
    }

    @Test func `a key that cannot sign is not activated, tried or not`() async throws {
        try await ServiceFixture.with { service in
            let added = try await add(service)
            let id = try #require(added.json["id"]?.string.flatMap { KeyID($0) })
            service.unusableKeys.insert(id)
            let end = try await service.logEnd()
            let answer = try await turn(added, "activate", service)
            #expect(answer.status == .conflict)
            #expect(answer.codes == ["signerUnusable"])
            #expect(try await service.logEnd() == end)
        }
    }

    @Test func `a place that is none, or two at once, is refused with its name`() async throws {
        try await ServiceFixture.with { service in
            let id = "3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"
            let arn = "arn:aws:kms:eu-west-2:123456789012:key/\(id)"
            let bad: [(JSONValue, [String])] = [
                (["environment": "PATH"], ["/environment"]),
                (["environment": "PLIMSOLL_SIGNING_KEY_x"], ["/environment"]),
                (["keyService": .string(id)], ["/keyService"]),
                (["keyService": .string(arn.uppercased())], ["/keyService"]),
                (["id": "X"], ["/id"]),
                (["keyService": .string(arn), "id": .string(id)], ["/id"]),
                (
                    ["keyService": .string(arn), "environment": "PLIMSOLL_SIGNING_KEY"],
                    ["/environment"]
                ),
                (["keyService": .string(arn)], ["/keyService"]),
                (["id": .string(id)], ["/id"]),
                (["environment": "PLIMSOLL_SIGNING_KEY"], ["/environment"]),
            ]
            let end = try await service.logEnd()
            for (body, pointers) in bad {
                let answer = try await service.send(.post, Self.keys, as: .admin, body)
                #expect(answer.status == .unprocessableContent, "\(body)")
                #expect(answer.pointers == pointers, "\(body)")
            }
            #expect(try await service.logEnd() == end)
        }
    }

    @Test func `a responder says that a key leaked, and does nothing else with keys`() async throws
    {
        try await ServiceFixture.with { service in
            let added = try await add(service)
            let id = try #require(added.json["id"]?.string)
            for way in ["activate", "retire"] {
                let answer = try await service.send(
                    .post,
                    "/v1/keys/\(id)/\(way)",
                    as: .responder,
                    headers: [.ifMatch: added.tag]
                )
                #expect(answer.status == .forbidden)
            }
            let lost = try await service.send(
                .post,
                "/v1/keys/\(id)/compromise",
                as: .responder,
                ["reason": "The backup was stolen"]
            )
            #expect(lost.json["state"] == "compromised")
        }
    }
}
