import Foundation
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

/// What people sign with keys of their own, against a real HTTP server and OpenSSH.
struct SigningTests {
    private typealias Reply = ScriptedService.Reply

    private static let approval = "POST /v1/changes/17/approve"

    private func withKey(_ body: (_ file: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "key").path
        let arguments = ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", file]
        try await output(of: "ssh-keygen", arguments)
        try await body(file)
    }

    /// A change with the digest that follows from what it shows, or that the service says it has.
    private func change(saying digest: ChangeDigest? = nil) throws -> (ChangeAnswer, ChangeDigest) {
        let sample = try Samples.change(.proposed)
        let follows = ChangeDigest(
            of: ChangeContent(
                app: sample.summary.app,
                operations: sample.operations,
                schedule: nil,
                effect: sample.effect
            )
        )
        let change = ChangeAnswer(
            summary: sample.summary,
            reason: nil,
            operations: sample.operations,
            effect: sample.effect,
            digest: digest ?? follows,
            outcome: ChangeOutcome()
        )
        return (change, follows)
    }

    private var identity: Reply {
        Reply(
            IdentityAnswer(
                principal: Samples.alice,
                name: "alice",
                roles: [],
                token: nil,
                expiresAt: nil
            )
        )
    }

    @Test func `what is shown is signed, by the key that is named`() async throws {
        let (change, digest) = try change()
        let script = [
            "GET /v1/changes/17": [Reply(change)], "GET /v1/me": [identity],
            Self.approval: [Reply(try Samples.change(.applied))],
        ]
        try await withKey { file in
            try await ScriptedService.with(script) { service, url in
                let command = ["change", "approve", "17", "--yes", "--sign-with", file]
                #expect(try await plimsoll(command, service: url).code == 0)
                let body = try service.seen.last { $0.path == "/v1/changes/17/approve" }?.json()
                let key = try #require(body?["signature"]?["key"]?.string.flatMap(PersonKey.init))
                let time = body?["signature"]?["signedAt"]?.string
                let signature = try PersonSignature(
                    key: key,
                    signedAt: #require(time.flatMap(Instant.init(rfc3339:))),
                    value: #require(body?["signature"]?["value"]?.string)
                )
                let statement = ApprovalStatement(
                    app: change.summary.app,
                    change: change.summary.id,
                    digest: digest,
                    approver: Samples.alice,
                    signedAt: signature.signedAt
                )
                #expect(signature.signs(statement))
                let line = try String(contentsOfFile: file + ".pub", encoding: .utf8)
                #expect(line.hasPrefix(key.text))
            }
        }
    }

    // Goal: an approval that is signed anew is the same one under its key, whatever its comment says.
    @Test func `a signed approval with a comment says the same of itself each time`() async throws {
        let (change, _) = try change()
        let script = [
            "GET /v1/changes/17": [Reply(change)], "GET /v1/me": [identity],
            Self.approval: [Reply(try Samples.change(.applied))],
        ]
        try await withKey { file in
            try await ScriptedService.with(script) { service, url in
                var inputs: [String?] = []
                for comment in ["Geprüft, und gut.", "Geprüft, und gut.", "Nicht geprüft"] {
                    let run = try await plimsoll(
                        [
                            "change", "approve", "17", "--yes", "--sign-with", file, "--comment",
                            comment, "--idempotency-key", "k",
                        ],
                        service: url
                    )
                    #expect(run.code == 0, "\(run)")
                    let sent = try service.seen.last { $0.method == "POST" }?.json()
                    #expect(sent?["signature"]?["value"] != nil)
                    inputs.append(service.input)
                }
                #expect(inputs[0] == inputs[1] && inputs[0] != inputs[2])
                #expect(inputs.allSatisfy { $0?.utf8.count == 64 })
            }
        }
    }

    @Test func `a change that is closed is signed by nobody, and asked about again under a key`()
        async throws
    {
        let sample = try Samples.change(.withdrawn)
        let script = [
            "GET /v1/changes/17": [Reply(sample)], "GET /v1/me": [identity],
            Self.approval: [Reply(try Samples.change(.applied))],
        ]
        try await withKey { file in
            try await ScriptedService.with(script) { service, url in
                let command = ["change", "approve", "17", "--yes", "--sign-with", file]
                let run = try await plimsoll(command + ["--idempotency-key", "k"], service: url)
                #expect(run.code == 0, "\(run)")
                let sent = try service.seen.last { $0.method == "POST" }?.json()
                #expect(sent?["signature"] ?? .null == .null)
            }
        }
    }

