import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// The life of signing keys on the command line, against a real HTTP server.
struct KeyTests {
    private typealias Reply = ScriptedService.Reply

    private static let id = "3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"
    private static let arn = "arn:aws:kms:eu-west-2:123456789012:key/\(id)"

    private let add = "/v1/apps/harbour/keys"
    private let path = "/v1/keys/\(KeyTests.id)"

    private func answer(_ state: KeyState, at position: Int = 17) throws -> Reply {
        Reply(
            KeyAnswer(
                id: try #require(KeyID(Self.id)),
                app: try Samples.slug(),
                state: state,
                position: Position(position),
                publicKey: "-----BEGIN PUBLIC KEY-----\n"
            )
        )
    }

    @Test(
        arguments: [
            ([], [:]), (["--id", id], ["id": .string(id)]),
            (["--environment", "PLIMSOLL_SIGNING_KEY"], ["environment": "PLIMSOLL_SIGNING_KEY"]),
            (
                ["--environment", "PLIMSOLL_SIGNING_KEY", "--id", id],
                ["environment": "PLIMSOLL_SIGNING_KEY", "id": .string(id)]
            ),
            (["--kms", arn], ["keyService": .string(arn)]),
            (["--reason", "It is time"], ["reason": "It is time"]),
        ] as [([String], JSONObject)]
    )
    func `a key is added from where it is said to be`(
        _ options: [String],
        _ members: JSONObject
    ) async throws {
        let script = ["POST \(add)": [try answer(.added)]]
        try await ScriptedService.with(script) { service, url in
            let command = ["keys", "add", "--app", "harbour"] + options
            let run = try await plimsoll(command, service: url)
            #expect(run.code == 0)
            #expect(try run.json()["state"] == "added")
            #expect(run.errors.contains("plimsoll keys activate \(Self.id)"))
            let sent = try #require(try service.seen.first?.json().object)
            for member in sent.members {
                #expect(member.value == members[member.key] ?? .null, "\(member.key)")
            }
        }
    }

    @Test(arguments: [
        (["--kms", arn, "--id", id], "KMS has given the id"),
        (["--kms", arn, "--environment", "PLIMSOLL_SIGNING_KEY"], "KMS has given the id"),
        (["--kms", id], "the ARN of a KMS key"),
        (["--environment", "PATH"], "PLIMSOLL_SIGNING_KEY"), (["--id", "x"], "--id"),
    ])
    func `a place that is none is refused before anybody is asked`(
        _ options: [String],
        _ words: String
    ) async throws {
        try await ScriptedService.with([:]) { service, url in
            let run = try await plimsoll(
                ["keys", "add", "--app", "harbour"] + options,
                service: url
            )
            #expect(run.code == 2)
            #expect(run.errors.contains(words), "\(run.errors)")
            #expect(service.requests.isEmpty)
        }
    }

    @Test func `a key is activated where it was seen to stand`() async throws {
        let script = [
            "GET \(path)": [try answer(.added)],
            "POST \(path)/activate": [try answer(.active, at: 18)],
        ]
        try await ScriptedService.with(script) { service, url in
            let command = ["keys", "activate", Self.id]
            #expect(try await plimsoll(command, service: url).code == 0)
            #expect(service.requests == ["GET \(path)", "POST \(path)/activate"])
            #expect(service.seen.last?.headers["if-match"] == "\"17\"")
            let named = try await plimsoll(command + ["--seen", "5"], service: url)
            #expect(named.code == 0)
            #expect(service.requests.count == 3)
            #expect(service.seen.last?.headers["if-match"] == "\"5\"")
        }
    }

    @Test(arguments: ["retire", "compromise"])
    func `what takes a key away has to be confirmed`(_ way: String) async throws {
        let script = [
            "GET \(path)": [try answer(.active)], "GET /v1/keys": [try list()],
            "POST \(path)/\(way)": [try answer(way == "retire" ? .retired : .compromised)],
        ]
        try await ScriptedService.with(script) { service, url in
            let command = ["keys", way, Self.id, "--reason", "It leaked"]
            let unconfirmed = try await plimsoll(command, service: url)
            #expect(unconfirmed.code == 2)
            #expect(service.requests.isEmpty)
            let named = way == "retire" ? ["--yes", "--app", "harbour"] : ["--yes"]
            let run = try await plimsoll(command + named, service: url)
            #expect(run.code == 0, "\(run.errors)")
            let dryRun = try await plimsoll(command + ["--dry-run"], service: url)
            #expect(dryRun.code == 0)
            #expect(dryRun.errors.contains("dry run"))
            #expect(service.requests.last == "POST \(path)/\(way)?dryRun=true")
        }
    }

    @Test func `a compromise needs a reason, and looks at nothing first`() async throws {
        let script = ["POST \(path)/compromise": [try answer(.compromised)]]
        try await ScriptedService.with(script) { service, url in
            let bare = try await plimsoll(["keys", "compromise", Self.id, "--yes"], service: url)
            #expect(bare.code == 2)
            let run = try await plimsoll(
                ["keys", "compromise", Self.id, "--reason", "It leaked", "--yes"],
                service: url
            )
            #expect(run.code == 0)
            #expect(service.requests == ["POST \(path)/compromise"])
            #expect(service.seen.last?.headers["if-match"] == nil)
        }
    }

    @Test func `a refusal says which key to activate first, and ends with 5`() async throws {
        let key = try #require(KeyID(Self.id))
        let objection = Objection.lastActiveKey(key, try Samples.slug(), standby: [key])
        let problem = Problem(
            .conflict,
            detail: objection.detail,
            errors: [
                Problem.Fault(
                    at: nil,
                    code: objection.code,
                    detail: objection.detail,
                    remedy: objection.remedy
                )
            ]
        )
        let script = [
            "GET \(path)": [try answer(.active)], "GET /v1/keys": [try list()],
            "POST \(path)/retire": [Reply(problem)],
        ]
        try await ScriptedService.with(script) { _, url in
            let command = ["keys", "retire", Self.id, "--yes", "--app", "harbour"]
            let run = try await plimsoll(command, service: url)
            #expect(run.code == 5)
            #expect(run.errors.contains("First activate the key \(Self.id)"))
        }
    }

    // Goal: nobody retires a key without having read what comes of it, or one of another app.
    @Test func `a key is retired by whoever names its app, once they were told what follows`()
        async throws
    {
        let script = [
            "GET \(path)": [try answer(.active)], "GET /v1/keys": [try list()],
            "POST \(path)/retire": [try answer(.retired)],
        ]
        try await ScriptedService.with(script) { service, url in
            let command = ["keys", "retire", Self.id, "--yes"]
            let unnamed = try await plimsoll(command, service: url)
            #expect(unnamed.code == 2 && service.requests.isEmpty)
            #expect(unnamed.errors.contains("--app"))
            let other = try await plimsoll(command + ["--app", "ferry"], service: url)
            #expect(other.code != 0 && other.errors.contains("is of harbour"))
            #expect(!service.requests.contains { $0.hasPrefix("POST") })
            let run = try await plimsoll(command + ["--app", "harbour"], service: url)
            #expect(run.code == 0, "\(run.errors)")
            for words in [
                "No other key of harbour signs",
                "Apps that trust only \(Self.id) refuse every document",
            ] {
                #expect(run.errors.contains(words), "\(run.errors)")
            }
        }
    }

    private func list() throws -> Reply {
        Reply(KeyList(keys: []))
    }
}
