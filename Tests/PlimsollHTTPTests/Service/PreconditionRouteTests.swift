import Foundation
import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct PreconditionRouteTests {
    @Test func `a decision binds to the digest that was seen`() async throws {
        try await ServiceFixture.with { service in
            let proposed = try await service.propose(Edits.minimum("3.2.0"))
            let path = "/v1/changes/\(try #require(proposed.json["id"]?.string))/approve"
            let head = try await service.head()
            let other = "\"\(String(repeating: "0", count: 64))\""
            for (field, status) in [
                (nil, HTTPResponse.Status.preconditionRequired), (other, .preconditionFailed),
                ("*", .badRequest), ("W/\(proposed.tag)", .badRequest),
            ] {
                var headers: HTTPFields = [:]
                headers[.ifMatch] = field
                let answer = try await service.send(
                    .post,
                    path,
                    as: .approver,
                    headers: headers
                )
                #expect(answer.status == status, "\(field ?? "none")")
            }
            #expect(try await service.head() == head)
        }
    }

    @Test func `a reader that has it already gets nothing again`() async throws {
        try await ServiceFixture.with { service in
            let path = "/v1/apps/harbour/documents/ios?event=\(try await service.head())"
            let first = try await service.send(.get, path, as: .viewer)
            let again = try await service.send(
                .get,
                path,
                as: .viewer,
                headers: [.ifNoneMatch: first.tag]
            )
            #expect(again.status == .notModified)
            #expect(again.bytes.isEmpty)
            #expect(again.tag == first.tag)
        }
    }

    @Test func `a change that was decided is another representation`() async throws {
        try await ServiceFixture.with { service in
            let proposed = try await service.propose(Edits.minimum("3.2.0"))
            let path = "/v1/changes/\(try #require(proposed.json["id"]?.string))"
            _ = try await service.approve(proposed)
            let answer = try await service.send(
                .get,
                path,
                as: .viewer,
                headers: [.ifNoneMatch: proposed.tag]
            )
            #expect(answer.status == .ok)
            #expect(answer.json["state"] == "applied")
        }
    }

    @Test func `an open change is always told whole, a closed one that is known is not`()
        async throws
    {
        try await ServiceFixture.with { service in
            let proposed = try await service.propose(Edits.minimum("3.2.0"))
            let path = "/v1/changes/\(try #require(proposed.json["id"]?.string))"
            let wanted = try await service.send(
                .post,
                "\(path)/request-changes",
                as: .approver,
                ["reason": "3.2.1 is the one"],
                headers: [.ifMatch: proposed.tag]
            )
            #expect(wanted.tag == proposed.tag)
            let known: HTTPFields = [.ifNoneMatch: proposed.tag]
            let open = try await service.send(.get, path, as: .viewer, headers: known)
            #expect(open.status == .ok)
            #expect(open.json["state"] == "changesRequested")
            let rejected = try await service.send(
                .post,
                "\(path)/reject",
                as: .approver,
                ["reason": "Never mind"],
                headers: [.ifMatch: proposed.tag]
            )
            #expect(rejected.tag != proposed.tag)
            let again = try await service.send(
                .get,
                path,
                as: .viewer,
                headers: [.ifNoneMatch: rejected.tag]
            )
            #expect(again.status == .notModified)
        }
    }

    @Test func `a request that is sent twice under one key is done once`() async throws {
        try await ServiceFixture.with { service in
            let base = try await service.head()
            let body: JSONValue = [
                "title": "t", "base": .integer(base), "operations": Edits.minimum("3.2.0"),
            ]
            let path = "/v1/apps/harbour/changes"
            let key: HTTPFields = [.idempotencyKey: UUID().uuidString]
            let first = try await service.send(.post, path, as: .proposer, body, headers: key)
            let head = try await service.head()
            let again = try await service.send(.post, path, as: .proposer, body, headers: key)
            #expect(again.status == first.status)
            #expect(again.json["id"] == first.json["id"])
            #expect(try await service.head() == head)
        }
    }

    @Test func `a key that said something else is refused`() async throws {
        try await ServiceFixture.with { service in
            let key: HTTPFields = [.idempotencyKey: UUID().uuidString]
            _ = try await service.propose(Edits.minimum("3.2.0"), headers: key)
            let other = try await service.propose(Edits.minimum("3.3.0"), headers: key)
            #expect(other.status == .unprocessableContent)
            #expect(other.json["type"] == "/problems/idempotency-key-reused")
        }
    }

    // Goal: what a script read for its request is no part of what it asked. Method: bodies that differ
    // under one key, with what was asked said beside it.
    @Test func `what was asked may be said beside the key, and counts in the body's place`()
        async throws
    {
        try await ServiceFixture.with { service in
            func send(_ version: String, _ input: String?) async throws -> ServiceAnswer {
                var headers: HTTPFields = [.idempotencyKey: "commit"]
                if let input { headers[.idempotencyInput] = input }
                return try await service.propose(Edits.minimum(version), headers: headers)
            }
            let first = try await send("3.2.0", "one")
            #expect(first.status == .created)
            let head = try await service.head()
            let again = try await send("3.3.0", "one")
            #expect(again.json["id"] == first.json["id"])
            for other in [try await send("3.2.0", "two"), try await send("3.2.0", nil)] {
                #expect(other.json["type"] == "/problems/idempotency-key-reused")
            }
            #expect(try await service.head() == head)
            for wrong in ["", "a b", String(repeating: "a", count: 256)] {
                let refused = try await send("3.2.0", wrong)
                #expect(refused.status == .badRequest, "\(wrong)")
                #expect(refused.faultyHeaders == ["Idempotency-Input"])
            }
            let alone: HTTPFields = [.idempotencyInput: "one"]
            let unkeyed = try await service.propose(Edits.minimum("3.2.0"), headers: alone)
            #expect(unkeyed.faultyHeaders == ["Idempotency-Input"])
        }
    }

    // Goal: a command that reads anew what it binds to can be sent again. Method: an approval once more
    // with the digest of another state; then one whose key was recorded with what was seen, as programs
    // of before did for whoever said what was asked.
    @Test func `what was seen counts for nothing beside what was asked, as the body`() async throws
    {
        try await ServiceFixture.with { service in
            let other = "\"\(String(repeating: "0", count: 64))\""
            func approve(
                _ change: ServiceAnswer,
                seeing tag: String,
                _ input: String?
            ) async throws -> ServiceAnswer {
                let id = try #require(change.json["id"]?.string)
                var headers: HTTPFields = [.ifMatch: tag, .idempotencyKey: "k"]
                if let input { headers[.idempotencyInput] = input }
                let path = "/v1/changes/\(id)/approve"
                return try await service.send(.post, path, as: .approver, [:], headers: headers)
            }
            let change = try await service.propose(Edits.minimum("3.2.0"))
            let first = try await approve(change, seeing: change.tag, "one")
            #expect(first.json["state"] == "applied")
            let again = try await approve(change, seeing: other, "one")
            #expect(again.status == first.status && again.json == first.json)
            for (tag, input) in [(change.tag, "two"), (change.tag, nil), (other, nil)] {
                let refused = try await approve(change, seeing: tag, input)
                #expect(refused.json["type"] == "/problems/idempotency-key-reused")
            }
            // A body and what was seen are the same bytes as an input and what was seen were before.
            let next = try await service.propose(Edits.minimum("3.3.0"))
            let former = try await approve(next, seeing: next.tag, nil)
            #expect(former.json["state"] == "applied")
            #expect(try await approve(next, seeing: next.tag, "{}").json == former.json)
            let unlike = try await approve(next, seeing: other, "{}")
            #expect(unlike.json["type"] == "/problems/idempotency-key-reused")
        }
    }

    @Test func `a write that is only tried writes nothing, and says so`() async throws {
        try await ServiceFixture.with { service in
            let head = try await service.head()
            let tried = try await service.send(
                .post,
                "/v1/apps/harbour/changes?dryRun=true",
                as: .proposer,
                [
                    "title": "t", "base": .integer(head),
                    "operations": Edits.minimum("3.2.0"),
                ]
            )
            #expect(tried.status == .ok)
            #expect(tried.json["dryRun"] == true)
            #expect(tried.json["effect"]?.array?.count == 3)
            #expect(tried.headers[.location] == nil)
            #expect(try await service.head() == head)
        }
    }

    @Test func `trying fails where doing would`() async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(
                .post,
                "/v1/apps/harbour/rollback?dryRun=true",
                as: .viewer,
                ["to": ["event": 1], "reason": "r"]
            )
            #expect(answer.status == .forbidden)
        }
    }
}
