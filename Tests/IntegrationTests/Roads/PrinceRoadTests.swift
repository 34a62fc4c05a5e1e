import Foundation
import PlimsollAdmin
import PlimsollJSON
import Testing

extension ServiceTests {
    @Suite struct PrinceRoadTests {
        private static let path = "/distribution/harbour/prince-of-versions.json"

        // Goal: what is approved reaches clients of Prince of Versions, signed, and holds back the
        // devices that it should. Method: the document is fetched as a phone does, its signature
        // checked with openssl, and handed to the program as if it were one client and another.
        @Test func `clients of Prince of Versions are told what was approved`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    try await raise(server)
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
                }
            }
        }

        private func raise(_ server: RunningServer) async throws {
            let texts = ["en-GB", "en", "cy", "de", "ar"].flatMap {
                ["--text", "minimumApp.description.\($0)=Please update (\($0))."]
            }
            let proposed = try await server.plimsoll(
                ["propose", "--platform", "ios", "--set", "minimumApp.value=3.2.0"] + texts
                    + ["--title", "Raise the line", "--reason", "3.1 loses data", "--json"],
                as: try await server.admit("alice", "proposer")
            )
            try #require(proposed.status == 0, "\(proposed.errors)")
            let json = try JSONValue(parsing: Array(proposed.output.utf8))
            let approved = try await server.plimsoll(
                ["change", "approve", try #require(json["id"]?.string), "--yes"],
                as: try await server.admit("bob", "approver")
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
