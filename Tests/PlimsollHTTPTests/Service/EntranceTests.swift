import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import PlimsollService
import Testing

@testable import PlimsollHTTP

@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct EntranceTests {
    @Test func `nobody comes in without a valid token`() async throws {
        try await ServiceFixture.with { service in
            for route in RouteTable.service.routes where route.needsCaller {
                let bare = try await service.send(route.httpMethod, route.examplePath)
                #expect(bare.status == .unauthorized, "\(route.name)")
                #expect(bare.headers[.wwwAuthenticate] == "Bearer realm=\"plimsoll\"")
            }
            let dead = String(repeating: "0", count: 64)
            for field in ["Bearer plm_\(dead)", "Bearer plm_", "Basic YTpi", "Bearer", ""] {
                let answer = try await service.send(
                    .get,
                    "/v1/me",
                    headers: [.authorization: field]
                )
                #expect(answer.status == .unauthorized)
                let isToken = field == "Bearer plm_\(dead)" || field == "Bearer plm_"
                let challenge = answer.headers[.wwwAuthenticate] ?? ""
                #expect(challenge.contains("invalid_token") == isToken)
            }
        }
    }

    @Test func `a token dies at once when it is revoked`() async throws {
        try await ServiceFixture.with { service in
            let me = try await service.send(.get, "/v1/me", as: .viewer)
            let id = try #require(me.json["token"]?.string)
            let path = "/v1/tokens/\(id)"
            let tried = try await service.send(.delete, "\(path)?dryRun=true", as: .admin)
            #expect(tried.status == .ok)
            #expect(tried.json == ["dryRun": true])
            #expect(try await service.send(.get, "/v1/me", as: .viewer).status == .ok)
            #expect(try await service.send(.delete, path, as: .admin).status == .noContent)
            #expect(try await service.send(.get, "/v1/me", as: .viewer).status == .unauthorized)
            #expect(try await service.send(.delete, path, as: .admin).status == .notFound)
        }
    }

    @Test func `a role for an app that does not exist is named by its place`() async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(
                .post,
                "/v1/tokens",
                as: .admin,
                [
                    "name": "n",
                    "roles": [["role": "viewer"], ["role": "viewer", "app": "nowhere"]],
                ]
            )
            #expect(answer.status == .unprocessableContent)
            #expect(answer.pointers == ["/roles/1/app"])
        }
    }

    @Test func `a write whose token died on its way is refused as if it had been dead before`() {
        #expect(Problem(UseCaseError.tokenDead) == .deadToken)
    }

    @Test func `the scheme of a token may be written in any case`() async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(
                .get,
                "/v1/me",
                headers: [.authorization: "bEARER \(try service.token(.viewer))"]
            )
            #expect(answer.status == .ok)
        }
    }

    @Test func `what is nowhere is not found, what is somewhere says how to be asked`() async throws
    {
        try await ServiceFixture.with { service in
            for path in ["/", "/v1", "/v1/nothing", "/v2/apps", "/v1/apps/harbour/", "/v1/changes"]
            {
                let answer = try await service.send(.get, path, as: .admin)
                let isThere = path == "/v1/apps/harbour/"
                #expect(answer.status == (isThere ? .ok : .notFound), "\(path)")
            }
            let put = try await service.send(.put, "/v1/apps", as: .admin)
            #expect(put.status == .methodNotAllowed)
            #expect(put.headers[.allow] == "GET, HEAD, OPTIONS, POST")
            let odd = try await service.send(.init("BREW") ?? .get, "/healthz")
            #expect(odd.status == .methodNotAllowed)
            #expect(odd.headers[.allow] == "GET, HEAD, OPTIONS")
        }
    }

    @Test(arguments: [
        "/v1/apps/Harbour", "/v1/apps/quay", "/v1/changes/0", "/v1/changes/01", "/v1/changes/x",
        "/v1/changes/999", "/v1/apps/harbour/documents/tv", "/v1/events/0", "/v1/events/99999",
        "/v1/apps/harbour/documents/jvm",
    ])
    func `what an address names has to be there`(_ path: String) async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(.get, path, as: .admin)
            #expect(answer.status == .notFound)
        }
    }

    @Test func `a missing role is named`() async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(.get, "/v1/events", as: .viewer)
            #expect(answer.status == .forbidden)
            #expect(answer.codes == ["roleMissing"])
            #expect(answer.json["detail"]?.string?.contains("auditor") == true)
        }
    }

    @Test func `what nobody here can write is not acceptable`() async throws {
        try await ServiceFixture.with { service in
            let head = try await service.head()
            let answer = try await service.send(
                .post,
                "/v1/apps/harbour/changes",
                as: .proposer,
                ["title": "t", "base": .integer(head), "operations": Edits.minimum("3.2.0")],
                headers: [.accept: "text/html"]
            )
            #expect(answer.status == .notAcceptable)
            #expect(try await service.head() == head)
        }
    }

    @Test(arguments: ["/v1/me?x=1", "/v1/apps?limit=1", "/v1/apps/harbour/changes?state=open"])
    func `an unknown parameter, or an unknown value, is refused`(_ path: String) async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(.get, path, as: .admin)
            #expect(answer.status == .badRequest)
            #expect(answer.json["errors"]?.array?.first?["parameter"] != nil)
        }
    }

    @Test func `every answer is kept out of caches and carries the request's name`() async throws {
        try await ServiceFixture.with { service in
            for path in ["/v1/me", "/v1/nothing", "/healthz"] {
                let answer = try await service.send(
                    .get,
                    path,
                    headers: [.requestID: "ticket-17"]
                )
                #expect(answer.headers[.requestID] == "ticket-17")
                #expect(answer.headers[.cacheControl] == "no-store")
                #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            }
            let odd = try await service.send(
                .get,
                "/v1/me",
                headers: [.requestID: "a\"b"]
            )
            #expect(odd.headers[.requestID] != "a\"b")
            #expect(odd.json["requestId"]?.string == odd.headers[.requestID])
        }
    }

    @Test func `a head is what a get would have been, without the body`() async throws {
        try await ServiceFixture.with { service in
            let get = try await service.send(.get, "/v1/apps/harbour", as: .viewer)
            let head = try await service.send(.head, "/v1/apps/harbour", as: .viewer)
            #expect(head.status == .ok)
            #expect(head.bytes.isEmpty)
            #expect(head.tag == get.tag)
            let missing = try await service.send(.head, "/v1/apps/quay", as: .viewer)
            #expect(missing.status == .notFound)
            #expect(missing.bytes.isEmpty)
        }
    }
}

extension EndpointFacts {
    /// The path with something in the place of every parameter.
    var examplePath: String {
        path.split(separator: "/").map { part in
            switch part {
            case "{app}", "{marketplace}": "harbour"
            case "{platform}": "ios"
            case "{version}": "3.2.0"
            case "{change}", "{position}": "1"
            case "{problem}": "stale"
            case "{level}": "0"
            case "{entryKey}": "0123456789abcdef0123456789abcdef"
            case "{first}", "{second}", "{third}": "000"
            case "{token}", "{principal}", "{webhook}", "{key}", "{session}":
                "6d1f8a52-4f0e-4a3c-9b1e-0d2c7a9e5b31"
            default: String(part)
            }
        }.reduce(into: "") { $0 += "/\($1)" }
    }
}
