import Foundation
import Glibc
import PlimsollAPI
import PlimsollJSON
import Subprocess
import Testing

extension ServiceTests {
    @Suite struct DatabaseOutageTests {
        // Goal: without its database the service says so to everybody who writes, phones notice
        // nothing, and the database is all it takes.
        // Method: the private PostgreSQL is killed and its folder withheld, so that it stays away.
        @Test func `a service whose database was killed says so, serves phones and heals`()
            async throws
        {
            try await ServerFixture.with { fixture in
                let end = try await fixture.run { server in
                    let team = try await Team(server)
                    let writer = try await server.admit(
                        "mia",
                        "proposer",
                        "approver",
                        "responder",
                        "admin"
                    )
                    let proposed = try await server.propose(edits, as: team.proposer)
                    let served = try await server.published().answer.body
                    let before = try await server.settle().count
                    let cluster = try WithheldDatabase(fixture)
                    #expect(Glibc.kill(cluster.postmaster, SIGKILL) == 0)
                    try await eventually("the service has noticed") {
                        try await ready(server).status == 503 ? true : nil
                    }
                    try await expectUnavailable(try await ready(server), "/readyz")
                    for write in try writes(beside: proposed) {
                        let reply = try await server.send(
                            .post,
                            write.path,
                            as: writer,
                            write.body,
                            headers: write.headers
                        )
                        try await expectUnavailable(reply, write.path)
                    }
                    let health = try await server.send(.get, "/healthz", as: nil)
                    #expect(health.status == 200)
                    #expect(try await server.published().answer.body == served)

                    try cluster.giveBack()
                    try await eventually("the service is ready again") {
                        try await ready(server).status == 200 ? true : nil
                    }
                    #expect(try await server.settle().count == before)
                    let approved = try await server.decide(
                        "approve",
                        on: proposed,
                        as: team.approver
                    )
                    #expect(approved.json["state"]?.string == "applied", "\(approved.json)")
                    try await server.expectAgreement(with: try await server.settle())
                    try await fixture.expectVerified()
                }
                #expect(end == .exited(0))
            }
        }

        private func ready(_ server: RunningServer) async throws -> Reply {
            try await server.send(.get, "/readyz", as: nil)
        }

        private func expectUnavailable(_ reply: Reply, _ path: String) async throws {
            #expect(reply.status == 503, "\(path): \(reply.json)")
            #expect(reply.answer.header("Content-Type") == "application/problem+json")
            #expect(reply.json["type"]?.string == "/problems/unavailable")
            let seconds = reply.answer.header("Retry-After").flatMap { Int($0) } ?? 0
            #expect(seconds > 0, "\(path)")
        }

        private var edits: JSONValue { [Edits.setText("ios", "description", "fr", "Bonjour.")] }

        private func writes(
            beside proposed: Reply
        ) throws -> [(path: String, body: JSONValue, headers: [(name: String, value: String)])] {
            let id = try #require(proposed.json["id"]?.string)
            let tag = [(name: "If-Match", value: proposed.answer.header("ETag") ?? "")]
            return [
                ("/v1/changes/\(id)/approve", [:], tag),
                ("/v1/changes/\(id)/reject", ["reason": "Because."], tag),
                (
                    "/v1/apps/harbour/changes",
                    ["title": "Another", "reason": "Because.", "base": 1, "operations": edits], []
                ),
                ("/v1/apps/harbour/rollback", ["to": ["event": 1], "reason": "Because."], []),
                ("/v1/tokens", ["name": "eve", "roles": [["role": "viewer"]]], []),
            ]
        }
    }
}
