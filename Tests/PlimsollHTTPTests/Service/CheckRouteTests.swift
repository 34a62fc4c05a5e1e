import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollTestSupport
@testable import PlimsollService
import Testing

@testable import PlimsollHTTP

/// What looks like a mistake is told, and refused where the policy says so.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct CheckRouteTests {
    @Test func `what looks like a mistake is named with the proposal, tried or not`() async throws {
        try await ServiceFixture.with { service in
            let edits: JSONValue = [
                Edits.text("en-GB", "TBD"), Edits.text("en", "Get it from Google Play."),
            ]
            let proposed = try await service.propose(edits)
            let checks = try #require(proposed.json["checks"]?.array)
            #expect(checks.map { $0["check"] } == ["placeholderLeft", "otherStoreNamed"])
            #expect(checks.allSatisfy { $0["severity"] == "warn" })
            #expect(checks.map { $0["overriddenBy"] } == [.null, .null])
            let id = try #require(proposed.json["id"]?.string)
            let shown = try await service.send(.get, "/v1/changes/\(id)", as: .viewer)
            #expect(shown.json["checks"] == proposed.json["checks"])
            let applied = try await service.approve(proposed)
            #expect(applied.json["checks"] == [])
        }
    }

    @Test func `what the policy refuses waits for somebody to say why it is right`() async throws {
        try await ServiceFixture.with { service in
            try await service.refuseRecommendationsBelowMinima()
            let proposed = try await service.propose(Edits.minimum("3.2.0"))
            let check = try #require(proposed.json["checks"]?.array?.first)
            #expect(check["severity"] == "refuse" && check["overridableBy"] == "approver")
            let path = "/v1/changes/\(try #require(proposed.json["id"]?.string))"
            let match: HTTPFields = [.ifMatch: proposed.tag]
            let early = try await service.approve(proposed)
            #expect(early.codes == ["checkRefused"])
            let body: JSONValue = ["check": "minimumAboveRecommended", "reason": "It is the end."]
            let overridden = try await service.send(
                .post,
                "\(path)/override",
                as: .approver,
                body,
                headers: match
            )
            let approver = try await service.principal(.approver)
            let told = overridden.json["checks"]?.array?.first
            #expect(told?["overriddenBy"] == .string(approver))
            let applied = try await service.approve(proposed)
            #expect(applied.json["state"] == "applied")
            let events = try await service.send(
                .get,
                "/v1/events?type=CheckOverridden",
                as: .auditor
            )
            #expect(events.json["events"]?.array?.first?["reason"] == "It is the end.")
        }
    }
}

extension ServiceFixture {
    /// Recommends 3.1.5 on iOS; a minimum above it is refused unless an approver overrides that.
    func refuseRecommendationsBelowMinima() async throws {
        let texts: [JSONValue] = ["title", "description"].flatMap { part in
            ["en-GB", "en"].map { language in
                [
                    "op": "setText", "platform": "ios", "threshold": "recommendedApp",
                    "part": .string(part), "language": .string(language),
                    "text": .string("A new \(part) in \(language)."),
                ]
            }
        }
        let value: JSONValue = [
            "op": "setValue", "platform": "ios", "threshold": "recommendedApp", "value": "3.1.5",
        ]
        try await apply(.array(texts + [value]))
        let policy = Policy(
            checks: [.minimumAboveRecommended: CheckRule(.refuse, overridableBy: .approver)]
        )
        _ = try await useCases.writer.perform(
            CommandRequest(ChangePolicy(of: .all, to: policy, seen: nil, reason: nil, by: .system))
        )
    }
}
