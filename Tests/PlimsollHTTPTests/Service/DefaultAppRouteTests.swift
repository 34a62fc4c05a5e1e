import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// Which app stands at the addresses without a name, over REST.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct DefaultAppRouteTests {
    private let path = "/v1/apps/quay/default"
    private let registration: JSONValue = [
        "slug": "quay", "name": "Quay", "platforms": ["ios", "macos"], "languages": ["en"],
        "fallbackLanguage": "en",
    ]

    @Test func `a dry run says which addresses give another document, and what signs it`()
        async throws
    {
        try await ServiceFixture.with { service in
            try #require(
                try await service.send(.post, "/v1/apps", as: .admin, registration).status
                    == .created
            )
            let end = try await service.logEnd()
            let order: JSONValue = ["from": "harbour", "reason": "The sample may go"]
            let tried = try await service.send(.post, "\(path)?dryRun=true", as: .admin, order)
            #expect(tried.status == .ok)
            #expect(tried.json["position"] == .null && tried.json["dryRun"] == true)
            #expect(try await service.logEnd() == end)
            let addresses = try #require(tried.json["addresses"]?.array)
            #expect(
                addresses.compactMap { $0["path"]?.string } == [
                    "/distribution/availability-android", "/distribution/availability-ios",
                    "/distribution/availability-macos", "/distribution/prince-of-versions.json",
                ]
            )
            #expect(
                addresses.map { $0["before"]?["app"] }
                    == ["harbour", "harbour", nil, "harbour"]
            )
            #expect(addresses.map { $0["after"]?["app"] } == [nil, "quay", "quay", "quay"])
            let keys = try await service.send(.get, "/v1/keys", as: .admin).json["keys"]?.array
            for (member, app) in [("keysBefore", "harbour"), ("keysAfter", "quay")] {
                let own = keys?.filter { $0["app"]?.string == app }.compactMap { $0["id"] }
                #expect(tried.json[member]?.array == own && own?.isEmpty == false)
            }

            let done = try await service.send(.post, path, as: .admin, order)
            let position = try #require(done.json["position"]?.integer)
            #expect(done.json["addresses"]?.array?.last?["after"]?["sequence"]?.integer == position)
            let apps = try await service.send(.get, "/v1/apps", as: .admin).json["apps"]?.array
            #expect(apps?.filter { $0["default"] == true }.map { $0["slug"] } == ["quay"])
            let event = try await service.send(.get, "/v1/events/\(position)", as: .admin).json
            #expect(event["type"] == "DefaultAppChosen" && event["reason"] == "The sample may go")
            #expect(event["differences"]?.array?.first?["before"] == "harbour")
            #expect(event["differences"]?.array?.first?["after"] == "quay")
            let early = try await service.send(
                .get,
                "/v1/apps/harbour?event=\(position - 1)",
                as: .admin
            )
            #expect(early.json["default"] == true)
        }
    }

    @Test func `who saw another one, or may not, changes nothing`() async throws {
        try await ServiceFixture.with { service in
            _ = try await service.send(.post, "/v1/apps", as: .admin, registration)
            let end = try await service.logEnd()
            for body: JSONValue in [[:], ["from": "quay"], ["from": nil]] {
                let answer = try await service.send(.post, path, as: .admin, body)
                #expect(answer.status == .preconditionFailed)
                #expect(answer.codes == ["defaultAppDiffers"])
            }
            let order: JSONValue = ["from": "harbour"]
            for role in [Role.viewer, .proposer, .approver, .responder] {
                #expect(
                    try await service.send(.post, path, as: role, order).status == .forbidden
                )
            }
            let same = try await service.send(.post, "/v1/apps/harbour/default", as: .admin, order)
            #expect(same.codes == ["nothingChanges"])
            let nowhere = try await service.send(.post, "/v1/apps/sea/default", as: .admin, order)
            #expect(nowhere.codes == ["appUnknown"])
            #expect(try await service.logEnd() == end)
        }
    }
}
