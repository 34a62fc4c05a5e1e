import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// No write goes round a policy, those of tomorrow included.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct PolicyWalkTests {
    /// What one person may do alone, and in which role; settings change how what was decided is
    /// written, and are of whoever makes policies.
    private static let alone: [String: Role] = [
        "rollBack": .responder, "declareEmergency": .responder, "blockVersion": .responder,
        "changeSettings": .admin,
    ]

    private static let policy = "/v1/apps/harbour/policy"

    // Goal: where two roles have to agree, nobody in one of them changes what phones read with one
    // write, whatever the route.
    // Method: each route's sample, which is made to be granted, is sent by somebody in each role.
    @Test(arguments: WriteSample.routes, [Role.proposer, .approver, .responder, .admin])
    func `no single write changes what is live where two have to agree`(
        _ route: String,
        _ role: Role
    ) async throws {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample(route, on: service)
            try await service.change(Self.policy, twoApprovers)
            let before = try await service.live()
            let answer = try await service.send(sample, as: role)
            let mayAlone = Self.alone[route] == role
            if mayAlone { #expect(answer.status.kind == .successful, "\(answer)") }
            let isSame = try await service.live() == before
            #expect(isSame != mayAlone, "\(answer)")
        }
    }

    @Test(arguments: [[Role.approver, .responder], [.responder, .approver]])
    func `two writes of two roles do, in either order`(_ order: [Role]) async throws {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample("approveChange", on: service)
            try await service.change(Self.policy, twoApprovers)
            let before = try await service.live()
            let first = try await service.send(sample, as: order[0])
            #expect(first.status == .ok)
            #expect(try await service.live() == before)
            let second = try await service.send(sample, as: order[1])
            #expect(second.status == .ok)
            #expect(try await service.live() != before)
        }
    }

    @Test func `under the built-in policy one write of an approver does`() async throws {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample("approveChange", on: service)
            let before = try await service.live()
            #expect(try await service.send(sample, as: .approver).status == .ok)
            #expect(try await service.live() != before)
        }
    }
}

extension ServiceFixture {
    /// What phones of the app are told on every platform.
    fileprivate func live() async throws -> [JSONValue] {
        var documents: [JSONValue] = []
        for platform in ["ios", "android"] {
            let answer = try await send(
                .get,
                "/v1/apps/harbour/documents/\(platform)",
                as: .auditor
            )
            documents.append(try #require(answer.json["document"]))
        }
        return documents
    }

    fileprivate func send(_ sample: WriteSample, as role: Role) async throws -> ServiceAnswer {
        var headers = sample.headers
        if sample.route.precondition == .policy {
            headers[.ifMatch] = try await send(.get, sample.path, as: .admin).tag
        }
        return try await send(
            sample.route.httpMethod,
            sample.path,
            as: role,
            bytes: sample.body.canonicalBytes(),
            headers: headers
        )
    }
}
