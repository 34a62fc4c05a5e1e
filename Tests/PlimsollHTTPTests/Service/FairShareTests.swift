import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import PlimsollService
import Testing

@testable import PlimsollHTTP

/// One who asks for too much leaves room for the others.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct FairShareTests {
    @Test func `a proposer with a hundred open changes leaves room for others`() async throws {
        try await ServiceFixture.with { service in
            for _ in 1..<ProposeChange.ownChangesMaximum {
                #expect(try await service.propose(Edits.minimum("3.1.0")).status == .created)
            }
            let body: JSONValue = [
                "title": "Raise the line", "base": .integer(try await service.head()),
                "operations": Edits.minimum("3.1.0"),
            ]
            // Who did not hear the answer gets it, although there is no room any more.
            var answers: [ServiceAnswer] = []
            for _ in 1...2 {
                let path = "/v1/apps/harbour/changes"
                let key: HTTPFields = [.idempotencyKey: "last"]
                answers.append(
                    try await service.send(.post, path, as: .proposer, body, headers: key)
                )
            }
            #expect(answers.allSatisfy { $0.status == .created })
            #expect(answers[0].json["id"] == answers[1].json["id"])
            let refused = try await service.propose(Edits.minimum("3.1.0"))
            #expect(refused.status == .tooManyRequests)
            #expect(refused.codes == ["ownChangesFull"])
            #expect(refused.headers[.retryAfter] == "60")
            let issued = try await service.send(
                .post,
                "/v1/tokens",
                as: .admin,
                ["name": "Bob", "roles": [["role": "proposer"]]]
            )
            let token = try #require(issued.json["token"]?.string)
            let other = try await service.send(
                .post,
                "/v1/apps/harbour/changes",
                [
                    "title": "Raise the line", "base": .integer(try await service.head()),
                    "operations": Edits.minimum("3.1.0"),
                ],
                headers: [.authorization: "Bearer \(token)"]
            )
            #expect(other.status == .created)
        }
    }
}
