import Foundation
import Glibc
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Subprocess
import Testing

extension ServiceTests {
    /// Edges that follow the service and one another, in processes of their own.
    @Suite struct EdgeTreeTests {
        // Goal: a change goes down a tree of edges whatever becomes of one of them, and nobody goes
        // back. Method: two edges follow the service, a third one both of them, a fourth one the
        // first; one is frozen, wakes, and is killed and started anew.
        @Test func `a change reaches every edge below, whichever is frozen or dies`() async throws {
            try await withHeldPorts(1) { ports in
                try await ServerFixture.with { fixture in
                    let environment = ["PLIMSOLL_ORIGIN_LISTEN": "127.0.0.1:0"]
                    try await fixture.run(environment: environment) { server in
                        try await grow(server, at: "127.0.0.1:\(ports[0])")
                    }
                }
            }
        }

        private func grow(_ server: RunningServer, at northern: String) async throws {
            let fixture = server.fixture
            let origin = try #require(try server.address(after: "origin.bound="))
            let there = ["--origin-listen", northern]
            try await treeEdge(fixture, "north", [origin], there) { north in
                _ = try await north.address(after: "origin.bound=")
                try await treeEdge(fixture, "south", [origin], answers: true) { south in
                    let southern = try await south.address(after: "origin.bound=")
                    try await treeEdge(fixture, "leaf", [northern, southern]) { leaf in
                        try await treeEdge(fixture, "child", [northern]) { child in
                            try await walk(
                                Tree(
                                    server: server,
                                    team: Team(server),
                                    origin: origin,
                                    north: north,
                                    northern: northern,
                                    leaf: leaf.address(after: "address.bound="),
                                    child: child.address(after: "address.bound=")
                                )
                            )
                        }
                    }
                }
            }
        }

        private struct Tree {
            let server: RunningServer
            let team: Team
            let origin: String
            let north: RunningProgram
            let northern: String
            let leaf: String
            let child: String
        }

        private func walk(_ tree: Tree) async throws {
            try await tree.team.setMinimum("3.1.0", "All are there.")
            try await expect(tree.server, at: [tree.leaf, tree.child])
            try await expectDoctor(tree, "5 edges in 2 levels below")

            // The leaf has another origin; the child waits for its only one.
            _ = kill(tree.north.processID, SIGSTOP)
            let fixture = tree.server.fixture
            let before = try await sequence(at: tree.child, fixture)
            try await tree.team.setMinimum("3.2.0", "One is frozen.")
            try await expect(tree.server, at: [tree.leaf])
            #expect(try await sequence(at: tree.child, fixture) == before)
            _ = kill(tree.north.processID, SIGCONT)
            try await expect(tree.server, at: [tree.child])

            _ = kill(tree.north.processID, SIGKILL)
            try await tree.team.setMinimum("3.3.0", "One is dead.")
            try await expect(tree.server, at: [tree.leaf])
            // Another process at the same address is followed as if it had never been away.
            let again = ["--origin-listen", tree.northern]
            try await treeEdge(fixture, "again", [tree.origin], again) { _ in
                try await expect(tree.server, at: [tree.child])
            }
        }

        private func treeEdge(
            _ fixture: ServerFixture,
            _ name: String,
            _ origins: [String],
            _ options: [String] = [],
            answers: Bool = false,
            _ body: (RunningProgram) async throws -> Void
        ) async throws {
            let keys = fixture.data.appending(path: "export/keys.json").path
            var arguments = ["edge", "--listen", "127.0.0.1:0", "--keys", keys, "--name", name]
            arguments += ["--memory", fixture.folder.appending(path: "memory-\(name)").path]
            for origin in origins { arguments += ["--from", "http://\(origin)"] }
            arguments += options + (answers ? ["--origin-listen", "127.0.0.1:0"] : [])
            let log = fixture.folder.appending(path: "\(name).log")
            let end = try await Program.whileRunning(arguments, log: log) { edge in
                _ = try await edge.address(after: "address.bound=")
                try await body(edge)
            }
            // That one is killed.
            #expect(name == "north" || end == .exited(0))
        }

        /// Waits until phones are served at all of these what they are served at the service.
        private func expect(_ server: RunningServer, at edges: [String]) async throws {
            let newest = try await server.published().sequence
            for edge in edges {
                try await eventually("snapshot \(newest) at \(edge)") {
                    let found = try await sequence(at: edge, server.fixture)
                    return found == newest ? () : nil
                }
            }
        }

        private func sequence(at edge: String, _ fixture: ServerFixture) async throws -> Int64? {
            let url = "http://\(edge)/distribution/harbour/manifest.json"
            let answer = try await fixture.transport.send(WebRequest(.get, url))
            guard answer.status == 200 else { return nil }
            return try JSONValue(parsing: answer.body)["sequence"]?.integer
        }

        /// The doctor waits for edges that lag; of one that was never heard of it knows nothing.
        private func expectDoctor(_ tree: Tree, _ words: String) async throws {
            let url = "http://\(tree.origin)/origin/edges"
            try await eventually("all edges are heard of") {
                let answer = try await tree.server.fixture.transport.send(WebRequest(.get, url))
                return try JSONValue(parsing: answer.body)["edges"]?.integer == 6 ? () : nil
            }
            let outcome = try await tree.server.plimsoll(
                ["doctor", "--origin", "http://\(tree.origin)"],
                as: tree.server.fixture.adminToken()
            )
            #expect(outcome.output.contains(words), "\(outcome.output) \(outcome.errors)")
        }
    }
}
