import Foundation
import PlimsollAPI
import PlimsollJSON
import PlimsollLog
import Subprocess
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// What is proven from addresses alone, and what contradicts them.
    @Suite struct PublicProofTests {
        // Goal: the public listener is enough to prove a snapshot, and a log that forked behind it
        // is named. Method: a copy of the export gets another history, signed with the real key,
        // and an edge of its own.
        @Test func `a snapshot is proven from the edge alone, and a fork is named`() async throws {
            try await ServerFixture.with { fixture in
                let trusted = try await fixture.publish()
                let stranger = SignerKey(
                    name: try fixture.logSigner().verifierKey.name,
                    kind: .note
                ).verifierKey.text
                try await fixture.edge(over: fixture.export) { address in
                    let place = "http://\(address)/distribution/harbour"
                    let proven = try await plimsoll(
                        ["verify", "snapshot", place, "--format", "table"] + trusted
                    )
                    #expect(proven.status == 0, "\(proven.errors)")
                    #expect(proven.output.contains("the log recorded exactly this manifest"))
                    #expect(proven.output.contains("said by the service, and not proven by this"))
                    try await expectDocuments(at: address, trusted)
                    let other = try await plimsoll(
                        ["verify", "snapshot", place, "--log-key", stranger] + trusted.prefix(2)
                    )
                    #expect(other.status == 8)
                    #expect(other.errors.contains("proof.json"))
                }
                let forked = try await fixture.copyOfExport("forked")
                try fixture.fork(forked)
                try await fixture.edge(over: forked) { address in
                    let place = "http://\(address)/distribution/harbour"
                    let found = try await plimsoll(["verify", "snapshot", place] + trusted)
                    #expect(found.status == 8)
                    #expect(found.errors.contains("the log forked"), "\(found.errors)")
                }
            }
        }

        /// One document by its address is proven as the whole snapshot is.
        private func expectDocuments(at edge: String, _ trusted: [String]) async throws {
            for path in ["availability-ios", "harbour/prince-of-versions.json"] {
                let url = "http://\(edge)/distribution/\(path)"
                let asked = ["verify", "url", url, "--format", "table"]
                let proven = try await plimsoll(asked + trusted)
                #expect(proven.status == 0, "\(proven.errors)")
                #expect(proven.output.contains("the log recorded exactly this manifest"))
                let signed = try await plimsoll(asked + trusted.prefix(2))
                #expect(signed.status == 0)
                #expect(signed.output.contains("not checked: whether the log recorded it"))
                let stranger = try #require(KeyName("log.example.com/other"))
                let key = SignerKey(name: stranger, kind: .note).verifierKey.text
                let refused = try await plimsoll(
                    ["verify", "url", url, "--log-key", key] + trusted.prefix(2)
                )
                #expect(refused.status == 8)
                #expect(refused.errors.contains("proof.json"))
            }
        }

        // Goal: what was live at a time is proven by an edge alone, and an edge that has no folder
        // says so. Method: two publications, and one second behind the first.
        @Test func `what was live at a time is proven from the edge alone`() async throws {
            try await ServerFixture.with { fixture in
                let trusted = try await fixture.publish()
                let first = try fixture.current()
                try await fixture.run { server in
                    try await Team(server, called: "others").setMinimum("3.2.0", "The second.")
                    try await server.waitForCheckpoint()
                    try await server.waitForSnapshotProof()
                }
                // A start lists what is kept.
                let second = try fixture.current()
                try await fixture.run { _ in
                    try await eventually("the list of both") {
                        try fixture.list().contains("\(second.sequence)") ? () : nil
                    }
                }
                try await fixture.edge(over: fixture.export) { address in
                    let url = "http://\(address)/distribution/availability-ios"
                    let asked = ["verify", "url", url] + trusted
                    let then = try await plimsoll(asked + ["--at", first.issuedAt])
                    #expect(then.status == 0, "\(then.errors)")
                    let told = try JSONValue(parsing: Array(then.output.utf8))
                    #expect(told["sequence"]?.integer == first.sequence)
                    #expect(told["supersededAt"]?.string == second.issuedAt)
                    #expect(told["proof"]?["position"] != nil)
                    let now = try await plimsoll(asked + ["--at", "now"])
                    #expect(try now.member("sequence")?.integer == second.sequence)
                    let named = try await plimsoll(asked + ["--sequence", "\(first.sequence)"])
                    #expect(try named.member("issuedAt")?.string == first.issuedAt)
                    let before = try await plimsoll(asked + ["--at", "2020-01-01T00:00:00Z"])
                    #expect(before.status == 1 && before.errors.contains("The oldest snapshot"))
                    let unnamed = try await plimsoll(
                        ["verify", "url", url, "--at", "now"] + trusted.prefix(2)
                    )
                    #expect(unnamed.status == 2)
                }
                // The list is not signed, so what it says is held against what is.
                try fixture.list().replacing(first.issuedAt, with: "2026-01-01T00:00:00.000Z")
                    .write(to: fixture.listFile, atomically: true, encoding: .utf8)
                try await fixture.edge(over: fixture.export) { address in
                    let url = "http://\(address)/distribution/availability-ios"
                    let lied = try await plimsoll(
                        ["verify", "url", url, "--at", "2026-01-02T00:00:00Z"] + trusted
                    )
                    #expect(lied.status == 8)
                    #expect(lied.errors.contains("another one than was listed"))
                }
            }
        }

        // Goal: a record that was written out proves itself, and no event behind its checkpoint counts.
        // Method: the command line writes it out; then its end forgets the checkpoint.
        @Test func `a record is verified without the service, as far as it was signed`()
            async throws
        {
            try await ServerFixture.with { fixture in
                let file = fixture.folder.appending(path: "record.ndjson")
                try await fixture.run { server in
                    try await Team(server).setMinimum("3.1.0", "The first.")
                    try await server.waitForCheckpoint()
                    let words = ["history", "--format", "ndjson", "--order", "oldest", "--entries"]
                    let written = try await server.plimsoll(words, as: fixture.adminToken())
                    #expect(written.status == 0, "\(written.errors)")
                    try Data(written.output.utf8).write(to: file)
                }
                let key = ["--log-key", fixture.export.appending(path: "log/key").path]
                let verify = ["verify", "events", file.path]
                let good = try await plimsoll(verify + key)
                #expect(good.status == 0, "\(good.errors)")
                let count = try good.member("events")?.integer
                #expect(try good.member("covered")?.integer == count)
                #expect(try await plimsoll(verify).status == 2)

                var lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                let end = try JSONValue(parsing: Array(lines.removeLast().utf8))
                var told = try #require(end["end"]?.object)
                told["checkpoint"] = .null
                let last = JSONValue.object(["end": .object(told)]).canonicalBytes()
                let text =
                    lines.joined(separator: "\n") + "\n" + String(decoding: last, as: UTF8.self)
                try Data((text + "\n").utf8).write(to: file)
                let unsigned = try await plimsoll(verify + key)
                #expect(unsigned.status == 8)
                #expect(unsigned.errors.contains("No checkpoint covers events 1 to"))
                #expect(try unsigned.member("verified")?.bool == false)
                let claimed = try await plimsoll(verify + key + ["--allow-uncovered"])
                #expect(claimed.status == 0, "\(claimed.errors)")
                #expect(try claimed.member("covered")?.integer == 0)
            }
        }

        @Test func `a log is held against a checkpoint at an address`() async throws {
            try await ServerFixture.with { fixture in
                let backup = fixture.folder.appending(path: "backup").path
                try await fixture.run { server in
                    try await run("backup", backup, "--data", fixture.data.path)
                    try await Team(server).setMinimum("3.1.0", "The first.")
                    try await server.waitForPublicCheckpoint()
                    let place = "http://\(try server.edge())/distribution/log/checkpoint"
                    let key = ["--log-key", fixture.export.appending(path: "log/key").path]
                    let (whole, part) = (["--data", fixture.data.path], ["--offline", backup])

                    let good = try await verifyLog(whole + ["--checkpoint", place] + key)
                    #expect(good.status == 0, "\(good.errors)")
                    let behind = try await verifyLog(part + ["--checkpoint", place] + key)
                    #expect(behind.status == 8)
                    let size = try fixture.checkpoint().checkpoint.root.size
                    #expect(behind.errors.contains("A checkpoint over \(size) events was signed"))
                    #expect(behind.errors.contains(place))
                    let nowhere = try await verifyLog(whole + ["--checkpoint", place + "s"] + key)
                    #expect(nowhere.status == 1)
                    #expect(nowhere.errors.contains("There is no checkpoint at \(place)s"))
                    let unnamed = try await verifyLog(whole + ["--checkpoint", place])
                    #expect(unnamed.status == 2)
                }
            }
        }

        // Goal: a checkpoint that somebody else keeps finds out an older database, though nothing
        // on the service's own disk speaks of what is lost; the operator is told where it is.
        @Test func `an older database is found out by a checkpoint at an address`() async throws {
            try await ServerFixture.with { fixture in
                let cluster = fixture.data.appending(path: "postgres").path
                let older = fixture.folder.path + "/older"
                _ = try await fixture.publish()
                try await output(of: "cp", ["-a", cluster, older])
                try await fixture.run { server in
                    try await Team(server, called: "others").setMinimum("3.2.0", "The second.")
                    try await server.waitForCheckpoint()
                }
                let root = try fixture.checkpoint().checkpoint.root
                let mirror = try await fixture.copyOfExport("mirror")
                try await output(of: "rm", ["-r", cluster, fixture.export.path + "/log"])
                try await output(of: "mv", [older, cluster])
                try await fixture.edge(over: mirror) { address in
                    let place = "http://\(address)/distribution/log/checkpoint"
                    try await expectAlarm(fixture, place, root)
                }
            }
        }

        private func expectAlarm(
            _ fixture: ServerFixture,
            _ place: String,
            _ root: MerkleRoot
        ) async throws {
            try await fixture.run(.edge, environment: ["PLIMSOLL_LOG_OUTSIDE": place]) { server in
                let told = try await eventually("what the operator is told") {
                    let text = try fixture.announcementText()
                    return text.contains("reads only") ? text : nil
                }
                #expect(told.contains("a checkpoint over \(root.size) was published (\(place))"))
                #expect(told.contains("an older database was restored, or events were lost"))
                #expect(told.contains("--accept-log \(root.size):\(root.hash)"))
                let refused = try await server.propose(
                    [Edits.setValue("ios", "minimumApp", .string("9.9.9"))],
                    as: fixture.adminToken()
                )
                #expect(refused.status == 503)
                #expect(refused.json["type"]?.string == "/problems/log-behind")
                #expect(refused.json["detail"]?.string?.contains(place) == true)
                #expect(try await server.published().text("en") == "The second.")
            }
        }

        private func plimsoll(_ arguments: [String]) async throws -> Outcome {
            try await Program.run(try Program.plimsoll(), arguments)
        }

        private func verifyLog(_ arguments: [String]) async throws -> Outcome {
            try await plimsoll(["verify", "log"] + arguments)
        }

        private func run(_ arguments: String...) async throws {
            let outcome = try await plimsoll(arguments)
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
    }
}

