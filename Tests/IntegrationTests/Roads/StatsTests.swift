import Foundation
import Glibc
import PlimsollAPI
import Testing

extension ServiceTests {
    /// What an edge of its own tells its operator, and nobody else.
    @Suite struct StatsTests {
        @Test func `an operator reads requests by status and the age of what is served`()
            async throws
        {
            try await ServerFixture.with { fixture in
                // What is served is as old as this test.
                let fixture = fixture.empty()
                let export = try await fixture.makeExport()
                let options = ["--stats", "127.0.0.1:0"]
                try await fixture.standaloneEdge(over: export, options) { edge in
                    let stats = try await edge.program.address(after: "stats.bound=")
                    let document = "http://\(edge.address)/distribution/availability-ios"
                    try await eventually("a document at the edge") {
                        try await status(fixture, document) == 200 ? () : nil
                    }
                    // Without a certificate there is nothing to read again, and nothing ends.
                    edge.signal(SIGHUP)
                    for _ in 0..<3 { _ = try await status(fixture, document + "?x") }
                    let text = try await eventually("the counts") {
                        let text = try await metrics(fixture, stats)
                        let isCounted = value(text, "requests_answered_total{status=\"200\"}") == 1
                        return isCounted ? text : nil
                    }
                    #expect(text.contains("plimsoll_build_info{"))
                    expectExplained(text)
                    #expect(value(text, "requests_answered_total{status=\"404\"}") ?? 0 >= 3)
                    #expect(value(text, "requests_answered_total{status=\"505\"}") == 0)
                    let age = try #require(value(text, "snapshot_age_seconds{app=\"harbour\"}"))
                    #expect(age > 0 && age < 600)
                    #expect(value(text, "snapshot_sequence{app=\"harbour\"}") ?? 0 > 0)
                    #expect(value(text, "certificate_remaining_seconds") == nil)
                    #expect(try await status(fixture, "http://\(edge.address)/metrics") == 404)
                    #expect(try await status(fixture, "http://\(stats)/") == 404)
                    let phone = "http://\(stats)/distribution/availability-ios"
                    #expect(try await status(fixture, phone) == 404)
                }
            }
        }

        @Test func `an edge that cannot remember says so, and one that can does not`() async throws
        {
            try await ServerFixture.with { fixture in
                let export = try await fixture.makeExport()
                try await fixture.standaloneEdge(over: export) { edge in
                    let words = try edge.words()
                    #expect(words.contains("without --memory this edge forgets"))
                }
                let folder = fixture.folder.appending(path: "memory").path
                try await fixture.standaloneEdge(over: export, ["--memory", folder]) { edge in
                    let words = try edge.words()
                    #expect(!words.contains("--memory"))
                }
            }
        }

        @Test(arguments: [
            (["--stats", "nowhere"], "--stats needs a host and a port"),
            (["--stats", "0.0.0.0:8081"], "--stats needs another port than --listen"),
            (["--tls-certificate", "/tls/chain.pem"], "belong together"),
            (["--tls-key", "/tls/key.pem"], "belong together"),
            (["--tls-certificate", ""], "--tls-certificate is empty"),
            (["--tls-certificate", "/tls/chain.pem", "--tls-key", ""], "--tls-key is empty"),
            (["--from", ""], "--from needs an export folder"),
            (["--from", "/elsewhere"], "--from names two folders"),
            (["--name", "a/b"], "--name needs 1 to 100 letters"),
            (["--origin-listen", "nowhere"], "--origin-listen needs a host and a port"),
            (["--origin-listen", "0.0.0.0:8081"], "--origin-listen needs another port"),
            (["--from-ca", "/tls/ca.pem"], "--from-ca is for an origin at an https address"),
            (
                ["--tls-key", "/nowhere/key.pem", "--tls-certificate", "/nowhere/chain.pem"],
                "/nowhere/chain.pem"
            ),
            (["--listen", "127.0.0.1:0"], "/nowhere/keys.json"),
        ])
        func `an option that cannot be is refused with what it needs`(
            options: [String],
            words: String
        ) async throws {
            let outcome = try await Program.run(
                try Program.plimsoll(),
                ["edge", "--from", "/nowhere", "--keys", "/nowhere/keys.json"] + options
            )
            #expect(outcome.status == (words.hasPrefix("/") ? 1 : 2))
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }

        @Test func `an edge whose export folder is not there does not start`() async throws {
            try await ServerFixture.with { fixture in
                let export = try await fixture.makeExport()
                let keys = export.appending(path: "keys.json").path
                let outcome = try await Program.run(
                    try Program.plimsoll(),
                    ["edge", "--from", "/nowhere", "--keys", keys, "--listen", "127.0.0.1:0"]
                )
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains("there is none at /nowhere"), "\(outcome.errors)")
            }
        }

        private func status(_ fixture: ServerFixture, _ url: String) async throws -> Int {
            try await fixture.transport.send(WebRequest(.get, url)).status
        }

        private func metrics(_ fixture: ServerFixture, _ address: String) async throws -> String {
            let url = "http://\(address)/metrics"
            let answer = try await fixture.transport.send(WebRequest(.get, url))
            return String(decoding: answer.body, as: UTF8.self)
        }

        private func value(_ text: String, _ name: String) -> Double? {
            text.split(separator: "\n").first { $0.hasPrefix("plimsoll_\(name) ") }
                .flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }
        }
    }
}
