import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// What the program does where a person sits in front of it.
struct TerminalTests {
    private typealias Reply = ScriptedService.Reply

    private func replies() throws -> [String: [Reply]] {
        [
            "GET /v1/apps": [Reply(AppList(apps: [try Samples.app()]))],
            "GET /v1/tokens": [Reply(TokenList(tokens: []))],
            "GET /v1/changes/17": [Reply(try Samples.change(.proposed))],
            "POST /v1/changes/17/approve": [Reply(try Samples.change(.applied, at: 57))],
            "POST /v1/apps/harbour/rollback": [
                Reply(try Samples.receipt(at: nil)), Reply(try Samples.receipt(at: 61)),
            ],
        ]
    }

    private let rollback = [
        "rollback", "--to-event", "30", "--reason", "Wrong", "--app", "harbour",
    ]

    @Test func `a rollback shows its effect, asks, and takes yes for an answer`() async throws {
        let arguments = rollback
        try await ScriptedService.with(try replies()) { service, url in
            let run = try await plimsollAtTerminal(arguments, typing: "y", service: url)
            #expect(run.code == 0)
            #expect(run.output.contains("iOS minimum app 3.1.0 → 3.2.0"))
            let question = "Roll harbour back to event 30, and take back 1 change of others? [y/N]"
            #expect(run.output.contains(question))
            #expect(
                service.requests == [
                    "POST /v1/apps/harbour/rollback?dryRun=true", "GET /v1/principals",
                    "POST /v1/apps/harbour/rollback",
                ]
            )
            // What was agreed to is where the dry run led.
            let sent = try service.seen.filter { $0.method == "POST" }
                .map { try $0.json()["target"]?.integer }
            #expect(sent == [nil, 30])
            #expect(try #require(service.seen.last).json()["undoing"] == 1)
        }
    }

    // Goal: somebody at a terminal can ask again for what was done already. Method: the dry run leads
    // somewhere, and then it is refused, since everything is so by now.
    @Test func `a rollback is the same under its key, shown or refused in its dry run`()
        async throws
    {
        let nothing = Reply(Problem(.nothingToDo, detail: "Everything is so already."))
        var inputs: [String?] = []
        for dryRun in [Reply(try Samples.receipt(at: nil)), nothing] {
            var script = try replies()
            script["POST /v1/apps/harbour/rollback"] = [dryRun, Reply(try Samples.receipt(at: 61))]
            try await ScriptedService.with(script) { service, url in
                let command = rollback + ["--idempotency-key", "k"]
                let run = try await plimsollAtTerminal(command, typing: "y", service: url)
                #expect(run.code == 0, "\(run)")
                inputs.append(service.input)
                // Nobody's changes are taken back that were not shown.
                let undoing: Int64 = dryRun.status == .ok ? 1 : 0
                #expect(try #require(service.seen.last).json()["undoing"] == .integer(undoing))
            }
        }
        #expect(inputs[0] != nil && inputs[0] == inputs[1])
        var script = try replies()
        script["POST /v1/apps/harbour/rollback"] = [nothing]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsollAtTerminal(rollback, typing: "y", service: url)
            #expect(run.code == 3, "\(run)")
            #expect(!run.output.contains("[y/N]"))
            let keyed = rollback + ["--idempotency-key", "k"]
            let refused = try await plimsollAtTerminal(keyed, typing: "n", service: url)
            #expect(refused.code == 1)
            #expect(refused.output.contains("Everything is so already."))
            #expect(refused.output.contains("Ask for this rollback of harbour again? [y/N]"))
            #expect(service.requests.allSatisfy { $0.hasSuffix("dryRun=true") })
        }
    }

    @Test func `what could not be shown is not asked about, under a key either`() async throws {
        var script = try replies()
        script["POST /v1/apps/harbour/rollback"] = [
            Reply(Problem(.unavailable, detail: "The database is away."))
        ]
        try await ScriptedService.with(script) { service, url in
            let keyed = rollback + ["--idempotency-key", "k"]
            let run = try await plimsollAtTerminal(keyed, typing: "y", service: url)
            #expect(run.code != 0 && !run.output.contains("[y/N]"), "\(run)")
            #expect(service.requests == ["POST /v1/apps/harbour/rollback?dryRun=true"])
        }
    }

    @Test func `a revision shows what the change would do then, and asks`() async throws {
        var script = try replies()
        script["GET /v1/apps/harbour"] = [Reply(try Samples.app())]
        script["POST /v1/changes/17/revise"] = [
            Reply(try Samples.change(.proposed)), Reply(try Samples.change(.proposed, at: 57)),
        ]
        let command = ["change", "revise", "17", "--set", "ios.minimumApp.value=3.2.0"]
        for (answer, code, writes) in [("y", 0, 2), ("n", 1, 1)] as [(String, Int32, Int)] {
            try await ScriptedService.with(script) { service, url in
                let run = try await plimsollAtTerminal(command, typing: answer, service: url)
                #expect(run.code == code)
                #expect(run.output.contains("iOS minimum app 3.1.0 → 3.2.0"))
                #expect(run.output.contains("Revise change 17? [y/N]"))
                let posts = service.requests.filter { $0.hasPrefix("POST") }
                #expect(posts.count == writes)
                #expect(posts.first == "POST /v1/changes/17/revise?dryRun=true")
            }
        }
    }

    @Test(arguments: ["n", "", "yeah", "Y es"])
    func `anything but yes is a no`(_ answer: String) async throws {
        let arguments = rollback
        try await ScriptedService.with(try replies()) { service, url in
            let run = try await plimsollAtTerminal(arguments, typing: answer, service: url)
            #expect(run.code == 1)
            let posts = service.requests.filter { $0.hasPrefix("POST") }
            #expect(posts == ["POST /v1/apps/harbour/rollback?dryRun=true"])
        }
    }

    @Test func `an approver sees every word and the digest before being asked`() async throws {
        try await ScriptedService.with(try replies()) { service, url in
            let run = try await plimsollAtTerminal(
                ["change", "approve", "17"],
                typing: "yes",
                service: url
            )
            #expect(run.code == 0)
            for words in [
                "- Update.", "+ Update, please.", Samples.digestText, "Approve change 17?",
            ] {
                #expect(run.output.contains(words))
            }
            #expect(service.requests.contains("POST /v1/changes/17/approve"))
        }
    }

    @Test func `a terminal gets tables, and colours unless they are not wanted`() async throws {
        try await ScriptedService.with(try replies()) { _, url in
            let plain = try await plimsollAtTerminal(["apps"], typing: "", service: url)
            #expect(plain.output.contains("APP      NAME"))
            #expect(!plain.output.contains("\u{1B}"))
            let coloured = try await plimsollAtTerminal(
                ["apps"],
                typing: "",
                service: url,
                colours: true
            )
            #expect(coloured.output.contains("\u{1B}[1mAPP "))
            let json = try await plimsollAtTerminal(["apps", "--json"], typing: "", service: url)
            #expect(json.output.contains(#"{"apps":"#))
        }
    }
}
