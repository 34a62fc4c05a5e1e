import Foundation
import PlimsollAPI
import PlimsollJSON
import Testing

extension ServiceTests {
    /// What the page of marketplaces promises, run as it stands there.
    @Suite struct MarketplaceRoadTests {
        private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/concepts/marketplaces.md").standardizedFileURL

        // Goal: the page leads from nothing to a marketplace, and what devices are answered after each
        // of its steps is what it says. Method: its command lines are given to a shell one after
        // another, with tokens in the places of people; the sample's changes came first, so the
        // numbers of changes are those of the answers. What devices were answered is kept as it
        // stood on the wire, and read by a program that has nothing else but the public key.
        @Test func `the page of marketplaces can be followed`() async throws {
            try await ServerFixture.with { fixture in
                let answers = try DeviceAnswers(in: fixture.folder)
                try await fixture.run(environment: answers.environment) { server in
                    let people = [
                        "PROPOSER": try await server.admit("alice", "proposer"),
                        "APPROVER": try await server.admit("bob", "approver"),
                        "RESPONDER": try await server.admit("rita", "responder"),
                    ]
                    var changes: [String] = []
                    var explanations: [JSONValue] = []
                    for line in try lines() {
                        let outcome = try await run(naming(changes, in: line), people, server)
                        #expect(outcome.status == 0, "\(line): \(outcome.errors)")
                        let answer = try? JSONValue(parsing: Array(outcome.output.utf8))
                        if line.contains(" propose ") || line.contains(" stop ") {
                            changes.append(try #require(answer?["id"]?.string, "\(outcome)"))
                        } else if line.contains(" explain ") {
                            explanations.append(try #require(answer))
                        } else if line.contains(" withdraw ") {
                            #expect(answer?["taken"] == ["878123456789"])
                            #expect(answer?["review"]?["reviewers"]?.array?.isEmpty == false)
                        }
                        try await answers.ask(DeviceProbe(address: server.edge()), after: line)
                    }
                    try look(at: explanations)
                    try await expectPublished(by: server)
                    try await fixture.expectVerified()
                }
                try await answers.expectVerified()
            }
        }

        /// Those of the page, each joined to one line.
        private func lines() throws -> [String] {
            let text = try String(contentsOf: Self.page, encoding: .utf8)
            return text.replacing(/\\\n\s*/, with: "").split(separator: "\n").compactMap { line in
                line.hasPrefix("$ ") ? String(line.dropFirst(2)) : nil
            }
        }

        /// The page counts changes from 1.
        private func naming(_ changes: [String], in line: String) -> String {
            line.replacing(/(approve |--change |before-change[ :])([0-9]+)/) { match in
                let index = (Int(match.2) ?? 0) - 1
                return "\(match.1)\(changes.indices.contains(index) ? changes[index] : "0")"
            }
        }

        private func run(
            _ line: String,
            _ people: [String: String],
            _ server: RunningServer
        ) async throws -> Outcome {
            let program = try Program.plimsoll()
            var environment = people
            environment["PLIMSOLL_URL"] = "http://\(try server.rest())"
            environment["PLIMSOLL_TOKEN"] = try server.fixture.adminToken()
            environment["PROGRAM"] = program
            return try await Program.run(
                "sh",
                ["-c", #"plimsoll() { "$PROGRAM" "$@"; }"# + "\n" + line],
                environment: environment
            )
        }

        private func look(at explanations: [JSONValue]) throws {
            try #require(explanations.count == 4)
            #expect(explanations[0]["updates"]?["version"] == "878123456789")
            #expect(explanations[1]["updates"]?["verdict"] == "current")
            #expect(explanations[1]["restore"]?["reason"] == "notOffered")
            #expect(explanations[1]["newer"]?.array?.first?["standing"] == "systemTooOld")
            // The same is said of what a rollback would lead to, and of what it led to.
            for explanation in explanations[2...] {
                #expect(explanation["restore"]?["version"] == "878123456700")
                #expect(explanation["updates"]?["verdict"] == "current")
                #expect(explanation["newer"]?.array?.first?["standing"] == "withdrawn")
            }
        }

        private func expectPublished(by server: RunningServer) async throws {
            let document = try await eventually("what is offered after the rollback") {
                let answer = try await server.phone("/distribution/ferry/packages.json")
                let document = try? JSONValue(parsing: answer.body)
                return document?["packages"]?.array?.count == 1
                    && document?["withdrawn"] == ["878123456789"] ? document : nil
            }
            #expect(document["packages"]?.array?.first?["version"] == "878123456700")
            let kit = try await server.phone("/distribution/tidewater/marketplace-kit")
            let json = try JSONValue(parsing: kit.body)
            #expect(json["updates"]?["url"] == "https://market.example.com/updates")
        }
    }
}
