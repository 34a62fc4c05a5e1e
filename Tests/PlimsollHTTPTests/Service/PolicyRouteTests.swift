import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// Policies over REST: which one holds, and what is wrong with one.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct PolicyRouteTests {
    private static let own = "/v1/apps/harbour/policy"
    private static let all = "/v1/policy"

    @Test func `an app follows the default until it has a policy of its own, and after it`()
        async throws
    {
        try await ServiceFixture.with { service in
            let first = try await service.send(.get, Self.own, as: .viewer)
            #expect(first.json["source"] == "builtIn")
            #expect(first.json["position"] == .null)
            #expect(first.tag == "\"0\"")

            let common = try await service.change(Self.all, twoApprovers)
            let inherited = try await service.send(.get, Self.own, as: .viewer)
            #expect(inherited.json["source"] == "default")
            #expect(inherited.json["position"] == common.json["position"])
            #expect(inherited.json["policy"] == common.json["policy"])
            #expect(inherited.tag == common.tag)

            let made = try await service.change(Self.own, ["rules": [:], "reason": "A small app"])
            let own = try await service.send(.get, Self.own, as: .viewer)
            #expect(own.json["source"] == "app")
            #expect(own.json["reason"] == "A small app")
            #expect(own.json == made.json && own.tag == made.tag)

            let reset = try await service.send(
                .delete,
                Self.own,
                as: .admin,
                headers: [.ifMatch: own.tag]
            )
            #expect(reset.status == .noContent)
            #expect(try await service.send(.get, Self.own, as: .viewer).json == inherited.json)
        }
    }

    @Test func `what nobody can give is told with the policy, and stops nothing`() async throws {
        try await ServiceFixture.with { service in
            let common: JSONValue = ["count": 9, "role": "approver"]
            let many: JSONValue = ["rules": ["text": ["approvals": [common]]]]
            let made = try await service.change(Self.own, many)
            let warnings = made.json["warnings"]?.array
            #expect(warnings?.count == 1)
            #expect(warnings?.first?.string?.hasPrefix("Changing texts only: 9 approvals") == true)
            let shown = try await service.send(.get, Self.own, as: .viewer)
            #expect(shown.json["warnings"] == made.json["warnings"])
        }
    }

    @Test func `what nobody can give is told to whoever knows the policy`() async throws {
        try await ServiceFixture.with { service in
            let two: JSONValue = ["count": 2, "role": "approver"]
            let made = try await service.change(
                Self.own,
                ["rules": ["text": ["approvals": [two]]]]
            )
            #expect(made.json["warnings"]?.array?.count == 1)
            let second: JSONValue = ["name": "second", "roles": [["role": "approver"]]]
            let token = try await service.send(.post, "/v1/tokens", as: .admin, second)
            try #require(token.status == .created)
            let again = try await service.send(
                .get,
                Self.own,
                as: .viewer,
                headers: [.ifNoneMatch: made.tag]
            )
            #expect(again.status == .ok && again.tag == made.tag)
            #expect(again.json["warnings"] == [])
        }
    }

    // Goal: a policy at an event is the one of that time. Method: what was answered after each step
    // is asked for again at the end, by its event.
    @Test func `a policy of earlier is found by its event`() async throws {
        try await ServiceFixture.with { service in
            var kept: [(position: Int64, answers: [JSONValue])] = []
            func keep() async throws {
                let answers = [
                    try await service.send(.get, Self.own, as: .viewer).json,
                    try await service.send(.get, Self.all, as: .viewer).json,
                ]
                kept.append((try await service.head(), answers))
            }
            try await keep()
            try await service.change(Self.all, twoApprovers)
            try await keep()
            try await service.change(Self.own, ["rules": [:], "graceSeconds": 60])
            try await keep()
            try await service.change(Self.own, twoApprovers)
            try await keep()
            _ = try await service.send(
                .delete,
                Self.own,
                as: .admin,
                headers: [.ifMatch: try await service.send(.get, Self.own, as: .viewer).tag]
            )
            try await keep()
            for (position, answers) in kept {
                for (path, answer) in zip([Self.own, Self.all], answers) {
                    let query = "\(path)?event=\(position)"
                    #expect(try await service.send(.get, query, as: .viewer).json == answer)
                }
            }
            for query in ["event=1", "event=100000", "at=2020-01-01T00:00:00Z"] {
                let answer = try await service.send(.get, "\(Self.own)?\(query)", as: .viewer)
                #expect(answer.status == .notFound, "\(query)")
            }
        }
    }

    @Test func `whoever changes a policy has seen the one in force`() async throws {
        try await ServiceFixture.with { service in
            let first = try await service.change(Self.own, twoApprovers)
            let second = try await service.change(Self.own, ["rules": [:]])
            let end = try await service.logEnd()
            for method in [HTTPRequest.Method.put, .delete] {
                let body: JSONValue = method == .put ? twoApprovers : [:]
                let unseen = try await service.send(method, Self.own, as: .admin, body)
                #expect(unseen.status == .preconditionRequired)
                #expect(unseen.codes == ["policyUnseen"])
                let stale = try await service.send(
                    method,
                    Self.own,
                    as: .admin,
                    body,
                    headers: [.ifMatch: first.tag]
                )
                #expect(stale.status == .preconditionFailed)
                #expect(stale.codes == ["policyDiffers"])
                let current = try #require(second.json["position"]?.integer)
                #expect(stale.json["detail"]?.string?.contains("event \(current)") == true)
            }
            #expect(try await service.logEnd() == end)
        }
    }

    @Test func `what is in force already is nothing to do`() async throws {
        try await ServiceFixture.with { service in
            let none = try await service.send(.delete, Self.own, as: .admin)
            #expect(none.status == .conflict && none.codes == ["nothingChanges"])
            let made = try await service.change(Self.own, twoApprovers)
            let again = try await service.send(
                .put,
                Self.own,
                as: .admin,
                twoApprovers,
                headers: [.ifMatch: made.tag]
            )
            #expect(again.status == .conflict && again.codes == ["nothingChanges"])
        }
    }

    @Test func `nobody but an administrator changes a policy, and of the app only its own`()
        async throws
    {
        try await ServiceFixture.with { service in
            let end = try await service.logEnd()
            for role in Role.allCases where role != .admin {
                for path in [Self.own, Self.all] {
                    let answer = try await service.send(.put, path, as: role, twoApprovers)
                    #expect(answer.status == .forbidden, "\(role) \(path)")
                }
            }
            #expect(try await service.logEnd() == end)
        }
    }

    @Test func `all that is wrong with a policy is said at once, each at its place`() async throws {
        try await ServiceFixture.with { service in
            let somebody = "00000000-0000-4000-8000-000000000000"
            let answer = try await service.send(
                .put,
                Self.own,
                as: .admin,
                [
                    "rules": [
                        "text": [
                            "approvals": [
                                ["count": 2, "role": "approver", "people": [.string(somebody)]],
                                ["count": 21, "role": "approver"],
                            ], "validSeconds": 1,
                        ]
                    ], "graceSeconds": -1,
                ]
            )
            #expect(answer.status == .unprocessableContent)
            #expect(
                answer.pointers == [
                    "/rules/text/approvals/0/count", "/rules/text/approvals/0/people/0",
                    "/rules/text/approvals/1/count", "/rules/text/validSeconds", "/graceSeconds",
                ]
            )
        }
    }

    @Test func `a refusal names the rule, who may satisfy it, and what to do`() async throws {
        try await ServiceFixture.with { service in
            try await service.change(Self.own, twoApprovers)
            let proposed = try await service.propose(Edits.minimum("3.2.0"))
            let path = "/v1/changes/\(try #require(proposed.json["id"]?.string))"
            let match: HTTPFields = [.ifMatch: proposed.tag]
            let unasked = try await service.approve(proposed, as: .auditor)
            #expect(unasked.status == .forbidden)
            #expect(unasked.codes == ["notAskedToApprove", "notAskedToApprove"])
            let first = try await service.approve(proposed)
            #expect(first.json["state"] == "proposed")
            let early = try await service.send(
                .post,
                "\(path)/apply",
                as: .proposer,
                headers: match
            )
            #expect(early.status == .conflict)
            #expect(early.codes == ["approvalsMissing"])
            let error = try #require(early.json["errors"]?.array?.first)
            for words in ["rule raiseMinimum", "1 approval by people in the role responder"] {
                #expect(error["detail"]?.string?.contains(words) == true, "\(error)")
            }
            let remedy = "Ask for 1 more approval by people in the role responder"
            #expect(error["remedy"]?.string?.hasPrefix(remedy) == true, "\(error)")
        }
    }
}

/// An approver and a responder for a higher minimum.
let twoApprovers: JSONValue = [
    "rules": [
        "raiseMinimum": [
            "approvals": [
                ["count": 1, "role": "approver"], ["count": 1, "role": "responder"],
            ]
        ]
    ]
]

extension ServiceFixture {
    /// Puts a policy into force in the place of the one that is.
    @discardableResult
    func change(_ path: String, _ policy: JSONValue) async throws -> ServiceAnswer {
        let tag = try await send(.get, path, as: .admin).tag
        let answer = try await send(.put, path, as: .admin, policy, headers: [.ifMatch: tag])
        try #require(answer.status == .ok, "\(answer)")
        return answer
    }
}
