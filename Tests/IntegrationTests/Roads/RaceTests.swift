import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// People who decide on one change in the same moment, at two processes on one database.
    @Suite struct RaceTests {
        @Test func `of twenty approvals of a change that needs two it is applied once`()
            async throws
        {
            try await withTwoServices { servers in
                let rule: JSONValue = ["approvals": [["count": 2, "role": "approver"]]]
                let policy = try await servers[0].send(
                    .put,
                    "/v1/apps/harbour/policy",
                    as: try servers[0].fixture.adminToken(),
                    ["rules": ["text": rule]]
                )
                try #require(policy.status == 200, "\(policy.json)")
                let author = try await servers[0].admit("author", "proposer")
                var approvers: [String] = []
                for number in 1...20 {
                    approvers.append(try await servers[0].admit("approver \(number)", "approver"))
                }
                try await servers.know(try #require(approvers.last))
                for round in 1...5 {
                    let words = "Round \(round)."
                    let edit = Edits.setText("ios", "description", "fr", words)
                    let proposed = try await servers[0].propose([edit], as: author)
                    try #require(proposed.status == 201, "\(proposed.json)")
                    let replies = try await together(approvers.enumerated()) { number, approver in
                        let server = servers[number % 2]
                        return try await server.decide("approve", on: proposed, as: approver)
                    }
                    let accepted = replies.filter { $0.status == 200 }
                    // The first may be told so late that the second has come in already.
                    let states = accepted.compactMap { $0.json["state"]?.string }
                    #expect(states.contains("applied"))
                    #expect(states.count == 2)
                    for refused in replies where refused.status != 200 {
                        #expect(refused.status == 409 && refused.codes == ["changeClosed"])
                    }
                    let types = try await types(of: proposed, at: servers[1])
                    #expect(types.count { $0 == "ChangeApproved" } == 2)
                    #expect(types.count { $0 == "ChangeApplied" } == 1)
                }
            }
        }

        @Test func `of an approval and a revision one wins, and the other is told why`()
            async throws
        {
            try await withTwoServices { servers in
                let author = try await servers[0].admit("author", "proposer")
                let editor = try await servers[0].admit("editor", "proposer")
                let approver = try await servers[0].admit("approver", "approver")
                try await servers.know(approver)
                for round in 1...20 {
                    let words = "Round \(round)."
                    let edit = Edits.setText("ios", "description", "fr", words)
                    let proposed = try await servers[0].propose([edit], as: author)
                    let revision: JSONValue = [
                        "base": .integer(try await servers[0].head()),
                        "operations": [Edits.setText("ios", "description", "fr", "\(words) Soon.")],
                    ]
                    let replies = try await together([0, 1].shuffled()) { place in
                        place == 0
                            ? try await servers[0].decide("approve", on: proposed, as: approver)
                            : try await servers[1]
                                .decide("revise", on: proposed, as: editor, revision)
                    }
                    let types = try await types(of: proposed, at: servers[round % 2])
                    let lost = replies.filter { $0.status != 200 }
                    #expect(lost.count == 1)
                    if types.contains("ChangeApplied") {
                        #expect(lost.map(\.codes) == [["changeClosed"]])
                        #expect(!types.contains("ChangeRevised"))
                    } else {
                        #expect(lost.map(\.codes) == [["digestDiffers"]])
                        #expect(!types.contains("ChangeApproved"))
                    }
                }
            }
        }

        private func types(of proposed: Reply, at server: RunningServer) async throws -> [String] {
            let id = try #require(proposed.json["id"]?.string)
            let token = try server.fixture.adminToken()
            return try await server.events("&change=\(id)", as: token)
                .compactMap { $0["type"]?.string }
        }

        /// Sends everything at once.
        private func together<Element: Sendable>(
            _ elements: some Sequence<Element>,
            _ send: @escaping @Sendable (Element) async throws -> Reply
        ) async throws -> [Reply] {
            try await withThrowingTaskGroup(of: Reply.self) { group in
                for element in elements {
                    group.addTask(name: "request") { try await send(element) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
    }
}

/// Two processes on one database of their own.
func withTwoServices(_ body: ([RunningServer]) async throws -> Void) async throws {
    try await ScratchDatabaseServer.with { database in
        try await ServerFixture.with { fixture in
            let fixture = fixture.on("host=\(database.folder) user=postgres")
            try await fixture.run { first in
                try await fixture.named("second").run { second in
                    try await body([first, second])
                }
            }
        }
    }
}

extension [RunningServer] {
    /// Waits until all know whoever was let in last: an instance refuses a token that another has
    /// made until it has read of it.
    func know(_ token: String) async throws {
        for server in self {
            try await eventually("a token is known everywhere") {
                let me = try await server.send(.get, "/v1/me", as: token)
                return me.status == 200 ? () : nil
            }
        }
    }
}
