import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollService
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// The description and the router say the same.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct RouteTests {
    @Test func `every route is documented, and nothing else is`() async throws {
        try await ServiceFixture.with { service in
            let dependencies = Dependencies(useCases: service.useCases)
            let routes = buildRouter(dependencies: dependencies).routes.map {
                "\($0.method.rawValue) \($0.path)"
            }
            let documented = RouteTable.service.routes.map {
                "\($0.method.rawValue) \($0.routerPath)"
            }
            #expect(Set(routes) == Set(documented))
        }
    }

    @Test func `an endpoint without a handler and a handler without an endpoint are told`() {
        let table = RouteTable(
            routes: [
                Endpoints.listApps.facts, Endpoints.getApp.facts, Endpoints.freezeApp.facts,
            ]
        )
        let handled = [Endpoints.listApps.facts, Endpoints.getApp.facts]
        #expect(table.unmatched(by: handled) == ["freezeApp"])
        #expect(table.unmatched(by: table.routes) == [])
        #expect(table.unmatched(by: table.routes + handled) == ["listApps", "getApp"])
        #expect(table.unmatched(by: table.routes + [Endpoints.thawApp.facts]) == ["thawApp"])
    }

    @Test func `no list gives more at once than is read at once`() {
        #expect(Endpoints.listChanges.facts.limitMaximum == ChangeQuery.limitMaximum)
        #expect(Endpoints.listEvents.facts.limitMaximum == EventQuery.limitMaximum)
        #expect(Endpoints.listReviews.facts.limitMaximum == ReviewQuery.limitMaximum)
        #expect(Endpoints.getFieldHistory.facts.limitMaximum == FieldHistoryQuery.limitMaximum)
        #expect(Endpoints.listDeliveries.facts.limitMaximum == UseCases.deliveriesMaximum)
    }

    @Test func `every documented route answers`() async throws {
        try await ServiceFixture.with { service in
            for route in RouteTable.service.routes {
                let answer = try await service.send(
                    route.httpMethod,
                    route.examplePath,
                    as: route.needsCaller ? .admin : nil
                )
                #expect(answer.status != .methodNotAllowed, "\(route.name)")
                let isNowhere = answer.json["detail"] == "There is nothing at this address."
                #expect(!isNowhere, "\(route.name)")
            }
        }
    }

    @Test func `the service lives, is ready, counts, and describes itself`() async throws {
        try await ServiceFixture.with { service in
            let health = try await service.send(.get, "/healthz")
            let readiness = try await service.send(.get, "/readyz")
            let description = try await service.send(.get, "/openapi.json")
            let metrics = try await service.send(.get, "/metrics")
            #expect(health.json["status"] == "alive")
            #expect(readiness.json["status"] == "ready")
            #expect(description.json["openapi"] == "3.1.0")
            #expect(metrics.status == .ok)
        }
    }
}

/// What only a connection shows.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct ConnectionTests {
    @Test func `a large body is refused in an answer that arrives`() async throws {
        try await ServiceFixture.with(.live) { service in
            let answer = try await service.send(
                .post,
                "/v1/tokens",
                as: .admin,
                bytes: Array(repeating: 0x20, count: 1_048_576),
                headers: [.contentType: "application/json"]
            )
            #expect(answer.status == .contentTooLarge)
            let next = try await service.send(.get, "/v1/me", as: .admin)
            #expect(next.status == .ok)
        }
    }

    @Test func `an address that is spelt oddly comes past the same doors`() async throws {
        try await ServiceFixture.with(.live) { service in
            for path in ["//v1/me", "/v1//me", "/v1/me/", "/healthz/../v1/me", "/v1/me#x"] {
                let answer = try await service.send(.get, path)
                #expect([401, 404].contains(answer.status.code), "\(path)")
            }
        }
    }
}
