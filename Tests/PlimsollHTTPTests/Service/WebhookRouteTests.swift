import Foundation
import HTTPTypes
import PlimsollDomain
import PlimsollSystem
import PlimsollJSON
import PlimsollTestSupport
import PlimsollService
import Testing

@testable import PlimsollHTTP

@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct WebhookRouteTests {
    private func order(_ url: String, _ members: JSONObject = [:]) -> JSONValue {
        var order = members
        order["url"] = .string(url)
        return .object(order)
    }

    @Test func `a secret is shown to whoever made it, this once`() async throws {
        try await ServiceFixture.with { service in
            let headers: HTTPFields = [.idempotencyKey: "k"]
            let order = order("https://hooks.example.com/p", ["app": "harbour"])
            let made = try await service.send(
                .post,
                "/v1/webhooks",
                as: .admin,
                order,
                headers: headers
            )
            #expect(made.status == .created)
            let id = try #require(made.json["id"]?.string)
            #expect(made.headers[.location] == "/v1/webhooks/\(id)")
            #expect(made.json["secret"]?.string?.hasPrefix("whsec_") == true)
            let again = try await service.send(
                .post,
                "/v1/webhooks",
                as: .admin,
                order,
                headers: headers
            )
            #expect(again.json["id"]?.string == id)
            #expect(again.json["secret"] == .null)
            let secret = try #require(made.json["secret"]?.string)
            for path in ["/v1/webhooks", "/v1/webhooks/\(id)", "/v1/events", "/v1/me"] {
                let answer = try await service.send(.get, path, as: .admin)
                #expect(!answer.description.contains(secret), "\(path)")
            }
            let rotated = try await service.send(
                .post,
                "/v1/webhooks/\(id)/secret",
                as: .admin,
                [:]
            )
            #expect(rotated.json["secret"]?.string?.hasPrefix("whsec_") == true)
            #expect(rotated.json["secret"] != made.json["secret"])
            #expect(rotated.json["previousSecretUntil"]?.string != nil)
        }
    }

    @Test(arguments: [
        "https://10.0.0.1/", "https://[::1]/", "https://169.254.169.254/",
        "https://[::ffff:1.1.1.1]/",
    ])
    func `a place that is not anybody's is refused where it is named`(_ url: String) async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(.post, "/v1/webhooks", as: .admin, order(url))
            #expect(answer.status == .unprocessableContent)
            #expect(answer.codes == ["placeRefused"])
            #expect(answer.pointers == ["/url"])
        }
    }

    @Test(arguments: [
        "", "hooks.example.com", "ftp://hooks.example.com/", "https://user@hooks.example.com/",
        "https://127.1/",
    ])
    func `what is no address is refused in its own words`(_ url: String) async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(.post, "/v1/webhooks", as: .admin, order(url))
            #expect(answer.status.kind == .clientError)
            #expect(answer.pointers == ["/url"])
        }
    }

    @Test func `types that are not there and apps that are not there are refused`() async throws {
        try await ServiceFixture.with { service in
            let types: JSONObject = ["types": ["ChangeApplied", "Nonsense"]]
            let answer = try await service.send(
                .post,
                "/v1/webhooks",
                as: .admin,
                order("https://10.0.0.1/", types)
            )
            #expect(answer.codes == ["placeRefused", "typeUnknown"])
            #expect(answer.pointers == ["/url", "/types/1"])
            let app = try await service.send(
                .post,
                "/v1/webhooks",
                as: .admin,
                order("https://hooks.example.com/", ["app": "quay"])
            )
            #expect(app.codes == ["scopeUnknown"])
        }
    }

    @Test func `auditors look at webhooks, and nobody else below an administrator`() async throws {
        try await ServiceFixture.with { service in
            let made = try await service.send(
                .post,
                "/v1/webhooks",
                as: .admin,
                order("https://hooks.example.com/")
            )
            let id = try #require(made.json["id"]?.string)
            for role in Role.allCases {
                let mayLook = role == .auditor || role == .admin
                let list = try await service.send(.get, "/v1/webhooks", as: role)
                #expect(list.json["webhooks"]?.array?.count == (mayLook ? 1 : 0), "\(role)")
                for path in ["/v1/webhooks/\(id)", "/v1/webhooks/\(id)/deliveries"] {
                    let answer = try await service.send(.get, path, as: role)
                    #expect(answer.status == (mayLook ? .ok : .forbidden), "\(role)")
                }
                guard role != .admin else { continue }
                let test = try await service.send(.post, "/v1/webhooks/\(id)/test", as: role, [:])
                #expect(test.status == .forbidden, "\(role)")
            }
            let unknown = "/v1/webhooks/\(UUID().uuidString.lowercased())"
            #expect(try await service.send(.get, unknown, as: .admin).codes == ["webhookUnknown"])
            #expect(try await service.send(.get, "/v1/webhooks/x", as: .admin).status == .notFound)
        }
    }

    @Test func `a key that cannot be used is told of, and makes nothing`() async throws {
        try await ServiceFixture.with { service in
            let order = order("https://hooks.example.com/")
            let made = try await service.send(.post, "/v1/webhooks", as: .admin, order)
            let id = try #require(made.json["id"]?.string)
            try service.webhookKey.path.setPermissions(.readableByAll)
            let end = try await service.logEnd()
            for (path, body) in [("/v1/webhooks", order), ("/v1/webhooks/\(id)/secret", [:])] {
                let refused = try await service.send(.post, path, as: .admin, body)
                #expect(refused.status == .serviceUnavailable)
                #expect(refused.json["type"] == "/problems/key-unusable")
                #expect(!refused.description.contains(service.webhookKey.path.string))
            }
            #expect(try await service.logEnd() == end)
        }
    }

    @Test func `a test is sent at once, told of and listed`() async throws {
        try await ServiceFixture.with { service in
            let refusal = "HTTP/1.1 500 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            try await ScriptedServer.with({ _ in .bytes(Array(refusal.utf8)) }) { receiver, port in
                let made = try await service.send(
                    .post,
                    "/v1/webhooks",
                    as: .admin,
                    order("http://127.0.0.1:\(port)/")
                )
                let path = "/v1/webhooks/\(try #require(made.json["id"]?.string))"
                let end = try await service.logEnd()
                let tested = try await service.send(.post, "\(path)/test", as: .admin, [:])
                #expect(tested.status == .ok)
                #expect(tested.json["status"] == 500)
                #expect(tested.json["failure"] == "it answered 500")
                #expect(receiver.requests.count == 1)
                #expect(receiver.requests.first?["webhook-id"] == tested.json["message"]?.string)
                _ = try await service.send(.post, "\(path)/test", as: .admin, [:])
                let list = try await service.send(.get, "\(path)/deliveries?limit=1", as: .auditor)
                #expect(list.json["deliveries"]?.array?.count == 1)
                let next = try #require(list.json["next"]?.string)
                let rest = try await service.send(
                    .get,
                    "\(path)/deliveries?cursor=\(next)",
                    as: .auditor
                )
                #expect(rest.json["deliveries"]?.array?.first == tested.json)
                #expect(rest.json["next"] == .null)
                #expect(try await service.logEnd() == end)
            }
        }
    }
}
