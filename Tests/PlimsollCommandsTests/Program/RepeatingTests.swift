import Foundation
import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// A command and its repetition under a key are one request, whatever was read for it in between.
struct RepeatingTests {
    private typealias Reply = ScriptedService.Reply

    private static let key = "3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"
    private static let keyed = ["--idempotency-key", "k"]

    /// What there is to read at a position; of a change that is closed no digest.
    private func script(_ digest: String?, at position: Int) throws -> [String: [Reply]] {
        var script: [String: [Reply]] = [
            "GET /v1/apps": [Reply(AppList(apps: [try Samples.app(at: position)]))],
            "GET /v1/apps/harbour": [Reply(try Samples.app(at: position))],
            "GET /v1/changes/17": [Reply(try change(digest))],
            "GET /v1/apps/harbour/policy": [Reply(try policy(at: position))],
            "PUT /v1/apps/harbour/policy": [Reply(try policy(at: 60))],
            "DELETE /v1/apps/harbour/policy": [Reply(bytes: [], .noContent)],
            "GET /v1/apps/harbour/settings": [Reply(try settings(at: position))],
            "PUT /v1/apps/harbour/settings": [Reply(try settings(at: 60))],
            "GET /v1/keys/\(Self.key)": [try signingKey(.added, at: position)],
            "POST /v1/keys/\(Self.key)/activate": [try signingKey(.active, at: 60)],
            "GET /v1/apps/harbour/prince-of-versions": [try offers(max(0, position - 40))],
            "POST /v1/apps/harbour/changes": [Reply(try Samples.change(.proposed), .created)],
        ]
        for verb in [
            "approve", "reject", "request-changes", "withdraw", "apply", "override", "schedule",
            "revise",
        ] {
            script["POST /v1/changes/17/\(verb)"] = [Reply(try Samples.change(.applied, at: 57))]
        }
        return script
    }

    private func change(_ digest: String?) throws -> ChangeAnswer {
        let sample = try Samples.change(digest == nil ? .applied : .proposed)
        return ChangeAnswer(
            summary: sample.summary,
            reason: nil,
            operations: sample.operations,
            effect: sample.effect,
            digest: digest.flatMap(ChangeDigest.init(hex:)),
            outcome: ChangeOutcome()
        )
    }

    private func policy(at position: Int) throws -> PolicyAnswer {
        PolicyAnswer(
            app: try Samples.slug(),
            source: .app,
            decision: PolicyAnswer.Decision(
                position: Position(position),
                by: Samples.alice,
                since: Samples.instant,
                reason: nil
            ),
            policy: .builtIn,
            warnings: []
        )
    }

    private func settings(at position: Int) throws -> SettingsAnswer {
        var settings = try Samples.app().settings
        if position > 42 { settings.platforms += [.macos] }
        return SettingsAnswer(
            app: try Samples.slug(),
            settings: settings,
            position: Position(position),
            by: Samples.alice,
            since: Samples.instant,
            reason: nil
        )
    }

    private func signingKey(_ state: KeyState, at position: Int) throws -> Reply {
        Reply(
            KeyAnswer(
                id: try #require(KeyID(Self.key)),
                app: try Samples.slug(),
                state: state,
                position: Position(position),
                publicKey: "-----BEGIN PUBLIC KEY-----\n"
            )
        )
    }

    private func offers(_ count: Int) throws -> Reply {
        let nothing = Array(repeating: Offer.nothing(on: .ios), count: count)
        return Reply(
            PrinceOfVersionsAnswer(
                app: try Samples.slug(),
                position: Position(57),
                document: [:],
                offers: [.ios: nothing],
                notes: []
            )
        )
    }