extension Outcome {
    fileprivate func member(_ name: String) throws -> JSONValue? {
        try JSONValue(parsing: Array(output.utf8))[name]
    }
}

extension RunningServer {
    /// Waits until what is current lies there with its proof.
    func waitForSnapshotProof() async throws {
        let file = fixture.data.appending(path: "export/current/harbour/proof.json")
        try await eventually("the proof of what is current") {
            FileManager.default.fileExists(atPath: file.path) ? () : nil
        }
    }
}

extension ServerFixture {
    fileprivate var export: URL { data.appending(path: "export") }

    /// Publishes a snapshot that names an earlier checkpoint, under a later one; answers the options
    /// with the keys that are trusted.
    fileprivate func publish() async throws -> [String] {
        try await run { server in
            try await server.waitForCheckpoint()
            try await Team(server).setMinimum("3.1.0", "The first.")
            try await server.waitForCheckpoint()
            try await server.waitForSnapshotProof()
        }
        return [
            "--key", export.appending(path: "keys.json").path,
            "--log-key", export.appending(path: "log/key").path,
        ]
    }

    fileprivate var listFile: URL { export.appending(path: "snapshots/harbour/index.json") }

    /// Which snapshots are kept.
    fileprivate func list() throws -> String {
        (try? String(contentsOf: listFile, encoding: .utf8)) ?? ""
    }

