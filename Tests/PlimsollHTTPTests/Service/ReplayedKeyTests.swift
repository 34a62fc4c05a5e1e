import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// A key that comes again gets what it got the first time, whatever has happened since.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct ReplayedKeyTests {
    @Test func `each step of a change is answered again as it was answered first`() async throws {
        try await ServiceFixture.with { service in
            let body: JSONValue = [
                "title": "Raise the line", "reason": "It loses data.",
                "base": .integer(try await service.head()),
                "operations": Edits.minimum("3.1.0"),
            ]
            let propose = { (key: String) in
                try await service.send(
                    .post,
                    "/v1/apps/harbour/changes",
                    as: .proposer,
                    body,
                    headers: [.idempotencyKey: key]
                )
            }
            let proposed = try await propose("p")
            #expect(proposed.status == .created)
            let id = try #require(proposed.json["id"]?.string)
            let tag = try #require(proposed.headers[.eTag])
            let approve = {
                try await service.send(
                    .post,
                    "/v1/changes/\(id)/approve",
                    as: .approver,
                    [:],
                    headers: [.idempotencyKey: "a", .ifMatch: tag]
                )
            }
            let approved = try await approve()
            #expect(approved.json["state"]?.string == "applied")
            let other = try await propose("q")
            for (first, again) in [
                (proposed, try await propose("p")), (approved, try await approve()),
            ] {
                #expect(again.status == first.status)
                #expect(again.json == first.json)
                #expect(again.headers[.eTag] == first.headers[.eTag])
            }
            #expect(other.json["id"] != proposed.json["id"])
        }
    }
}