    /// What a command says of itself beside its key.
    private func input(
        _ command: [String],
        reading script: [String: [Reply]]
    ) async throws -> String? {
        var input: String?
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(command, service: url)
            #expect(run.code == 0, "\(command): \(run)")
            input = service.input
        }
        return input
    }

    @Test(arguments: [
        (["change", "approve", "17", "--yes"], ["--comment", "Seen"]),
        (["change", "reject", "17", "--yes", "--reason", "No"], ["--reason", "Never"]),
        (["change", "request-changes", "17", "--yes", "--reason", "No"], ["--reason", "Never"]),
        (["change", "withdraw", "17", "--yes"], ["--digest", Samples.digestText]),
        (["change", "apply", "17", "--yes"], ["--digest", Samples.digestText]),
        (
            [
                "change", "override", "17", "--yes", "--check", "minimumLowered", "--reason",
                "It is",
            ], ["--reason", "It was"]
        ),
        (
            ["change", "schedule", "17", "--yes", "--at", "2027-06-05T00:00:00Z"],
            ["--until", later]
        ),
        (
            ["change", "revise", "17", "--yes", "--set", "ios.minimumApp.value=3.2.1"],
            ["--base", "42"]
        ),
        (["policy", "reset", "harbour", "--yes"], ["--reason", "x"]),
        (["apps", "set", "harbour", "--yes", "--add-language", "de"], ["--seen", "42"]),
        (["keys", "activate", key], ["--seen", "42"]),
        (["offers", "add", "--platform", "ios", "--last", "3.5", "--title", "x"], ["--at", "1"]),
        (
            ["offers", "add", "--platform", "ios", "--last", "3.5", "--title", "x"],
            ["--platform", "macos"]
        ),
    ])
    func `the same command says the same of itself, whatever was read for it`(
        _ command: [String],
        _ another: [String]
    ) async throws {
        let now = try script(Samples.digestText, at: 42)
        let command = command + Self.keyed
        let first = try #require(try await input(command, reading: now))
        #expect(first.utf8.count == 64)
        let (other, moved) = (String(repeating: "b", count: 64), 43)
        #expect(try await input(command, reading: script(other, at: moved)) == first)
        // Closed by this very command, whose answer was lost.
        #expect(try await input(command, reading: script(nil, at: moved)) == first)
        let unlike = try await input(command + another, reading: now)
        #expect(unlike != first)
    }

    private static let later = "2027-06-08T00:00:00Z"

    @Test func `a policy from a file says the same of itself until the file says another`()
        async throws
    {
        let policy =
            #"{"rules": {"raiseMinimum": {"approvals": [{"count": 2, "role": "approver"}]}}}"#
        var inputs: [String?] = []
        for (text, position) in [
            (policy, 17), (policy, 44), (policy.replacing("2", with: "3"), 17),
        ] {
            try await withFile("policy.json", Array(text.utf8)) { file in
                let command = ["policy", "apply", "harbour", file, "--yes"] + Self.keyed
                inputs.append(try await input(command, reading: script(nil, at: position)))
            }
        }
        #expect(inputs[0] != nil && inputs[0] == inputs[1] && inputs[0] != inputs[2])
    }

    @Test func `without a key a closed change is not decided on, nor for trial`() async throws {
        try await ScriptedService.with(try script(nil, at: 42)) { service, url in
            for command in [[], ["--dry-run"] + Self.keyed] {
                let run = try await plimsoll(
                    ["change", "approve", "17", "--yes"] + command,
                    service: url
                )
                #expect(run.code == 5 && run.errors.contains("Change 17 is already applied."))
            }
            #expect(!service.requests.contains { $0.hasPrefix("POST") })
        }
    }

    // Goal: what the hint names, the key that was made up, is a key that the command can be repeated
    // under. Method: the service does not say what came of it; then the command as the hint has it.
    @Test func `the hint of a lost answer names a key under which the command is the same`()
        async throws
    {
        var script = try script(Samples.digestText, at: 42)
        script["POST /v1/apps/harbour/changes"]?.insert(
            Reply(Problem(.internalError, detail: "It broke.")),
            at: 0
        )
        try await ScriptedService.with(script) { service, url in
            let command = ["propose", "--set", "ios.minimumApp=3.2.0", "--title", "Raise"]
            let lost = try await plimsoll(command, service: url)
            #expect(lost.code == 1)
            let (key, input) = (service.seen.last?.headers["idempotency-key"], service.input)
            let hint = ["--idempotency-key", try #require(key)]
            #expect(lost.errors.contains(hint.joined(separator: " ")))
            let again = try await plimsoll(command + hint, service: url)
            #expect(again.code == 0, "\(again)")
            #expect(service.seen.last?.headers["idempotency-key"] == key)
            #expect(input != nil && service.input == input)
        }
    }

    // Goal: what comes through a pipe is what was asked, though it can be read once only.
    @Test func `an import from standard input is another one with another content`() async throws {
        let script = try script(Samples.digestText, at: 42).merging([
            "GET /v1/apps/harbour/documents/ios": [
                Reply(try Samples.answer(try Samples.document(minimumApp: "3.1.0")))
            ]
        ]) { $1 }
        try await ScriptedService.with(script) { service, url in
            var inputs: [String?] = []
            for minimum in ["3.2.0", "3.2.0", "3.3.0"] {
                let document = try Samples.served(try Samples.document(minimumApp: minimum), at: 9)
                let run = try await plimsoll(
                    ["import", "-", "--platform", "ios"] + Self.keyed,
                    service: url,
                    input: String(decoding: document, as: UTF8.self)
                )
                #expect(run.code == 0, "\(run.errors)")
                inputs.append(service.input)
            }
            #expect(inputs[0] != nil && inputs[0] == inputs[1] && inputs[0] != inputs[2])
        }
    }

    @Test func `a time that is some time away is what was typed`() async throws {
        let script = [
            "POST /v1/tokens": [.issued(secret: "plm_0")],
            "POST /v1/apps/harbour/rollback": [Reply(try Samples.receipt(at: 61))],
        ]
        let rollback = ["rollback", "--reason", "No", "--app", "harbour", "--yes", "--to-time"]
        let create = ["token", "create", "--name", "alice", "--role", "viewer"]
        for (command, other) in [
            (rollback + ["2h"], rollback + ["3h"]),
            (create + ["--expires-in", "30d"], create + ["--expires-in", "31d"]),
            (create + ["--expires-at", "30d"], create),
        ] {
            let first = try await input(command + Self.keyed, reading: script)
            #expect(first != nil)
            #expect(try await input(command + Self.keyed, reading: script) == first)
            #expect(try await input(other + Self.keyed, reading: script) != first)
        }
    }
}
