import Foundation
import PlimsollAPI
import PlimsollJSON
import Testing

extension ServiceTests {
    /// What waits until a witness has seen it.
    @Suite struct QuorumTests {
        // Goal: neither who examines nor an edge that was told so goes on to what no witness has
        // seen, and both do when one has. Method: the real witness looks when the test says so.
        @Test func `what no witness has seen is neither called proven nor served`() async throws {
            try await ServerFixture.with { fixture in
                let watch = try Watch(fixture)
                try await fixture.run(environment: watch.known) { server in
                    let export = fixture.data.appending(path: "export")
                    let trusted = [
                        "--log-key", export.appending(path: "log/key").path,
                        "--witness-key", watch.keyText, "--quorum", "1",
                    ]
                    let auditor = try await server.admit("ann", "auditor")
                    try await see(watch, server, as: auditor)
                    try await eventually("a proof that the witness saw") {
                        try await verify(server, trusted).status == 0 ? () : nil
                    }
                    try await fixture.standaloneEdge(over: export, trusted) { edge in
                        let first = try await eventually("what the witness saw") {
                            try await sequence(at: edge.address, fixture)
                        }
                        try await Team(server).setMinimum("3.1.0", "The first.")
                        let next = try await server.published().sequence
                        #expect(next > first)
                        try await eventually("the edge to wait") {
                            try edge.words().contains("waits for witnesses") ? () : nil
                        }
                        try await server.waitForSnapshotProof()
                        // It lies on the disk a moment before the service's edge serves it.
                        let refused = try await eventually("the proof at the edge") {
                            let outcome = try await verify(server, trusted)
                            return outcome.errors.contains("is missing") ? nil : outcome
                        }
                        #expect(refused.status == 8)
                        #expect(refused.errors.contains("0 of the 1"), "\(refused.errors)")
                        #expect(try await sequence(at: edge.address, fixture) == first)
                        try await see(watch, server, as: auditor)
                        try await eventually("the edge to go on") {
                            try await sequence(at: edge.address, fixture) == next ? () : nil
                        }
                        try await eventually("the new proof") {
                            try await verify(server, trusted).status == 0 ? () : nil
                        }
                    }
                }
            }
        }

        /// Has the witness look at the log as it is now.
        private func see(
            _ watch: Watch,
            _ server: RunningServer,
            as auditor: String
        ) async throws {
            try await server.waitForPublicCheckpoint()
            let log = "http://\(try server.edge())/distribution/log"
            let seen = try await watch.look(at: log, server, as: auditor)
            #expect(seen.status == 0, "\(seen.errors)")
        }

        private func verify(_ server: RunningServer, _ trusted: [String]) async throws -> Outcome {
            let keys = server.fixture.data.appending(path: "export/keys.json").path
            let place = "http://\(try server.edge())/distribution/harbour"
            return try await Program.run(
                try Program.plimsoll(),
                ["verify", "snapshot", place, "--key", keys] + trusted
            )
        }

        /// Nil where nothing is served.
        private func sequence(
            at edge: String,
            _ fixture: ServerFixture
        ) async throws -> Int64? {
            let url = "http://\(edge)/distribution/harbour/manifest.json"
            let answer = try await fixture.transport.send(WebRequest(.get, url))
            guard answer.status == 200 else { return nil }
            return try JSONValue(parsing: answer.body)["sequence"]?.integer
        }
    }
}
