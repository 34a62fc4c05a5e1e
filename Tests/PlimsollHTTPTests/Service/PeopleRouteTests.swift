import Crypto
import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// What REST says of people, and to them.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct PeopleRouteTests {
    private func id(of role: Role, _ service: ServiceFixture) async throws -> String {
        let me = try await service.send(.get, "/v1/me", as: role)
        return try #require(me.json["principal"]?.string)
    }

    @Test func `a change says by name who could give what is missing, and whom it waits for`()
        async throws
    {
        try await ServiceFixture.with { service in
            let change = try await service.propose(Edits.minimum("3.1.0"))
            let missing = try #require(change.json["missing"]?.array?.first)
            #expect(missing["couldGive"]?.array?.compactMap { $0["name"]?.string } == ["approver"])
            let path = "/v1/apps/harbour/changes?needsMe=true"
            let mine = try await service.send(.get, path, as: .approver)
            #expect(mine.json["changes"]?.array?.count == 1)
            for role in [Role.proposer, .viewer, .admin] {
                #expect(try await service.send(.get, path, as: role).json["changes"] == [])
            }
            let then = try await service.send(.get, path + "&event=1", as: .approver)
            #expect(then.status == .badRequest)
            #expect(then.faultyParameters == ["needsMe"])
        }
    }

    @Test func `what somebody suspended had approved says so, and their token is refused`()
        async throws
    {
        try await ServiceFixture.with { service in
            _ = try await service.send(
                .post,
                "/v1/apps/harbour/freeze",
                as: .responder,
                ["reason": "Launch day"]
            )
            let change = try await service.propose(Edits.minimum("3.1.0"))
            let id = try #require(change.json["id"]?.string)
            let approved = try await service.approve(change)
            #expect(approved.json["approvals"]?.array?.first?["void"] == .null)
            let approver = try await self.id(of: .approver, service)
            let suspended = try await service.send(
                .post,
                "/v1/principals/\(approver)/suspend",
                as: .admin,
                ["reason": "Laptop stolen"]
            )
            #expect(suspended.json["suspension"]?["reason"] == "Laptop stolen")
            let refused = try await service.send(.get, "/v1/me", as: .approver)
            #expect(refused.status == .unauthorized)
            #expect(refused.json["detail"]?.string?.contains("suspended") == true)
            let seen = try await service.send(.get, "/v1/changes/\(id)", as: .viewer)
            let void = try #require(seen.json["approvals"]?.array?.first?["void"])
            #expect(void["cause"] == "suspended" && void["reason"] == "Laptop stolen")
            #expect(seen.json["state"] == "proposed")
        }
    }

    // Goal: whoever has the database, and no name any more, can try none. Method: what trying is.
    @Test(arguments: [nil, "ann-1"] as [String?])
    func `of a request with a name nothing is recorded that the name could be tried on`(
        key: String?
    ) async throws {
        try await ServiceFixture.with { service in
            let roles: JSONValue = [["role": "auditor", "app": "harbour"]]
            let (body, other): (JSONValue, JSONValue) = (
                ["name": "ann", "roles": roles], ["name": "bob", "roles": roles]
            )
            var headers = HTTPFields()
            headers[.idempotencyKey] = key
            let issued = try await service.send(
                .post,
                "/v1/tokens",
                as: .admin,
                body,
                headers: headers
            )
            #expect(issued.status == .created)
            let session = try await Session.open(ScratchDatabase.current.connection)
            let digest = Array(SHA256.hash(data: body.canonicalBytes()))
            let row = try await session.first(
                "SELECT count(*) FROM log.command WHERE request_digest = \(digest)"
            )
            let found: Int64 = try #require(row).value(at: 0)
            #expect(found == 0)
            await session.close()
            guard key != nil else { return }
            let again = try await service.send(
                .post,
                "/v1/tokens",
                as: .admin,
                body,
                headers: headers
            )
            #expect(again.json["principal"] == issued.json["principal"])
            let reused = try await service.send(
                .post,
                "/v1/tokens",
                as: .admin,
                other,
                headers: headers
            )
            #expect(reused.status == .unprocessableContent)
        }
    }

    @Test func `the list of tokens leaves out what had ended by a time`() async throws {
        try await ServiceFixture.with { service in
            let all = try await service.send(.get, "/v1/tokens", as: .admin)
            let ends = try #require(all.json["tokens"]?.array).map { $0["expiresAt"]?.string }
            #expect(ends.contains { $0 != nil })
            let later = "/v1/tokens?since=9999-12-31T00:00:00Z"
            let endless = try await service.send(.get, later, as: .admin)
            #expect(endless.json["tokens"]?.array?.count == ends.count { $0 == nil })
            let wrong = try await service.send(.get, "/v1/tokens?since=5", as: .admin)
            #expect(wrong.status == .badRequest && wrong.codes == ["valueWrong"])
        }
    }

    @Test func `an auditor of one app is told what they may read`() async throws {
        try await ServiceFixture.with { service in
            let issued = try await service.send(
                .post,
                "/v1/tokens",
                as: .admin,
                ["name": "ann", "roles": [["role": "auditor", "app": "harbour"]]]
            )
            let token = try #require(issued.json["token"]?.string)
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]
            for path in ["/v1/events", "/v1/events/1"] {
                let refused = try await service.send(.get, path, headers: headers)
                #expect(refused.status == .forbidden && refused.codes == ["recordOfApps"])
                #expect(refused.json["detail"]?.string?.contains("harbour") == true)
            }
            let read = try await service.send(.get, "/v1/events?app=harbour", headers: headers)
            #expect(read.status == .ok)
            // An entry says more than an answer does, of whatever app it is.
            let entries = try await service.send(
                .get,
                "/v1/events?app=harbour&with=entries",
                headers: [
                    .authorization: "Bearer \(token)", .accept: "application/x-ndjson",
                ]
            )
            #expect(entries.status == .forbidden && entries.codes == ["recordOfApps"])
        }
    }

    @Test func `whoever has a token that ends is told when`() async throws {
        try await ServiceFixture.with { service in
            let me = try await service.send(.get, "/v1/me", as: .viewer)
            #expect(me.headers[.plimsollTokenEnd] == me.json["expiresAt"]?.string)
            #expect(me.headers[.plimsollTokenEnd] != nil)
        }
    }

    @Test(arguments: [
        ("name", "Al\u{200B}ice"), ("name", "می\u{200C}خواهم"), ("name", "plimso11"),
    ])
    func `nobody is let in under a name that is not what it looks like`(
        member: String,
        value: String
    ) async throws {
        try await ServiceFixture.with { service in
            let end = try await service.logEnd()
            let refused = try await service.send(
                .post,
                "/v1/tokens",
                as: .admin,
                [member: .string(value), "roles": [["role": "viewer"]]]
            )
            #expect(refused.status == .unprocessableContent, "\(refused)")
            #expect(refused.pointers == ["/name"])
            #expect(try await service.logEnd() == end)
        }
    }

    @Test func `an approval by counts that are not there any more is refused`() async throws {
        try await ServiceFixture.with { service in
            let shares = "/v1/apps/harbour/shares/ios"
            func count(_ devices: Int64) async throws {
                let rows: JSONValue = ["rows": [["app": "3.0", "devices": .integer(devices)]]]
                let sent = try await service.send(.put, shares, as: .proposer, rows)
                #expect(sent.status == .ok)
            }
            try await count(10)
            let change = try await service.propose(Edits.minimum("3.1.0"))
            let id = try #require(change.json["id"]?.string)
            let counted = try #require(change.json["counted"]?.array?.first?["position"]?.integer)
            try await count(20)
            func approve(_ position: Int64) async throws -> ServiceAnswer {
                try await service.send(
                    .post,
                    "/v1/changes/\(id)/approve",
                    as: .approver,
                    ["counted": ["ios": .integer(position)]],
                    headers: [.ifMatch: change.tag]
                )
            }
            let refused = try await approve(counted)
            #expect(refused.status == .preconditionFailed && refused.codes == ["countsDiffer"])
            let now = try await service.send(.get, "/v1/changes/\(id)", as: .approver)
            let position = now.json["counted"]?.array?.first?["position"]?.integer
            let approved = try await approve(try #require(position))
            #expect(approved.json["state"] == "applied", "\(approved)")
            #expect(
                approved.json["approvals"]?.array?.first?["counted"]?["ios"]?.integer == position
            )
        }
    }
}
