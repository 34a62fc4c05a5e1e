import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// What happens to a change between its proposal and its end.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct ReviewTests {
    @Test func `what was sent back is revised, and seen anew before it is approved`() async throws {
        try await ServiceFixture.with { service in
            let proposed = try await service.propose(Edits.minimum("3.2.0"))
            let path = "/v1/changes/\(try #require(proposed.json["id"]?.string))"
            let sentBack = try await service.send(
                .post,
                "\(path)/request-changes",
                as: .approver,
                ["reason": "3.2.1 is out"],
                headers: [.ifMatch: proposed.tag]
            )
            #expect(sentBack.json["state"] == "changesRequested")
            let revised = try await service.send(
                .post,
                "\(path)/revise",
                as: .proposer,
                [
                    "base": .integer(try await service.head()),
                    "operations": Edits.minimum("3.2.1"),
                ],
                headers: [.ifMatch: sentBack.tag]
            )
            #expect(revised.json["state"] == "proposed")
            #expect(revised.json["title"] == proposed.json["title"])
            #expect(revised.tag != proposed.tag)
            for (tag, status) in [
                (proposed.tag, HTTPResponse.Status.preconditionFailed), (revised.tag, .ok),
            ] {
                let answer = try await service.send(
                    .post,
                    "\(path)/approve",
                    as: .approver,
                    headers: [.ifMatch: tag]
                )
                #expect(answer.status == status)
            }
            #expect(try await service.minimum() == "3.2.1")
        }
    }

    // Goal: what is recorded of a change behind its end moves it nowhere, and lists agree.
    @Test func `a change says where it ended, also once it was reviewed`() async throws {
        try await ServiceFixture.with { service in
            let done = try await service.send(
                .post,
                "/v1/apps/harbour/block",
                as: .responder,
                ["platform": "ios", "below": "3.2.0", "reason": "3.1 loses bookings"]
            )
            let change = try #require(done.json["change"]?.string)
            let review = try #require(done.json["review"]?["position"]?.integer)
            let close = "/v1/reviews/\(review)/close"
            let verdict: JSONValue = ["outcome": "confirmed"]
            let closed = try await service.send(.post, close, as: .approver, verdict)
            try #require(closed.status == .ok)
            let end = try #require(done.json["position"]?.integer)
            let shown = try await service.send(.get, "/v1/changes/\(change)", as: .viewer)
            #expect(shown.json["position"] == .integer(end))
            let list = try await service.send(.get, "/v1/apps/harbour/changes", as: .viewer)
            #expect(list.json["changes"]?.array?.map { $0["position"] } == [.integer(end)])
        }
    }

    @Test func `whoever only reads does not comment`() async throws {
        try await ServiceFixture.with { service in
            let proposed = try await service.propose(Edits.minimum("3.2.0"))
            let path = "/v1/changes/\(try #require(proposed.json["id"]?.string))/comment"
            for (role, status) in [(Role.viewer, HTTPResponse.Status.forbidden), (.auditor, .ok)] {
                let answer = try await service.send(.post, path, as: role, ["comment": "At noon."])
                #expect(answer.status == status)
            }
            let events = try await service.send(
                .get,
                "/v1/events?type=ChangeCommented",
                as: .auditor
            )
            #expect(events.json["events"]?.array?.count == 1)
        }
    }

    @Test(arguments: ["/v1/apps/harbour/freeze", "/v1/freeze"])
    func `a freeze keeps what is approved waiting, and nothing goes round it`(
        _ freeze: String
    ) async throws {
        try await ServiceFixture.with { service in
            let proposed = try await service.propose(Edits.minimum("3.2.0"))
            let path = "/v1/changes/\(try #require(proposed.json["id"]?.string))"
            let match: HTTPFields = [.ifMatch: proposed.tag]
            _ = try await service.send(.post, freeze, as: .admin, ["reason": "Launch day"])
            let approved = try await service.approve(proposed)
            #expect(approved.status == .ok)
            #expect(approved.json["missing"] == [])
            let early = try await service.send(
                .post,
                "\(path)/apply",
                as: .approver,
                headers: match
            )
            #expect(early.status == .conflict)
            #expect(try await service.minimum() == "0")

            let thawed = try await service.send(.delete, freeze, as: .admin)
            #expect(thawed.status == .noContent)
            let applied = try await service.send(
                .post,
                "\(path)/apply",
                as: .proposer,
                headers: match
            )
            #expect(applied.json["state"] == "applied")
            #expect(try await service.minimum() == "3.2.0")
        }
    }

    @Test func `nothing applies without the approval it needs`() async throws {
        try await ServiceFixture.with { service in
            let proposed = try await service.propose(Edits.minimum("3.2.0"))
            let path = "/v1/changes/\(try #require(proposed.json["id"]?.string))/apply"
            for role in [Role.proposer, .approver, .admin] {
                let answer = try await service.send(
                    .post,
                    path,
                    as: role,
                    headers: [.ifMatch: proposed.tag]
                )
                #expect(answer.status.kind == .clientError, "\(role)")
            }
            #expect(try await service.minimum() == "0")
        }
    }
}