    /// What the manifest of what is current says.
    fileprivate func current() throws -> (sequence: Int64, issuedAt: String) {
        let file = export.appending(path: "current/harbour/manifest.json")
        let manifest = try JSONValue(parsing: Array(try Data(contentsOf: file)))
        return (
            try #require(manifest["sequence"]?.integer), try #require(manifest["issuedAt"]?.string)
        )
    }

    /// Lends the address of an edge of its own that serves the folder.
    fileprivate func edge(
        over folder: URL,
        _ body: (String) async throws -> Void
    ) async throws {
        let end = try await Program.whileRunning(
            [
                "edge", "--from", folder.path, "--listen", "127.0.0.1:0",
                "--keys", folder.appending(path: "keys.json").path,
            ],
            log: self.folder.appending(path: "edge.log")
        ) { edge in
            let address = try await edge.address(after: "address.bound=")
            try await eventually("the snapshot and the log at the edge") { () -> Void? in
                for name in ["harbour/proof.json", "log/checkpoint"] {
                    let url = "http://\(address)/distribution/\(name)"
                    guard try await transport.send(WebRequest(.get, url)).status == 200 else {
                        return nil
                    }
                }
                return ()
            }
            try await body(address)
        }
        #expect(end == .exited(0))
    }

    /// Puts a history with another first event in the place of the published one, signed as well.
    fileprivate func fork(_ copy: URL) throws {
        let size = try checkpoint().checkpoint.root.size
        let address = try #require(TileAddress(.hashes(level: 0), index: 0, width: size))
        let file = copy.appending(path: "log/\(address.path)")
        let tile = try #require(HashTile(address, bytes: Array(Data(contentsOf: file))))
        var tree = TileBuilder()
        for leaf in [.leaf([1])] + tile.hashes.dropFirst() { _ = tree.append(leaf: leaf) }
        for tile in tree.partialTiles {
            try Data(tile.bytes).write(to: copy.appending(path: "log/\(tile.address.path)"))
        }
        let signed = try logSigner().sign(tree.root)
        try Data(signed.bytes).write(to: copy.appending(path: "log/checkpoint"))
    }
}
