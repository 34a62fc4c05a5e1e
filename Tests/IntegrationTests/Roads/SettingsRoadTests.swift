import Glibc
import PlimsollAPI
import PlimsollJSON
import Testing

extension ServiceTests {
    @Suite struct SettingsRoadTests {
        private static let macos = "/distribution/harbour/availability-macos"

        // Goal: settings that alter bytes reach phones, signed, outlast a kill and are found to
        // follow; those that are refused change nothing. Method: an app gets a platform more, and
        // another profile, over the command line; the service is killed and started again.
        @Test func `other settings reach phones, and are there after a kill`() async throws {
            try await ServerFixture.with { fixture in
                var kept: [[UInt8]] = []
                try await fixture.run { server in
                    let admin = try fixture.adminToken()
                    try await eventually("no document for macOS") {
                        try await server.phone(Self.macos).status == 404 ? () : nil
                    }
                    let before = try await server.published("ios")
                    let refused = try await server.set(["--add-language", "fr"], as: admin)
                    #expect(refused.status == 5)
                    #expect(refused.errors.contains("description.fr"), "\(refused.errors)")

                    let added = try await server.set(["--add-platform", "macos"], as: admin)
                    try #require(added.status == 0, "\(added.errors)")
                    let macos = try await eventually("the new platform") {
                        let answer = try await server.phone(Self.macos)
                        return answer.status == 200 ? try Published(answer) : nil
                    }
                    try await server.expectSigned(macos)
                    let same = try await server.published("ios").answer.body
                    #expect(same == before.answer.body)

                    let edit = try await server.set(["--profile", "minimal"], as: admin)
                    try #require(edit.status == 0, "\(edit.errors)")
                    let minimal = try await eventually("the other profile") {
                        let published = try Published(try await server.phone(Self.macos))
                        return published.sequence > macos.sequence ? published : nil
                    }
                    try await server.expectSigned(minimal)
                    #expect(minimal.document.object?.members.map(\.key) == ["plimsoll"])
                    let again = try await server.set(["--profile", "minimal"], as: admin)
                    #expect(again.status == 3, "\(again.errors)")
                    kept = [minimal.answer.body, try await server.published("ios").answer.body]
                    _ = try await server.settle()
                    server.send(SIGKILL)
                }
                try await fixture.run { server in
                    let bodies = [
                        try await server.phone(Self.macos).body,
                        try await server.published("ios").answer.body,
                    ]
                    #expect(bodies == kept)
                    let shown = try await server.plimsoll(
                        ["apps", "settings", "harbour", "--json"],
                        as: try fixture.adminToken()
                    )
                    let settings = try JSONValue(parsing: Array(shown.output.utf8))["settings"]
                    #expect(settings?["profile"] == "minimal")
                    #expect(settings?["platforms"]?.array?.last == "macos")
                    #expect(settings?["languages"]?.array?.contains("fr") == false)
                    try await fixture.expectVerified()
                }
            }
        }
    }
}

extension RunningServer {
    /// Changes settings of harbour without asking.
    fileprivate func set(_ options: [String], as token: String) async throws -> Outcome {
        try await plimsoll(["apps", "set", "harbour", "--yes"] + options, as: token)
    }
}
