import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Proposing and deciding, against a real HTTP server that answers what it is told.
struct ProposingTests {
    private typealias Reply = ScriptedService.Reply

    private func replies(_ more: [String: [Reply]] = [:]) throws -> [String: [Reply]] {
        let usual: [String: [Reply]] = [
            "GET /v1/apps": [Reply(AppList(apps: [try Samples.app()]))],
            "GET /v1/apps/harbour/documents/ios": [
                Reply(try Samples.answer(try Samples.document(minimumApp: "3.1.0")))
            ],
            "POST /v1/apps/harbour/changes": [Reply(try Samples.change(.proposed), .created)],
            "GET /v1/changes/17": [Reply(try Samples.change(.proposed))],
            "POST /v1/changes/17/approve": [Reply(try Samples.change(.applied, at: 57))],
            "POST /v1/changes/17/reject": [Reply(try Samples.change(.rejected))],
            "POST /v1/changes/17/withdraw": [Reply(try Samples.change(.withdrawn))],
        ]
        return usual.merging(more) { _, new in new }
    }

    @Test func `a proposal is based on what is live, and carries a key`() async throws {
        try await ScriptedService.with(try replies()) { service, url in
            let run = try await plimsoll(
                [
                    "propose", "--platform", "ios", "--set", "minimumApp.value=3.2.0",
                    "--text", "minimumApp.description.en=Update, please.",
                    "--title", "Raise the floor", "--reason", "3.1 loses data",
                ],
                service: url
            )
            #expect(run.code == 0)
            #expect(try run.json()["id"] == "17")
            #expect(run.errors.contains("plimsoll change approve 17"))
            #expect(service.requests == ["GET /v1/apps", "POST /v1/apps/harbour/changes"])
            let sent = try #require(service.seen.last)
            #expect(sent.headers["authorization"] == "Bearer plm_test")
            #expect(sent.headers["idempotency-key"]?.isEmpty == false)
            #expect(try sent.json()["base"] == 42)
            #expect(try sent.json()["operations"]?.array?.count == 2)
        }
    }

    @Test func `a dry run says so, and a base that is given is kept`() async throws {
        try await ScriptedService.with(try replies()) { service, url in
            let run = try await plimsoll(
                [
                    "propose", "--set", "ios.minimumApp=3.2.0", "--title", "Raise the floor",
                    "--base", "7", "--dry-run",
                ],
                service: url
            )
            #expect(run.code == 0)
            #expect(try run.json()["dryRun"] == true)
            #expect(service.requests.last == "POST /v1/apps/harbour/changes?dryRun=true")
            #expect(try service.seen.last?.json()["base"] == 7)
        }
    }

    @Test func `a refusal shows every check with its remedy`() async throws {
        let problem = Problem(
            .conflict,
            detail: "2 things stand in the way; see the errors.",
            errors: [
                .init(
                    at: .body("/base"),
                    code: "changedSince",
                    detail: "It moved.",
                    remedy: "Read."
                ),
                .init(at: .body("/operations"), code: "textMissing", detail: "No text."),
            ]
        )
        let script = try replies(["POST /v1/apps/harbour/changes": [Reply(problem)]])
        try await ScriptedService.with(script) { _, url in
            let run = try await plimsoll(
                ["propose", "--set", "ios.minimumApp=3.2.0", "--title", "Raise"],
                service: url
            )
            #expect(run.code == 5)
            #expect(run.output.isEmpty)
            for words in [
                "Something stands in the way", "It moved.", "Read.", "No text.", "Next: ",
            ] {
                #expect(run.errors.contains(words))
            }
        }
    }

