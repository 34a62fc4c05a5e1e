import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollService
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// How far an answer knows the record, and waiting for that.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct PositionRouteTests {
    private func position(_ answer: ServiceAnswer) throws -> Int64 {
        try #require(answer.headers[.plimsollPosition].flatMap { Int64($0) })
    }

    @Test func `what was written is in what is read with its position`() async throws {
        try await ServiceFixture.with { service in
            let written = try await service.propose(Edits.minimum("3.1.0"))
            #expect(written.status == .created)
            let reached = try position(written)
            #expect(reached == (try await service.logEnd()).rawValue)
            let id = try #require(written.json["id"]?.string)
            for method in [HTTPRequest.Method.get, .head] {
                let read = try await service.send(
                    method,
                    "/v1/changes/\(id)?atLeast=\(reached)",
                    as: .viewer
                )
                #expect(read.status == .ok)
                #expect(try position(read) >= reached)
            }
            let list = try await service.send(
                .get,
                "/v1/apps/harbour/changes?limit=1&atLeast=\(reached)&state=proposed",
                as: .viewer
            )
            #expect(list.json["changes"]?.array?.count == 1)
        }
    }

    @Test func `a question waits for what comes, and not for ever`() async throws {
        try await ServiceFixture.with { service in
            // A busy machine may not have proposed yet when a question was given up.
            var isAnswered = false
            for _ in 1...5 where !isAnswered {
                let next = (try await service.logEnd()).rawValue + 1
                async let read = service.send(.get, "/v1/me?atLeast=\(next)", as: .viewer)
                _ = try await service.propose(Edits.minimum("3.1.0"))
                isAnswered = try await read.status == .ok
            }
            #expect(isAnswered)
            let start = ContinuousClock.now
            let never = try await service.send(.get, "/v1/me?atLeast=\(Int64.max)", as: .viewer)
            #expect(never.status == .serviceUnavailable)
            #expect(never.headers[.retryAfter] != nil)
            #expect(ContinuousClock.now - start < .seconds(10))
        }
    }

    @Test(arguments: [
        "atLeast=", "atLeast=-1", "atLeast=x", "atLeast=1&atLeast=1", "atLeast=9223372036854775808",
        "atLeast=1.0",
    ])
    func `what is no position is refused`(query: String) async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(.get, "/v1/me?\(query)", as: .viewer)
            #expect(answer.status == .badRequest)
        }
    }

    @Test func `a stranger waits for nothing`() async throws {
        try await ServiceFixture.with { service in
            let stranger = try await service.send(.get, "/v1/me?atLeast=\(Int64.max)")
            #expect(stranger.status == .unauthorized)
            // One who makes up a token has the database asked for nothing, and is not kept for ever.
            let headers: HTTPFields = [.authorization: "Bearer \(TokenSecret.random().text)"]
            for position in [0, Int64.max] {
                let path = "/v1/me?atLeast=\(position)"
                let made = try await service.send(.get, path, headers: headers)
                #expect(made.status == .unauthorized)
            }
        }
    }

    @Test func `a write is carried out once as much is known, and else not at all`() async throws {
        try await ServiceFixture.with { service in
            let end = try await service.logEnd()
            let never = try await issueToken(at: Int64.max, service)
            #expect(never.status == .serviceUnavailable)
            #expect(try await service.logEnd() == end)
            #expect(try await issueToken(at: end.rawValue, service).status == .created)
        }
    }

    private func issueToken(
        at position: Int64,
        _ service: ServiceFixture
    ) async throws
        -> ServiceAnswer
    {
        try await service.send(
            .post,
            "/v1/tokens?atLeast=\(position)",
            as: .admin,
            ["name": "Bob", "roles": [["role": "proposer"]]]
        )
    }
}
