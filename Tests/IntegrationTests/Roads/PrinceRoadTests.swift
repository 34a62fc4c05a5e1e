import Foundation
import PlimsollAPI
import PlimsollJSON
import Testing

extension ServiceTests {
    @Suite struct PrinceRoadTests {
        private static let path = "/distribution/harbour/prince-of-versions.json"

        // Goal: what is approved reaches clients of Prince of Versions, signed, and holds back the
        // devices that it should. Method: the document is fetched as a phone does, its signature
        // checked with openssl, and handed to the program as if it were one client and another. Then
        // offers of its own are proposed, and what is promised of them is what clients are told.
        @Test func `clients of Prince of Versions are told what was approved`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let people = People(
                        author: try await server.admit("alice", "proposer"),
                        approver: try await server.admit("bob", "approver")
                    )
                    try await raise(server, people)
                    let served = try await eventually("the new line") {
                        let answer = try await server.phone(Self.path)
                        return required(answer) == "3.2.0" ? answer : nil
                    }
                    #expect(served.header("content-type") == "application/json")
                    let openssl = OpenSSL(folder: fixture.folder)
                    #expect(try await openssl.verifies(served) { try await server.phone($0) })
                    let file = fixture.folder.appending(path: "prince-of-versions.json")
                    try Data(served.body).write(to: file)
                    for client in ["ios-4.0.0", "ios-4.0.8", "kmp-ios"] {
                        let below = try await status(client, "3.1.9", file, server)
                        #expect(below == "REQUIRED_UPDATE_NEEDED")
                        let above = try await status(client, "99.0.0", file, server)
                        #expect(above == "NO_UPDATE_AVAILABLE")
                    }
                    try await offer(server, people, file)
                }
            }
        }

        // Goal: an app's own object for clients before 4.0 is published as it was, shown, and raised by
        // a block; a rollback brings it back, and the log verifies. Method: a document that has it
        // beside arrays is imported, approved, and read where phones read it.
        @Test func `an object for clients before 4·0 stays as it was imported`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let people = People(
                        author: try await server.admit("alice", "proposer"),
                        approver: try await server.admit("bob", "approver")
                    )
                    let responder = try await server.admit("rita", "responder")
                    let file = fixture.folder.appending(path: "own.json")
                    let document = """
                        {"ios": {"minimum_version": "2", "latest_version": {"version": "2.5",
                        "notification_type": "ALWAYS"}}, "ios2": [{"required_version": "2.1.0"}],
                        "android": {"minimum_version": "1.0.0"}}
                        """
                    try Data(document.utf8).write(to: file)
                    let imported = try await server.plimsoll(
                        ["import", file.path, "--json"],
                        as: people.author
                    )
                    try #require(imported.status == 0, "\(imported.errors)")
                    #expect(imported.output.contains("legacy"))
                    let id = try JSONValue(parsing: Array(imported.output.utf8))["id"]?.string
                    try await approve(try #require(id), server, people)
                    let own: JSONValue = [
                        "minimum_version": "2",
                        "latest_version": ["notification_type": "ALWAYS", "version": "2.5"],
                    ]
                    let served = try await legacy(server) { $0 == own }
                    #expect(served["android"] == ["minimum_version": "1.0.0"])
                    #expect(served["ios2"]?.array?.first?["required_version"] == "2.1.0")
                    let shown = try await server.plimsoll(
                        ["get", "--field", "ios.legacy", "--json"],
                        as: people.author
                    )
                    #expect(
                        try JSONValue(parsing: Array(shown.output.utf8))["value"] == own,
                        "\(shown.output)"
                    )
                    let block = try await server.plimsoll(
                        [
                            "block", "ios", "--below", "9.0", "--reason", "It loses data",
                            "--yes", "--json",
                        ],
                        as: responder
                    )
                    try #require(block.status == 0, "\(block.errors)")
                    _ = try await legacy(server) { $0?["minimum_version"] == "9.0.0" }
                    let change = try JSONValue(parsing: Array(block.output.utf8))["change"]?.string
                    let back = try await server.plimsoll(
                        ["revert", try #require(change), "--reason", "It was wrong", "--yes"],
                        as: responder
                    )
                    try #require(back.status == 0, "\(back.errors)")
                    _ = try await legacy(server) { $0 == own }
                    try await fixture.expectVerified()
                }
            }
        }

        private func legacy(
            _ server: RunningServer,
            _ isMeant: (JSONValue?) -> Bool
        ) async throws -> JSONValue {
            try await eventually("the object for clients before 4.0") {
                let answer = try await server.phone(Self.path)
                let document = try JSONValue(parsing: answer.body)
                return isMeant(document["ios"]) ? document : JSONValue?.none
            }
        }

        private struct People {
            let author: String
            let approver: String
        }

        /// Offers require more of everybody than the minimum does.
        private func offer(_ server: RunningServer, _ people: People, _ file: URL) async throws {
            try Data(#"[{"requiredVersion": "4.0.0"}]"#.utf8).write(to: file)
            let change = try await propose(["--offers", "ios=@\(file.path)"], server, people)
            let device = ["--os", "17.0", "--app-version", "3.9.0", "--change", change, "--json"]
            let promised = try await simulate(["--platform", "ios"] + device, server, people)
            #expect(promised["verdict"] == "available" && promised["moved"] == true)
            #expect(promised["before"]?["offers"]?["status"] == "NO_UPDATE_AVAILABLE")
            #expect(promised["offers"]?["status"] == "REQUIRED_UPDATE_NEEDED")
            let client = try await simulate(["--client", "ios-4.0.8"] + device, server, people)
            #expect(client["before"]?["status"] == "NO_UPDATE_AVAILABLE")
            #expect(client["status"] == "REQUIRED_UPDATE_NEEDED")
            try await approve(change, server, people)
            let served = try await eventually("the offers") {
                let answer = try await server.phone(Self.path)
                return required(answer) == "4.0.0" ? answer : nil
            }
            try Data(served.body).write(to: file)
            let told = try await status("ios-4.0.8", "3.9.0", file, server)
            #expect(told == promised["offers"]?["status"]?.string)
        }

        private func simulate(
            _ arguments: [String],
            _ server: RunningServer,
            _ people: People
        ) async throws -> JSONValue {
            let run = try await server.plimsoll(["simulate"] + arguments, as: people.author)
            try #require(run.status == 0, "\(run.errors)")
            return try JSONValue(parsing: Array(run.output.utf8))
        }

        private func raise(_ server: RunningServer, _ people: People) async throws {
            let texts = ["en-GB", "en", "cy", "de", "ar"].flatMap {
                ["--text", "minimumApp.description.\($0)=Please update (\($0))."]
            }
            let edits = ["--platform", "ios", "--set", "minimumApp.value=3.2.0"] + texts
            try await approve(try await propose(edits, server, people), server, people)
        }

        private func propose(
            _ edits: [String],
            _ server: RunningServer,
            _ people: People
        ) async throws -> String {
            let proposed = try await server.plimsoll(
                ["propose"] + edits
                    + ["--title", "Raise the line", "--reason", "3.1 loses data", "--json"],
                as: people.author
            )
            try #require(proposed.status == 0, "\(proposed.errors)")
            let json = try JSONValue(parsing: Array(proposed.output.utf8))
            return try #require(json["id"]?.string)
        }

        private func approve(
            _ change: String,
            _ server: RunningServer,
            _ people: People
        ) async throws {
            let approved = try await server.plimsoll(
                ["change", "approve", change, "--yes"],
                as: people.approver
            )
            try #require(approved.status == 0, "\(approved.errors)")
        }

        private func required(_ answer: WebAnswer) -> String? {
            (try? JSONValue(parsing: answer.body))?["ios"]?.array?.first?["required_version"]?
                .string
        }

        private func status(
            _ client: String,
            _ version: String,
            _ file: URL,
            _ server: RunningServer
        ) async throws -> String? {
            let run = try await server.plimsoll(
                [
                    "simulate", "--client", client, "--document", file.path, "--app-version",
                    version, "--os", "17.0", "--json",
                ],
                as: ""
            )
            #expect(run.status == 0, "\(run.errors)")
            return try JSONValue(parsing: Array(run.output.utf8))["status"]?.string
        }
    }
}
