import Foundation
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// People sign what they approve, and a stranger sees that they did.
    @Suite struct SignedRoadTests {
        private static let document = "availability-ios"
        private static let files = [
            document, "manifest.json", "manifest.json.sig", "proof.json",
        ]

        /// What a proof is made of.
        private static let links = ["proof.json", "checkpoint", "change "]

        // Goal: from a phone's document to two persons' keys, with public files and one script.
        // Method: two people approve with keys that OpenSSH made; a folder of its own has what curl
        // fetched and the script, and in copies of it one bit of each file is another.
        @Test func `a stranger goes from a document to two persons, and no link can be altered`()
            async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let people = try await Signers(server, in: fixture.folder)
                    try await people.applySigned()
                    try await server.waitForSignedProof()
                    let seen = try await fetch(server, into: "seen")
                    try await expectShown(people, seen, fixture)
                    try await expectLinks(seen, fixture)
                    try await expectProgram(server, fixture)
                    let log = try await server.plimsoll(
                        ["verify", "log", "--data", fixture.data.path],
                        as: fixture.adminToken()
                    )
                    try #require(log.status == 0, "\(log.errors)")
                    let found = try JSONValue(parsing: Array(log.output.utf8))
                    #expect(found["approvals"]?["signed"]?.integer == 2)
                }
            }
        }

        @Test func `a stolen token approves nothing, nor does a key that was revoked`()
            async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let people = try await Signers(server, in: fixture.folder)
                    let change = try await people.propose("4.1.0")
                    let bare = try await server.decide("approve", on: change, as: people.bob)
                    #expect(bare.status == 422 && bare.codes == ["signatureNeeded"])
                    let id = try #require(change.json["id"]?.string)
                    let approve = ["change", "approve", id, "--yes", "--sign-with"]
                    let foreign = try await server.plimsoll(
                        approve + [people.keys + "/carol"],
                        as: people.bob
                    )
                    #expect(foreign.errors.contains("You do not sign with"), "\(foreign.errors)")
                    let half = try await server.plimsoll(
                        approve + [people.keys + "/bob"],
                        as: people.bob
                    )
                    #expect(half.status == 6, "\(half.errors)")
                    let trial = ["change", "approve", id, "--yes", "--dry-run"]
                    let tried = try await server.plimsoll(trial, as: people.carol)
                    #expect(tried.status == 0, "\(tried.errors)")
                    #expect(tried.output.contains(#""state":"applied""#), "\(tried.output)")
                    let revoke = ["identity", "revoke", "bob", people.keys + "/bob.pub", "--yes"]
                    let revoked = try await server.plimsoll(revoke, as: people.bob)
                    #expect(revoked.status == 0, "\(revoked.errors)")
                    let path = "/v1/changes/\(id)"
                    let open = try await server.send(.get, path, as: fixture.adminToken())
                    let void = open.json["approvals"]?.array?.first?["void"]
                    #expect(void?["cause"]?.string == "keyRevoked", "\(open.json)")
                }
            }
        }

        /// As a stranger does, in a folder that has nothing of the project.
        private func fetch(_ server: RunningServer, into name: String) async throws -> URL {
            let folder = server.fixture.folder.appending(path: name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for file in Self.files {
                let place = "http://\(try server.edge())/distribution/harbour/\(file)"
                // The edge has the proof a moment after the folder.
                try await eventually("\(file) at the edge") {
                    let fetched = try await Program.run(
                        "curl",
                        ["-fsS", "-o", folder.appending(path: file).path, place]
                    )
                    return fetched.status == 0 ? () : nil
                }
            }
            return folder
        }

        private func verify(
            _ folder: URL,
            _ fixture: ServerFixture,
            persons: Int = 2
        ) async throws -> Outcome {
            let export = fixture.data.appending(path: "export")
            let keys = export.appending(path: "keys")
            let names = try FileManager.default.contentsOfDirectory(atPath: keys.path)
            let key = try #require(names.first { $0.hasSuffix(".pem") })
            let script = fixture.folder.appending(path: "verify.py")
            if !FileManager.default.fileExists(atPath: script.path) {
                try FileManager.default.copyItem(at: Self.script, to: script)
            }
            return try await Program.run(
                StoreProcess.python,
                [
                    script.path, "--key", keys.appending(path: key).path,
                    "--log-key", export.appending(path: "log/key").path,
                    "--persons", "\(persons)", folder.path, Self.document,
                ]
            )
        }

        private static let script = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Examples/verify/verify.py")

        private func expectShown(
            _ people: Signers,
            _ seen: URL,
            _ fixture: ServerFixture
        ) async throws {
            let shown = try await verify(seen, fixture)
            try #require(shown.status == 0, "\(shown.errors)")
            #expect(shown.output.contains(#""ios.minimumApp.value" = "4.0.0": change "#))
            #expect(shown.output.contains("signed by 2 persons"))
            for name in ["bob", "carol"] {
                #expect(shown.output.contains(try await people.fingerprint(name)))
            }
            let more = try await verify(seen, fixture, persons: 3)
            #expect(more.status == 1 && more.errors.contains("fewer persons than 3"))
        }

        /// With one bit of a file another it is refused, wherever the bit is.
        private func expectLinks(_ seen: URL, _ fixture: ServerFixture) async throws {
            for file in Self.files {
                let original = try Data(contentsOf: seen.appending(path: file))
                for step in 1...9 {
                    var bytes = original
                    bytes[bytes.count * step / 10] ^= 1
                    let copy = fixture.folder.appending(path: "\(step)-\(file)")
                    try FileManager.default.copyItem(at: seen, to: copy)
                    try bytes.write(to: copy.appending(path: file))
                    let refused = try await verify(copy, fixture)
                    #expect(refused.status == 1, "\(file), step \(step): \(refused.output)")
                    let named = file == "proof.json" ? Self.links : [file, "manifest.json"]
                    #expect(
                        named.contains { refused.errors.contains("refused at \($0)") }
                            || refused.errors.contains("refused: a file"),
                        "\(file), step \(step): \(refused.errors)"
                    )
                }
            }
        }

        /// The program says the same, and refuses what fewer signed.
        private func expectProgram(
            _ server: RunningServer,
            _ fixture: ServerFixture
        ) async throws {
            let export = fixture.data.appending(path: "export")
            let place = "http://\(try server.edge())/distribution/harbour"
            let trusted = [
                "--key", export.appending(path: "keys.json").path,
                "--log-key", export.appending(path: "log/key").path,
            ]
            let shown = try await plimsoll(["verify", "snapshot", place] + trusted)
            try #require(shown.status == 0, "\(shown.errors)")
            let json = try JSONValue(parsing: Array(shown.output.utf8))
            let signed = try #require(json["proof"]?["decisions"]?["signed"]?.array?.first)
            #expect(signed["persons"]?.array?.count == 2)
            #expect(signed["fields"]?.array?.contains("ios.minimumApp.value") == true)
            let url = ["verify", "url", place + "/" + Self.document] + trusted
            let enough = try await plimsoll(url + ["--persons", "2"])
            #expect(enough.status == 0, "\(enough.errors)")
            // Of the other documents nobody has signed anything.
            let all = ["verify", "snapshot", place, "--persons", "1"] + trusted
            #expect(try await plimsoll(all).status == 8)
            let prince = ["verify", "url", place + "/prince-of-versions.json", "--persons", "1"]
            #expect(try await plimsoll(prince + trusted).status == 8)
            let refused = try await plimsoll(url + ["--persons", "3"])
            #expect(refused.status == 8)
            #expect(refused.errors.contains("ios.minimumApp.value is not."), "\(refused.errors)")
        }

        private func plimsoll(_ arguments: [String]) async throws -> Outcome {
            try await Program.run(try Program.plimsoll(), arguments)
        }
    }
}

