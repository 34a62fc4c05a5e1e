import Foundation
import PlimsollAPI
import PlimsollJSON
import PlimsollLog
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// What somebody proves who trusts nobody here, with the program and published files.
    @Suite struct ProofTests {
        // Goal: a snapshot is proven from files and keys alone, made anew from the record, and
        // every file that is changed is named.
        // Method: one service publishes a change; files are changed in copies of its export.
        @Test func `a snapshot is proven, and what was changed in it is named`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    // A snapshot that is made before there is any checkpoint names none.
                    try await server.waitForProof()
                    try await Team(server).setMinimum("3.1.0", "The first.")
                    try await server.waitForProof()
                    let token = try fixture.adminToken()
                    let verified = try await server.plimsoll(
                        fixture.verification(of: fixture.export) + ["--replay"],
                        as: token
                    )
                    try #require(verified.status == 0, "\(verified.errors)")
                    let json = try JSONValue(parsing: Array(verified.output.utf8))
                    #expect(json["verified"]?.bool == true)
                    #expect(json["replayed"]?.bool == true)
                    #expect(json["unproven"] == nil)
                    #expect(json["basis"]?["policy"]?.integer == 0)
                    #expect(json["basis"]?["changes"]?.array?.isEmpty == false)
                    #expect(json["proof"]?["position"]?.integer != nil)
                    try await expectBasis(fixture, server)
                    try await expectNamed(fixture, server)
                }
            }
        }

        /// The manifest says who approved what is in it.
        private func expectBasis(
            _ fixture: ServerFixture,
            _ server: RunningServer
        ) async throws {
            let file = fixture.export.appending(path: "current/harbour/manifest.json")
            let manifest = try JSONValue(parsing: Array(Data(contentsOf: file)))
            let events = try await server.settle()
            let applied = try #require(events.last { $0["type"]?.string == "ChangeApplied" })
            let approved = try #require(events.last { $0["type"]?.string == "ChangeApproved" })
            let change = try #require(manifest["basis"]?["changes"]?.array?.last)
            #expect(change["position"] == applied["position"])
            #expect(change["digest"] == applied["data"]?["digest"])
            #expect(change["approvals"]?.array?.first?["by"]?.string != nil)
            #expect(change["approvals"]?.array?.first?["position"] == approved["position"])
            let size = try #require(manifest["checkpoint"]?["size"]?.integer)
            let told = try #require(events.last { $0["type"]?.string == "SnapshotPublished" })
            #expect(size < (told["position"]?.integer ?? 0))
        }

        private func expectNamed(_ fixture: ServerFixture, _ server: RunningServer) async throws {
            let damages: [(file: String, named: String)] = [
                ("current/harbour/availability-ios", "availability-ios"),
                ("current/harbour/manifest.json", "manifest.json"),
                ("current/harbour/proof.json", "proof.json"),
                ("log/checkpoint", "checkpoint"),
            ]
            for (index, damage) in damages.enumerated() {
                let copy = try await fixture.copyOfExport("copy-\(index)")
                let file = copy.appending(path: damage.file)
                var bytes = Array(try Data(contentsOf: file))
                bytes[bytes.count / 2] ^= 1
                try Data(bytes).write(to: file)
                let refused = try await server.plimsoll(
                    fixture.verification(of: copy),
                    as: fixture.adminToken()
                )
                #expect(refused.status == 8)
                #expect(refused.errors.contains(damage.named), "\(refused.errors)")
            }
        }

        // Goal: a backup made while the service runs comes back as it was, in a private PostgreSQL
        // that restore starts, and the service goes on there with its export and keys.
        @Test func `a backup comes back, and the service goes on from it`() async throws {
            try await ServerFixture.with { fixture in
                let backup = fixture.folder.appending(path: "backup").path
                try await fixture.run { server in
                    try await Team(server).setMinimum("3.1.0", "The first.")
                    try await server.waitForProof()
                    try await output(
                        of: Program.plimsoll(),
                        ["backup", backup, "--data", fixture.data.path]
                    )
                }
                try await output(of: Program.plimsoll(), ["verify", "log", "--offline", backup])
                try await output(of: "rm", ["-r", fixture.data.appending(path: "postgres").path])
                try await output(
                    of: Program.plimsoll(),
                    ["restore", backup, "--data", fixture.data.path]
                )
                let again = try await Program.run(
                    try Program.plimsoll(),
                    ["restore", backup, "--data", fixture.data.path]
                )
                #expect(again.status == 1)
                #expect(again.errors.contains("empty"))
                try await fixture.run { server in
                    let copy = fixture.folder.appending(path: "second").path
                    #expect(try await server.published().text("en") == "The first.")
                    try await Team(server, called: "others").setMinimum("3.2.0", "The second.")
                    try await fixture.expectVerified()
                    try await output(
                        of: Program.plimsoll(),
                        ["backup", copy, "--data", fixture.data.path]
                    )
                    let lines = try entries(in: copy)
                    #expect(lines.starts(with: try entries(in: backup)))
                }
            }
        }

        private func entries(in file: String) throws -> [Substring] {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            return text.split(separator: "\n").filter { $0.hasPrefix(#"{"actor":"#) }
        }
    }
}

extension ServerFixture {
    fileprivate var export: URL { data.appending(path: "export") }

    /// The keys that are trusted lie in the export itself, untouched by the test.
    fileprivate func verification(of copy: URL) -> [String] {
        [
            "verify", "snapshot", copy.appending(path: "current/harbour").path,
            "--key", export.appending(path: "keys.json").path,
            "--log-key", export.appending(path: "log/key").path,
        ]
    }
}

extension RunningServer {
    /// Waits until a checkpoint covers all that is in the log, and the proof of what is current is
    /// there.
    fileprivate func waitForProof() async throws {
        try await eventually("a checkpoint over the whole log") {
            let count = try await settle().count
            let file = fixture.export.appending(path: "log/checkpoint")
            // There is none before the first.
            let bytes = (try? Data(contentsOf: file)) ?? Data()
            let signed = try? SignedCheckpoint(parsing: Array(bytes))
            return signed?.checkpoint.root.size == count ? () : nil
        }
        try await waitForSnapshotProof()
    }
}
