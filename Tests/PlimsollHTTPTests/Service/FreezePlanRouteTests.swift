import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// Freezes that are planned ahead, over REST.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct FreezePlanRouteTests {
    private func body(_ from: Int, _ until: Int) -> JSONValue {
        func time(_ hours: Int) -> JSONValue {
            .string(Instant.now.advanced(by: .seconds(hours * 3600)).rfc3339)
        }
        return [
            "from": time(from), "until": time(until), "timeZone": "Europe/London",
            "reason": "Holidays",
        ]
    }

    @Test(arguments: ["/v1/apps/harbour/freeze", "/v1/freeze"])
    func `a freeze is planned, shown everywhere, and cancelled`(_ path: String) async throws {
        try await ServiceFixture.with { service in
            let tried = try await service.send(
                .post,
                "\(path)/plans?dryRun=true",
                as: .admin,
                body(24, 48)
            )
            #expect(tried.json["plan"] == .null && tried.json["dryRun"] == true)
            let plan = try await service.send(.post, "\(path)/plans", as: .admin, body(24, 48))
            #expect(plan.status == .ok)
            let id = try #require(plan.json["plan"]?.integer)
            #expect(plan.json["by"] == .string(try await service.principal(.admin)))
            let shown = try await service.send(.get, path, as: .viewer).json
            #expect(shown["freeze"] == .null && shown["plans"] == [plan.json])
            let app = try await service.send(.get, "/v1/apps/harbour", as: .viewer).json
            #expect(app["freezePlans"] == [plan.json] && app["freeze"] == .null)
            let twice = try await service.send(.post, "\(path)/plans", as: .admin, body(30, 60))
            #expect(twice.codes == ["freezesOverlap"] && twice.status == .conflict)
            let plans = "\(path)/plans/\(id)"
            #expect(try await service.send(.delete, plans, as: .admin).status == .noContent)
            let again = try await service.send(.delete, plans, as: .admin)
            #expect(again.status == .notFound && again.codes == ["freezePlanUnknown"])
            #expect(try await service.send(.get, path, as: .viewer).json["plans"] == [])
        }
    }

    @Test func `what cannot be planned is refused by name and place`() async throws {
        try await ServiceFixture.with { service in
            let path = "/v1/apps/harbour/freeze/plans"
            let local: JSONValue = "2027-10-31T01:30"
            let twins: [(JSONValue, [String])] = [
                (body(-2, -1), ["/from"]), (body(-1, 1), ["/from"]), (body(2, 2), ["/until"]),
                (body(3, 2), ["/until"]), (body(24, 24 * 400), ["/from"]),
                (
                    ["from": local, "until": local, "timeZone": "Europe/London", "reason": "No"],
                    ["/from", "/until"]
                ),
                (
                    ["from": "2027-03-28T01:30", "timeZone": "Europe/London"],
                    [
                        "/from", "/reason", "/until",
                    ]
                ),
                (["from": local, "until": local, "reason": "No"], ["/from", "/until"]),
                (
                    ["from": 3, "until": [], "timeZone": "Londn", "reason": ""],
                    [
                        "/from", "/reason", "/timeZone", "/until",
                    ]
                ),
            ]
            for (body, pointers) in twins {
                let answer = try await service.send(.post, path, as: .responder, body)
                #expect(answer.status == .unprocessableContent, "\(body)")
                #expect(answer.pointers.sorted() == pointers, "\(body)")
            }
            for role in Role.allCases where role != .responder && role != .admin {
                let answer = try await service.send(.post, path, as: role, body(24, 48))
                #expect(answer.status == .forbidden, "\(role)")
            }
            let shown = try await service.send(.get, "/v1/apps/quay/freeze", as: .viewer)
            #expect(shown.status == .notFound)
        }
    }
}