extension RunningServer {
    /// Waits until the proof of what is current has what persons signed.
    fileprivate func waitForSignedProof() async throws {
        let file = fixture.data.appending(path: "export/current/harbour/proof.json")
        try await eventually("what persons signed, in the proof of what is current") {
            let bytes = (try? Data(contentsOf: file)) ?? Data()
            let json = try? JSONValue(parsing: Array(bytes))
            return json?["changes"]?.array?.isEmpty == false ? () : nil
        }
    }
}

/// Two people with keys of their own, in an app whose policy counts nothing else.
private struct Signers {
    let server: RunningServer
    let keys: String
    let alice: String
    let bob: String
    let carol: String

    init(_ server: RunningServer, in folder: URL) async throws {
        self.server = server
        keys = folder.path
        alice = try await server.admit("alice", "proposer")
        bob = try await server.admit("bob", "approver")
        carol = try await server.admit("carol", "approver")
        for (name, kind) in [("bob", "ed25519"), ("carol", "ecdsa")] {
            let make = ["-q", "-t", kind, "-b", "256", "-N", "", "-C", "", "-f", "\(keys)/\(name)"]
            try await output(of: "ssh-keygen", make)
            try await plimsoll(["identity", "add", name, "\(keys)/\(name).pub"], as: admin())
        }
        let approvals = #"{"approvals":[{"count":2,"role":"approver","signedBy":"person"}]}"#
        let kinds = ["raiseMinimum", "lowerMinimum", "recommendation", "text"]
        let rules = kinds.map { #""\#($0)":\#(approvals)"# }.joined(separator: ",")
        let policy = folder.appending(path: "policy.json")
        try Data(#"{"rules":{\#(rules)}}"#.utf8).write(to: policy)
        try await plimsoll(["policy", "apply", "harbour", policy.path, "--yes"], as: admin())
    }

    private func admin() throws -> String { try server.fixture.adminToken() }

    private func plimsoll(_ arguments: [String], as token: String) async throws {
        let outcome = try await server.plimsoll(arguments, as: token)
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    func fingerprint(_ name: String) async throws -> String {
        let line = try await output(of: "ssh-keygen", ["-l", "-f", "\(keys)/\(name).pub"])
        return try #require(line.split(separator: " ").dropFirst().first.map(String.init))
    }

    /// All that the document says, and nothing of what it said before.
    func propose(_ version: String) async throws -> Reply {
        var edits: [JSONValue] = ["minimumOS", "recommendedApp", "recommendedOS"].map {
            ["op": "clearThreshold", "platform": "ios", "threshold": .string($0)]
        }
        edits.append(Edits.setValue("ios", "minimumApp", .string(version)))
        for language in ["en", "en-GB", "cy", "de", "ar"] {
            edits.append(Edits.setText("ios", "description", language, "\(version), \(language)"))
            edits.append(Edits.setText("ios", "title", language, "Update \(language)"))
        }
        let proposed = try await server.propose(.array(edits), as: alice)
        try #require(proposed.status == 201, "\(proposed.json)")
        return proposed
    }

    func applySigned() async throws {
        let change = try await propose("4.0.0")
        let id = try #require(change.json["id"]?.string)
        let digest = try #require(change.json["digest"]?.string)
        let approve = ["change", "approve", id, "--digest", digest, "--sign-with"]
        let half = try await server.plimsoll(approve + ["\(keys)/bob"], as: bob)
        try #require(half.status == 6, "\(half.errors)")
        try await plimsoll(approve + ["\(keys)/carol"], as: carol)
    }
}
