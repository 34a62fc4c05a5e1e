import Foundation
import PlimsollAPI
import PlimsollClient
import PlimsollJSON
import Testing

extension ServiceTests {
    /// What an app makes of the whole service, with nothing but what it is shipped with.
    @Suite struct AppRoadTests {
        // Goal: an app that links the client follows a change and its rollback, through a disk of
        // its own that is full. Method: the keys are pinned as a developer would, from a copy.
        @Test func `an app follows the line, up and down, with a full disk between`() async throws {
            try await ServerFixture.with { fixture in
                try await SmallDisk.with(fixture.folder.appending(path: "phone"), megabytes: 1) {
                    disk in
                    let folder = disk.folder.appending(path: "snapshots/app")
                    try FileManager.default.createDirectory(
                        at: folder,
                        withIntermediateDirectories: true
                    )
                    try await fixture.run { server in
                        let client = try await client(of: server, keptIn: folder)
                        let before = await client.refresh()
                        #expect(before.refreshError == nil)
                        #expect(before.keepingError == nil)
                        #expect(before.decision.verdict.runs)

                        try await disk.fill()
                        let base = try await server.head()
                        try await raise(at: server)
                        let raised = try await eventually("the new line") {
                            let state = await client.refresh()
                            return state.decision.verdict.runs ? nil : state
                        }
                        #expect(raised.decision.verdict == .appTooOld)
                        #expect(raised.decision.language == "de")
                        #expect(raised.keepingError?.code == .notKept)

                        try disk.makeRoom()
                        #expect(await client.refresh().keepingError == nil)
                        let afterwards = try await self.client(of: server, keptIn: folder)
                        #expect(await afterwards.state().document == raised.document)

                        try await rollBack(to: base, at: server)
                        let lowered = try await eventually("the former line") {
                            let state = await client.refresh()
                            return state.decision.verdict.runs ? state : nil
                        }
                        #expect(lowered.decision == before.decision)
                    }
                }
            }
        }

        // Goal: what the simulation says of our own client is what it does. Method: the client decides
        // on the sample for several languages, and the program is asked about the same device.
        @Test(arguments: [["de-AT"], ["zh-Hant-TW", "cy"], ["fr-CA", "de"], ["tlh"], ["en-GB"]])
        func `what is simulated of our own client is what it shows`(
            languages: [String]
        ) async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    try await raise(at: server)
                    let folder = fixture.folder.appending(path: "phone")
                    let client = try await client(of: server, keptIn: folder, reading: languages)
                    let decision = try await eventually("the new line") {
                        let state = await client.refresh()
                        return state.decision.verdict.runs ? nil : state.decision
                    }
                    let viewer = try await server.admit("victor", "viewer")
                    let run = try await server.plimsoll(
                        [
                            "simulate", "--client", "plimsoll", "--platform", "ios", "--os", "17.0",
                            "--app-version", "3.1.0", "--json",
                        ] + languages.flatMap { ["--lang", $0] },
                        as: viewer
                    )
                    try #require(run.status == 0, "\(run.errors)")
                    let shown = try JSONValue(parsing: Array(run.output.utf8))
                    #expect(shown["client"] == "plimsoll")
                    #expect(shown["verdict"]?.string == decision.verdict.rawValue)
                    #expect(shown["description"]?.string ?? "" == decision.description ?? "")
                    #expect(shown["title"]?.string ?? "" == decision.title ?? "")
                }
            }
        }

        private func client(
            of server: RunningServer,
            keptIn folder: URL,
            reading languages: [String] = ["de-AT"]
        ) async throws -> AvailabilityClient {
            let keys = try await server.phone("/distribution/keys.json").body
            let versions = (os: try #require(Version("17.0")), app: try #require(Version("3.1.0")))
            var configuration = try AvailabilityClient.Configuration(
                service: try #require(URL(string: "http://\(try server.edge())")),
                app: "harbour",
                device: try #require(
                    Device(platform: .ios, os: versions.os, app: versions.app)
                ),
                keys: try PinnedKeys(keysFile: Data(keys), app: "harbour"),
                folder: folder
            )
            configuration.languages = { languages }
            return AvailabilityClient(configuration)
        }

        private func raise(at server: RunningServer) async throws {
            let alice = try await server.admit("alice", "proposer")
            let bob = try await server.admit("bob", "approver")
            let edit = Edits.setValue("ios", "minimumApp", "3.2.0")
            let proposed = try await server.propose([edit], as: alice)
            let approved = try await server.decide("approve", on: proposed, as: bob)
            try #require(approved.status == 200, "\(approved.json)")
        }

        private func rollBack(to base: Int64, at server: RunningServer) async throws {
            let rita = try await server.admit("rita", "responder")
            let back = try await server.plimsoll(
                [
                    "rollback", "--to-event", "\(base)", "--undoing", "1", "--yes", "--reason",
                    "3.2.0 is not out",
                ],
                as: rita
            )
            try #require(back.status == 0, "\(back.errors)")
        }
    }
}
