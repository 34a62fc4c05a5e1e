import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// What holds at every route, those of tomorrow included.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct ConventionTests {
    @Test func `no route overlooks a parameter that it does not know`() async throws {
        try await ServiceFixture.with { service in
            for route in RouteTable.service.routes {
                let digest = "\"\(String(repeating: "0", count: 64))\""
                let answer = try await service.send(
                    route.httpMethod,
                    "\(route.examplePath)?nobody=1",
                    as: route.needsCaller ? .admin : nil,
                    headers: route.precondition == .change ? [.ifMatch: digest] : [:]
                )
                #expect(answer.status == .badRequest, "\(route.name)")
                #expect(answer.faultyParameters.contains("nobody"), "\(route.name)")
            }
        }
    }

    @Test func `no route overlooks a parameter that stands twice`() async throws {
        try await ServiceFixture.with { service in
            for route in RouteTable.service.routes {
                for parameter in route.query where !parameter.isRepeatable {
                    let answer = try await service.send(
                        route.httpMethod,
                        "\(route.examplePath)?\(parameter.name)=1&\(parameter.name)=1",
                        as: .admin
                    )
                    #expect(answer.status == .badRequest, "\(route.name)")
                    #expect(answer.codes.contains("repeated"), "\(route.name) \(parameter.name)")
                }
            }
        }
    }

    @Test func `every address says which methods it knows, and knows no others`() async throws {
        try await ServiceFixture.with { service in
            for path in Set(RouteTable.service.routes.map(\.examplePath)) {
                let options = try await service.send(.options, path)
                #expect(options.status == .noContent, "\(path)")
                #expect(options.bytes.isEmpty)
                let allowed = try #require(options.headers[.allow])
                let known = Set(RouteTable.service.methods(at: path) ?? [])
                #expect(Set(allowed.split(separator: ", ").map(String.init)) == known)
                for method in methods where !known.contains(method.rawValue) {
                    let answer = try await service.send(method, path, as: .admin)
                    #expect(answer.status == .methodNotAllowed, "\(method) \(path)")
                    #expect(answer.headers[.allow] == allowed)
                }
            }
            #expect(try await service.send(.options, "/v1/nothing").status == .notFound)
        }
    }

    @Test func `a head is answered wherever a get is`() async throws {
        try await ServiceFixture.with { service in
            for route in RouteTable.service.routes where route.method == .get {
                let role = route.needsCaller ? Role.admin : nil
                let get = try await service.send(.get, route.examplePath, as: role)
                let head = try await service.send(.head, route.examplePath, as: role)
                #expect(head.status == get.status, "\(route.name)")
                #expect(head.bytes.isEmpty, "\(route.name)")
                #expect(head.headers[.contentType] == get.headers[.contentType])
            }
        }
    }

    private let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .trace, .connect,
    ]
}