    @Test(arguments: [
        (ProblemCode.unauthenticated, Int32(4)), (.forbidden, 1), (.notFound, 1), (.conflict, 5),
        (.stale, 5), (.nothingToDo, 3), (.invalidRequest, 1), (.unavailable, 1),
        (.internalError, 1),
    ])
    func `the exit code tells problems apart`(_ code: ProblemCode, _ exit: Int32) async throws {
        let problem = Problem(code, detail: "No.")
        let script = try replies(["POST /v1/apps/harbour/changes": [Reply(problem)]])
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                ["propose", "--set", "ios.minimumApp=3.2.0", "--title", "Raise"],
                service: url
            )
            #expect(run.code == exit)
            let key = service.seen.last?.headers["idempotency-key"] ?? "none"
            #expect(run.errors.contains("--idempotency-key \(key)") == (problem.status >= 500))
        }
    }

    @Test func `an import proposes what is different, and nothing where nothing is`() async throws {
        let new = try Samples.document(minimumApp: "3.2.0")
        try await ScriptedService.with(try replies()) { service, url in
            try await withFile("availability-ios.json", try Samples.served(new, at: 9)) { path in
                let run = try await plimsoll(["import", path], service: url)
                #expect(run.code == 0)
                let operations = try service.seen.last?.json()["operations"]?.array
                #expect(operations?.count == 1)
                #expect(operations?.first?["value"] == "3.2.0")
            }
            let old = try Samples.served(try Samples.document(minimumApp: "3.1.0"), at: 9)
            try await withFile("availability-ios.json", old) { path in
                let run = try await plimsoll(["import", path], service: url)
                #expect(run.code == 3)
            }
            #expect(service.requests.filter { $0.hasPrefix("POST") }.count == 1)
        }
    }

    // Goal: what is sent twice under a key is the same, whatever was read in between.
    @Test func `a key goes with what was asked, not with what was read`() async throws {
        let documents = try [("3.2.0", 9), ("3.2.0", 9), ("3.3.0", 9)].map {
            try Samples.served(try Samples.document(minimumApp: $0.0), at: $0.1)
        }
        try await ScriptedService.with(try replies()) { service, url in
            for (index, bytes) in documents.enumerated() {
                try await withFile("availability-ios.json", bytes) { path in
                    let source = index == 1 ? ["--source", "acme/app"] : []
                    for _ in 1...2 {
                        let run = try await plimsoll(
                            ["import", path, "--idempotency-key", "k"] + source,
                            service: url
                        )
                        #expect(run.code == 0, "\(run.errors)")
                    }
                }
            }
            let inputs = service.seen.filter { $0.method == "POST" }
                .map { $0.headers["idempotency-input"] }
            #expect(inputs.count == 6 && !inputs.contains(nil))
            #expect(inputs[0] == inputs[1] && inputs[2] == inputs[3] && inputs[4] == inputs[5])
            #expect(Set(inputs).count == 3)
        }
        try await ScriptedService.with(try replies()) { service, url in
            let arguments = ["propose", "--set", "ios.minimumApp=3.2.0", "--title", "Raise"]
            _ = try await plimsoll(arguments, service: url)
            let input = service.input
            #expect(input?.utf8.count == 64)
            let keyed = arguments + ["--idempotency-key", "k"]
            _ = try await plimsoll(keyed, service: url)
            #expect(service.input == input)
            // A base that was named is part of what was asked, and the body says it.
            _ = try await plimsoll(keyed + ["--base", "42"], service: url)
            #expect(service.input == nil)
        }
    }

    @Test func `empty texts are left out where that is asked for, and named`() async throws {
        let launch =
            #"{"minimumAppVersion":{"value":"3.2.0","description":{"en":"Update.","en-GB":""}}}"#
        try await ScriptedService.with(try replies()) { service, url in
            try await withFile("availability-ios.json", Array(launch.utf8)) { path in
                let refused = try await plimsoll(["import", path], service: url)
                #expect(refused.code == 1)
                #expect(refused.errors.contains("/minimumAppVersion/description/en-GB"))
                let run = try await plimsoll(["import", path, "--drop-empty"], service: url)
                #expect(run.code == 0, "\(run.errors)")
                #expect(run.errors.contains("minimumAppVersion.description.en-GB is empty."))
                let sent = try service.seen.last?.json()["operations"]?.array ?? []
                #expect(sent.contains { $0["value"] == "3.2.0" })
                #expect(!sent.contains { $0["text"] == "" })
            }
        }
    }

    @Test func `a text beside the files takes the place of theirs`() async throws {
        let launch =
            #"{"minimumAppVersion":{"value":"3.2.0","description":{"en":"Old.","en-GB":""}}}"#
        try await ScriptedService.with(try replies()) { service, url in
            try await withFile("availability-ios.json", Array(launch.utf8)) { path in
                let texts = [
                    "--text", "minimumApp.description.en-GB=Please update.",
                    "--text", "ios.minimumApp.description.en=New.",
                ]
                let run = try await plimsoll(
                    ["import", path, "--drop-empty"] + texts,
                    service: url
                )
                #expect(run.code == 0, "\(run.errors)")
                let sent = try service.seen.last?.json()["operations"]?.array ?? []
                let words = sent.compactMap { $0["text"]?.string }
                #expect(words.sorted() == ["New.", "Please update."])
                let wrong = ["import", path, "--drop-empty", "--text", "minimumApp=3"]
                #expect(try await plimsoll(wrong, service: url).code == 2)
            }
        }
    }

    @Test func `a document for Prince of Versions becomes thresholds, else offers`() async throws {
        let document =
            #"{"ios": [{"required_version": "3.2.0", "meta": {"required.description.en": "Old"}}]}"#
        let name = "prince-of-versions.json"
        let told = PrinceOfVersionsAnswer(
            app: try Samples.slug(),
            position: try #require(Position(rawValue: 57)),
            document: [:],
            notes: []
        )
        let script = try replies(["GET /v1/apps/harbour/prince-of-versions": [Reply(told)]])
        try await ScriptedService.with(script) { service, url in
            try await withFile(name, Array(document.utf8)) { path in
                let platform = ["import", path, "--platform", "ios"]
                #expect(try await plimsoll(platform, service: url).code == 2)
                let run = try await plimsoll(["import", path], service: url)
                #expect(run.code == 0)
                let operations = try service.seen.last?.json()["operations"]?.array ?? []
                #expect(operations.contains { $0["value"] == "3.2.0" })
                #expect(operations.contains { $0["text"] == "Old" })
                #expect(run.errors.contains("Nothing changes for clients of Prince of Versions"))
            }
            let demanding = document.replacing("}}", with: #"}, "requirements": {"region": "eu"}}"#)
            try await withFile(name, Array(demanding.utf8)) { path in
                let run = try await plimsoll(["import", path], service: url)
                #expect(run.code == 0)
                let operations = try service.seen.last?.json()["operations"]?.array
                #expect(operations?.map { $0["op"] } == ["setOffers"])
                #expect(run.errors.contains("Changes for clients of Prince of Versions"))
                #expect(run.errors.contains("requirementsNotSatisfied"))
            }
            let unread = document.replacing("}}", with: #"}, "requirements": {"min-ram": "4"}}"#)
            try await withFile(name, Array(unread.utf8)) { path in
                let run = try await plimsoll(["import", path], service: url)
                #expect(run.code == 1)
                #expect(run.errors.contains("/ios/0/requirements/min-ram"))
            }
            #expect(service.requests.filter { $0.hasPrefix("POST") }.count == 2)
        }
    }

    @Test(arguments: [
        (#"{"ios": [{"required_version": "3.2.0"}"#, "Byte"),
        (#"{"ios": [], "requirements": {"x": 1.5}}"#, "/requirements/x"), ("", "nothing"),
        ("[]", "object"),
    ])
    func `what is no document is told where it breaks, whatever it would be of`(
        _ content: String,
        _ words: String
    ) async throws {
        try await withFile("prince-of-versions.json", Array(content.utf8)) { path in
            let run = try await plimsoll(["import", path], service: "http://127.0.0.1:9")
            #expect(run.code == 1)
            #expect(run.errors.contains(words), "\(run.errors)")
            #expect(!run.errors.contains("--platform"))
        }
    }

    // Goal: another file is never taken for a document that says nothing, and clears everything.
    @Test(arguments: [
        #"{"app": "harbour", "platform": "ios", "position": 7, "document": {}}"#,
        #"{"minimumAppVersoin": {"value": "3.2.0"}}"#, #"{"pins": []}"#,
        #"{"minimumSDKVersion": {"value": 34}}"#,
    ])
    func `a file without a member of documents is none`(_ content: String) async throws {
        let phone = ["--platform", "ios", "--os", "17.0", "--app-version", "3.1.0"]
        try await withFile("availability-ios.json", Array(content.utf8)) { path in
            for command in [
                ["import", path], ["diff", "file:\(path)", "file:\(path)"],
                ["simulate", "--document", path] + phone,
            ] {
                let run = try await plimsoll(command, service: "http://127.0.0.1:9")
                #expect(run.code == 1, "\(command): \(run)")
                #expect(run.errors.contains("it has no member of one"), "\(run.errors)")
                let isAnswer = content.contains("position")
                #expect(run.errors.contains("(jq .document)") == isAnswer)
            }
        }
    }

    @Test func `a member that no phone looks for is told`() async throws {
        let content = #"{"minimumAppVersion": {"value": "3.2.0"}, "minimumAppVersoin": {}}"#
        try await ScriptedService.with(try replies()) { _, url in
            try await withFile("availability-ios.json", Array(content.utf8)) { path in
                let run = try await plimsoll(["import", path, "--dry-run"], service: url)
                let words = "Not taken over: minimumAppVersoin, which no phone looks for."
                #expect(run.errors.contains(words), "\(run)")
            }
        }
    }

    @Test(arguments: [
        ["reject", "17", "--reason", "No"], ["withdraw", "17"], ["comment", "17", "No"],
        ["schedule", "17", "--clear"], ["revise", "17", "--title", "Later"],
    ])
    func `a dry run of a decision says that it is one`(_ command: [String]) async throws {
        let path = "POST /v1/changes/17/\(command[0])"
        let script = try replies([
            path: [Reply(try Samples.change(.proposed))],
            "GET /v1/apps/harbour": [Reply(try Samples.app())],
        ])
        try await ScriptedService.with(script) { service, url in
            let yes = command[0] == "comment" ? [] : ["--yes"]
            let run = try await plimsoll(["change"] + command + yes + ["--dry-run"], service: url)
            #expect(run.code == 0, "\(run) \(service.requests)")
            #expect(run.errors.contains("This was a dry run; nothing was written."))
        }
    }

    @Test(arguments: ["approve", "reject", "withdraw"])
    func `without a terminal nothing is decided unless it is confirmed`(
        _ verb: String
    ) async throws {
        try await ScriptedService.with(try replies()) { service, url in
            let reason = verb == "reject" ? ["--reason", "No"] : []
            let unconfirmed = try await plimsoll(["change", verb, "17"] + reason, service: url)
            #expect(unconfirmed.code == 2)
            #expect(unconfirmed.errors.contains("--yes"))
            #expect(service.requests.isEmpty)

            let run = try await plimsoll(["change", verb, "17", "--yes"] + reason, service: url)
            #expect(run.code == 0)
            #expect(service.requests == ["GET /v1/changes/17", "POST /v1/changes/17/\(verb)"])
            #expect(service.seen.last?.headers["if-match"] == "\"\(Samples.digestText)\"")
        }
    }

    @Test func `a digest that was reviewed is what is approved`() async throws {
        try await ScriptedService.with(try replies()) { service, url in
            let digest = String(repeating: "b", count: 64)
            let run = try await plimsoll(
                ["change", "approve", "17", "--digest", digest, "--comment", "Seen"],
                service: url
            )
            #expect(run.code == 0)
            #expect(service.requests == ["POST /v1/changes/17/approve"])
            #expect(service.seen.last?.headers["if-match"] == "\"\(digest)\"")
            #expect(try service.seen.last?.json()["comment"] == "Seen")
        }
    }

    @Test func `an approval that is not the last ends with 6`() async throws {
        let script = try replies([
            "POST /v1/changes/17/approve": [Reply(try Samples.change(.proposed))]
        ])
        try await ScriptedService.with(script) { _, url in
            let run = try await plimsoll(["change", "approve", "17", "--yes"], service: url)
            #expect(run.code == 6)
        }
    }

    @Test func `a withdrawn change has nothing to approve`() async throws {
        let script = try replies(["GET /v1/changes/17": [Reply(try Samples.change(.withdrawn))]])
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(["change", "approve", "17", "--yes"], service: url)
            #expect(run.code == 5)
            #expect(service.requests == ["GET /v1/changes/17"])
        }
    }

    @Test func `several apps need a name`() async throws {
        let apps = AppList(apps: [try Samples.app("harbour"), try Samples.app("lighthouse")])
        let script = try replies([
            "GET /v1/apps": [Reply(apps)],
            "GET /v1/apps/lighthouse": [Reply(try Samples.app("lighthouse"))],
            "GET /v1/apps/lighthouse/changes": [Reply(ChangeList(changes: [], next: nil))],
        ])
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(["changes"], service: url)
            #expect(run.code == 2)
            #expect(run.errors.contains("harbour, lighthouse"))
            #expect(run.errors.contains("Next: the same command with --app and one of them"))
            let named = try await plimsoll(["changes", "--app", "lighthouse"], service: url)
            #expect(named.code == 0)
            #expect(try named.json()["changes"] == [])
        }
    }
}
