import Foundation
import Glibc
import PlimsollAPI
import Testing

extension ServiceTests {
    /// Starts that go on from what was kept of the log, and those that may not.
    @Suite struct KeptStateTests {
        private static let settings = ["PLIMSOLL_LOG_KEEP_EVERY": "1"]

        // Goal: a start with what was kept is told from one without only by how much it reads.
        // Method: one service after the other in one folder, ended in both ways; what is published,
        // decided and verified is compared.
        @Test func `a start goes on from what was kept, and comes to the same`() async throws {
            try await ServerFixture.with { fixture in
                let served = Box()
                try await fixture.run(environment: Self.settings) { server in
                    try await expect(server, startsBehind: 0...0)
                    try await Team(server).setMinimum("3.1.0", "The first.")
                    try await server.waitForCheckpoint()
                    served.bytes = try await server.published().answer.body
                }
                try await fixture.run(environment: Self.settings) { server in
                    try await expect(server, startsBehind: 1...Int.max)
                    #expect(try await server.published().answer.body == served.bytes)
                    try await Team(server, called: "others").setMinimum("3.2.0", "The second.")
                    server.send(SIGKILL)
                }
                try await fixture.run(environment: Self.settings) { server in
                    try await expect(server, startsBehind: 1...Int.max)
                    #expect(try await server.published().text("en") == "The second.")
                    try await fixture.expectVerified()
                }
            }
        }

        @Test func `from scratch, and with a damaged file, all of the log is folded`() async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run(environment: Self.settings) { server in
                    try await server.waitForCheckpoint()
                }
                let kept = fixture.data.appending(path: "kept-state")
                let whole = try Data(contentsOf: kept)
                let scratch = Self.settings.merging(["PLIMSOLL_LOG_FROM_SCRATCH": "true"]) { $1 }
                try await fixture.run(environment: scratch) { server in
                    try await expect(server, startsBehind: 0...0)
                    #expect(try !fixture.logText().contains("not from where it was kept"))
                }
                try whole.dropLast().write(to: kept)
                try await fixture.run(environment: Self.settings) { server in
                    try await expect(server, startsBehind: 0...0)
                    #expect(try fixture.logText().contains("not from where it was kept"))
                }
                // The stop has kept it anew.
                try await fixture.run(environment: Self.settings) { server in
                    try await expect(server, startsBehind: 1...Int.max)
                }
            }
        }

        /// Behind which event the start has folded the log.
        private func expect(
            _ server: RunningServer,
            startsBehind events: ClosedRange<Int>
        ) async throws {
            let metrics = try await server.fixture.transport.send(
                WebRequest(.get, "http://\(server.rest())/metrics")
            )
            let lines = String(decoding: metrics.body, as: UTF8.self).split(separator: "\n")
            let line = try #require(lines.first { $0.hasPrefix("plimsoll_log_start_position ") })
            let number = try #require(line.split(separator: " ").last.flatMap { Double($0) })
            #expect(events.contains(Int(number)), "it has folded behind \(number)")
        }
    }
}
