import Foundation
import PlimsollAPI
import PlimsollLog
import Subprocess
import Testing

/// The witness's own machine: its key and what it has seen.
struct Watch {
    private let fixture: ServerFixture
    private let key: VerifierKey
    private let folder: URL

    /// Makes the key first, so that the service can be told of it.
    init(_ fixture: ServerFixture) throws {
        self.fixture = fixture
        folder = fixture.folder.appending(path: "witness")
        let name = try #require(KeyName("witness.example.com"))
        let signer = SignerKey(name: name, kind: .cosignature)
        key = signer.verifierKey
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let file = folder.appending(path: "key").path
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        let text = Data(signer.secretText.utf8)
        try #require(
            FileManager.default.createFile(atPath: file, contents: text, attributes: attributes)
        )
    }

    /// Trusts what the log has signed, and this witness has cosigned.
    var trust: LogTrust {
        get throws {
            let file = fixture.data.appending(path: "export/log/key")
            let logKey = try String(contentsOf: file, encoding: .utf8)
            return LogTrust(
                logKeys: [try VerifierKey(parsing: String(logKey.dropLast()))],
                witnesses: [key],
                witnessesNeeded: 1
            )
        }
    }

    /// What the service is started with, so that it knows the witness.
    var known: [String: String] { ["PLIMSOLL_LOG_WITNESSES": key.text] }

    var keyText: String { key.text }

    func look(
        at log: String,
        _ server: RunningServer,
        as token: String,
        _ environment: [String: String] = [:]
    ) async throws -> Outcome {
        try await Program.run(
            try Program.plimsoll(),
            arguments(log) + ["--once"],
            environment: caller(server, token).merging(environment) { $1 }
        )
    }

    /// Runs the witness as a process of its own until the body is done, or it ends by itself.
    func watching(
        _ log: String,
        _ server: RunningServer,
        as token: String,
        _ body: (RunningProgram) async throws -> Void
    ) async throws -> TerminationStatus {
        try await Program.whileRunning(
            arguments(log) + ["--every", "1s", "--listen", "127.0.0.1:0"],
            log: fixture.folder.appending(path: "witness.log"),
            environment: caller(server, token),
            body
        )
    }

    private func arguments(_ log: String) -> [String] {
        [
            "witness", "--log", log,
            "--log-key", fixture.data.appending(path: "export/log/key").path,
            "--key", folder.appending(path: "key").path,
            "--state", folder.appending(path: "state").path,
        ]
    }

    private func caller(_ server: RunningServer, _ token: String) throws -> [String: String] {
        ["PLIMSOLL_URL": "http://\(try server.rest())", "PLIMSOLL_TOKEN": token]
    }

    func seen() throws -> MerkleRoot {
        let file = folder.appending(path: "state/checkpoint")
        return try SignedCheckpoint(parsing: Array(Data(contentsOf: file))).checkpoint.root
    }

    func alarms() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "state").path)
            .count { $0.hasPrefix("alarm-") }
    }

    /// Waits until the witness has seen a checkpoint over the whole log.
    func waitUntilSeen(on server: RunningServer) async throws {
        try await eventually("what the witness has seen") {
            let count = try await server.settle().count
            // There is nothing before the first look.
            return (try? seen())?.size == count ? () : nil
        }
    }

    /// Waits until the line stands in the folder, at the edge and in what auditors get.
    func waitForLine(on server: RunningServer, as auditor: String) async throws {
        let trust = try trust
        let all = try await eventually("the witness's line everywhere") {
            let shown = [
                try fixture.checkpoint().bytes,
                try await server.phone("/distribution/log/checkpoint").body,
                try await server.send(.get, "/v1/log/checkpoint", as: auditor).answer.body,
            ]
            let isEverywhere = try shown.allSatisfy { note in
                let signed = try SignedCheckpoint(parsing: note)
                guard case .verified = signed.verification(by: trust) else { return false }
                return true
            }
            return isEverywhere ? shown : nil
        }
        #expect(Set(all).count == 1)
    }
}