    // Goal: nobody signs one thing and sees another.
    @Test func `where the service says another digest than what it shows nothing is signed`()
        async throws
    {
        let other = try #require(ChangeDigest(hex: String(repeating: "e", count: 64)))
        let (change, _) = try change(saying: other)
        let script = ["GET /v1/changes/17": [Reply(change)], "GET /v1/me": [identity]]
        try await withKey { file in
            try await ScriptedService.with(script) { service, url in
                for named in [[], ["--digest", other.hex]] {
                    let command = ["change", "approve", "17", "--yes", "--sign-with", file] + named
                    let run = try await plimsoll(command, service: url)
                    #expect(run.code == 5, "\(run)")
                    #expect(run.errors.contains("Nothing was signed."), "\(run.errors)")
                }
                #expect(!service.requests.contains(Self.approval))
            }
        }
    }

    @Test func `a key that is not there or is none signs nothing, and says so`() async throws {
        let script = ["GET /v1/changes/17": [Reply(try change().0)], "GET /v1/me": [identity]]
        try await withKey { file in
            try Data("nonsense\n".utf8).write(to: URL(filePath: file + ".txt"))
            try await ScriptedService.with(script) { service, url in
                for wrong in [file + ".nowhere", file + ".txt", "/dev/null"] {
                    let command = ["change", "approve", "17", "--yes"]
                    let run = try await plimsoll(
                        command,
                        service: url,
                        more: ["PLIMSOLL_SIGN_WITH": wrong]
                    )
                    #expect(run.code == 1, "\(run)")
                    #expect(run.errors.contains("\(wrong) did not sign."), "\(run.errors)")
                }
                #expect(!service.requests.contains(Self.approval))
            }
        }
    }

    @Test func `keys are added by their file or line, and revoked by their fingerprint`()
        async throws
    {
        try await withKey { file in
            let line = try String(contentsOfFile: file + ".pub", encoding: .utf8)
            let key = try #require(PersonKey(String(line.prefix { !$0.isNewline })))
            let alice = PrincipalAnswer(
                id: Samples.alice,
                name: "alice",
                roles: [],
                keys: [PersonKeyAnswer(key, fingerprint: key.fingerprint)]
            )
            let standing = PrincipalStandingAnswer(principal: alice, tokensOfOthers: [])
            let (add, revoke) = (
                "POST /v1/principals/\(Samples.alice)/add-key",
                "POST /v1/principals/\(Samples.alice)/revoke-key"
            )
            let script = [
                "GET /v1/principals": [Reply(PrincipalList(principals: [alice]))],
                add: [Reply(standing)], revoke: [Reply(standing)],
            ]
            try await ScriptedService.with(script) { service, url in
                for given in [file + ".pub", key.text] {
                    let run = try await plimsoll(["identity", "add", "alice", given], service: url)
                    #expect(run.code == 0, "\(run)")
                    #expect(try service.seen.last?.json()["key"]?.string == key.text)
                }
                let gone = ["identity", "revoke", "alice", key.fingerprint]
                #expect(try await plimsoll(gone, service: url).code == 2)
                #expect(try await plimsoll(gone + ["--yes"], service: url).code == 0)
                #expect(service.requests.last == revoke)
                #expect(try service.seen.last?.json()["key"]?.string == key.text)
                let listed = try await plimsoll(
                    ["identity", "--format", "table"],
                    service: url
                )
                #expect(listed.output.contains(key.fingerprint), "\(listed)")
                let count = service.requests.count
                for wrong in ["/dev/null", "ssh-rsa AAAA", file] {
                    let run = try await plimsoll(["identity", "add", "alice", wrong], service: url)
                    #expect(run.code != 0 && !run.errors.isEmpty, "\(run)")
                }
                #expect(service.requests.count == count)
            }
        }
    }
}
