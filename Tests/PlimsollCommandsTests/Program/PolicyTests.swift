import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Showing, comparing and changing policies, against a real HTTP server.
struct PolicyTests {
    private typealias Reply = ScriptedService.Reply

    private func answer(
        _ policy: Policy = .builtIn,
        at position: Int? = nil,
        warnings: [String] = []
    ) throws -> PolicyAnswer {
        PolicyAnswer(
            app: try Samples.slug(),
            source: position == nil ? .builtIn : .app,
            decision: position.map {
                PolicyAnswer.Decision(
                    position: Position($0),
                    by: Samples.alice,
                    since: Samples.instant,
                    reason: nil
                )
            },
            policy: policy,
            warnings: warnings
        )
    }

    private let path = "/v1/apps/harbour/policy"

    private func withPolicy(
        _ text: String,
        _ script: [String: [Reply]],
        _ body: @escaping @Sendable (ScriptedService, String, String) async throws -> Void
    ) async throws {
        try await withFile("policy.json", Array(text.utf8)) { file in
            try await ScriptedService.with(script) { service, url in
                try await body(service, url, file)
            }
        }
    }

    private let two = #"""
        {"rules": {"raiseMinimum": {"approvals": [{"count": 2, "role": "approver"}]}}}
        """#

    @Test func `a policy is shown in words, and as it is sent`() async throws {
        let script = ["GET \(path)": [Reply(try answer(at: 17))]]
        try await ScriptedService.with(script) { service, url in
            let words = try await plimsoll(
                ["policy", "show", "harbour", "--format", "table"],
                service: url
            )
            #expect(words.output.hasPrefix("harbour has a policy of its own, of event 17.\n"))
            let rule = "Raising a minimum needs 1 approval by people in the role approver.\n"
            #expect(words.output.contains(rule))
            let run = try await plimsoll(["policy", "show", "harbour"], service: url)
            #expect(run.code == 0)
            #expect(try run.json()["policy"] == .object(Policy.builtIn.json))
            #expect(
                service.requests.allSatisfy { $0 == "GET \(path)" || $0.hasSuffix("principals") }
            )
        }
    }

    @Test func `what nobody can give names people as the rules do`() async throws {
        let need = "Raising a minimum: 1 approval by one of \(Samples.alice.text) is needed."
        let people = PrincipalList(principals: [
            PrincipalAnswer(id: Samples.alice, name: "alice", roles: [])
        ])
        let script = [
            "GET \(path)": [Reply(try answer(at: 17, warnings: [need]))],
            "GET /v1/principals": [Reply(people)],
        ]
        try await ScriptedService.with(script) { _, url in
            let command = ["policy", "show", "harbour"]
            let words = try await plimsoll(command + ["--format", "table"], service: url)
            #expect(words.output.contains("1 approval by one of alice is needed."))
            let json = try await plimsoll(command, service: url).json()
            #expect(json["warnings"] == [.string(need)])
        }
    }

    @Test func `a difference ends with 3 and names the rules that move`() async throws {
        try await withPolicy(two, ["GET \(path)": [Reply(try answer())]]) { _, url, file in
            let run = try await plimsoll(["policy", "diff", "harbour", file], service: url)
            #expect(run.code == 3)
            let changes = try #require(try run.json()["changes"]?.array)
            #expect(changes.map { $0["member"] } == ["rules.raiseMinimum"])
            #expect(changes.first?["after"] == "needs 2 approvals by people in the role approver")
        }
        try await withPolicy(#"{"rules": {}}"#, ["GET \(path)": [Reply(try answer())]]) {
            _,
            url,
            file in
            let run = try await plimsoll(["policy", "diff", "harbour", file], service: url)
            #expect(run.code == 0)
            #expect(try run.json()["same"] == true)
        }
    }

    @Test func `what is shown as JSON is taken as a file, without the reason it had`() async throws
    {
        let shown = try answer(at: 17).json
        let text = String(decoding: shown.canonicalBytes(), as: UTF8.self)
        let script = ["GET \(path)": [Reply(try answer(at: 17))]]
        try await withPolicy(text, script) { _, url, file in
            let run = try await plimsoll(["policy", "diff", "harbour", file], service: url)
            #expect(run.code == 0)
            #expect(try run.json()["same"] == true)
        }
        for wrong in [#"{"policy": {"rules": {}}}"#, #"{"source": "app", "policy": {}}"#] {
            try await withPolicy(wrong, script) { service, url, file in
                let run = try await plimsoll(["policy", "diff", "harbour", file], service: url)
                #expect(run.code == 1)
                #expect(run.errors.contains("is no policy"))
                #expect(service.requests.isEmpty)
            }
        }
    }

    @Test func `what comes into force binds to the policy that was seen`() async throws {
        let script = [
            "GET \(path)": [Reply(try answer(at: 17))], "PUT \(path)": [Reply(try answer(at: 44))],
            "DELETE \(path)": [Reply(bytes: [], .noContent)],
        ]
        try await withPolicy(two, script) { service, url, file in
            let command = ["policy", "apply", "harbour", file, "--reason", "Two look at it"]
            let unconfirmed = try await plimsoll(command, service: url)
            #expect(unconfirmed.code == 2)
            #expect(service.requests.isEmpty)
            for (options, tag) in [(["--yes"], "\"17\""), (["--seen", "12"], "\"12\"")] {
                let run = try await plimsoll(command + options, service: url)
                #expect(run.code == 0)
                let sent = try #require(service.seen.last)
                #expect(sent.method == "PUT")
                #expect(sent.headers["if-match"] == tag)
                #expect(try sent.json()["reason"] == "Two look at it")
            }
            let tried = try await plimsoll(command + ["--dry-run"], service: url)
            #expect(try tried.json()["dryRun"] == true)
            #expect(service.requests.last == "PUT \(path)?dryRun=true")
            let reset = try await plimsoll(["policy", "reset", "harbour", "--yes"], service: url)
            #expect(reset.code == 0)
            #expect(service.seen.last?.method == "DELETE")
            #expect(service.seen.last?.headers["if-match"] == "\"17\"")
        }
    }

    @Test func `who saw another policy is shown where to look, for the app or for all`()
        async throws
    {
        let fault = Problem.Fault(
            at: nil,
            code: "policyDiffers",
            detail: "The policy is of event 17.",
            remedy: "Read it again."
        )
        let stale = [Reply(Problem(.stale, detail: fault.detail, errors: [fault]))]
        let current = [Reply(try answer(at: 17))]
        let script = [
            "GET \(path)": current, "PUT \(path)": stale, "GET /v1/policy": current,
            "PUT /v1/policy": stale,
        ]
        try await withPolicy(two, script) { _, url, file in
            for (app, next) in [(["harbour"], " harbour"), ([], "")] {
                let run = try await plimsoll(
                    ["policy", "apply"] + app + [file, "--seen", "12"],
                    service: url
                )
                #expect(run.code == 5)
                #expect(run.errors.contains("Next: plimsoll policy show\(next)\n"))
            }
        }
    }

    @Test func `without an app it is the default of all`() async throws {
        let script = ["GET /v1/policy": [Reply(try answer())]]
        try await withPolicy(two, script) { service, url, file in
            let shown = try await plimsoll(["policy", "show"], service: url)
            #expect(shown.code == 0)
            let compared = try await plimsoll(["policy", "diff", file], service: url)
            #expect(compared.code == 3)
            #expect(service.requests == ["GET /v1/policy", "GET /v1/policy"])
        }
    }

    @Test func `a file that is no policy names its places, and nobody is asked`() async throws {
        let bad =
            #"{"rules": {"raiseMinimum": {"approvals": [{"count": 1, "role": "boss"}]}}, "a": 1}"#
        for text in [bad, "{}", "[", ""] {
            try await withPolicy(text, [:]) { service, url, file in
                let run = try await plimsoll(["policy", "diff", "harbour", file], service: url)
                #expect(run.code == 1)
                #expect(run.errors.contains("is no policy"))
                #expect(service.requests.isEmpty)
            }
        }
        try await withPolicy(bad, [:]) { _, url, file in
            let run = try await plimsoll(["policy", "diff", "harbour", file], service: url)
            #expect(run.errors.contains("/rules/raiseMinimum/approvals/0/role"))
            #expect(run.errors.contains("/a"))
        }
    }

    @Test func `what only waits for approvals ends with 6, and says whose`() async throws {
        let remedy =
            "Ask for 1 more approval by people in the role responder, who had no hand in it."
        let fault = Problem.Fault(
            at: nil,
            code: "approvalsMissing",
            detail: "Change 17 falls under the rule raiseMinimum, which needs more.",
            remedy: remedy
        )
        let problem = Problem(.conflict, detail: fault.detail, errors: [fault])
        let script = [
            "GET /v1/changes/17": [Reply(try Samples.change(.proposed))],
            "POST /v1/changes/17/apply": [Reply(problem)],
        ]
        try await ScriptedService.with(script) { _, url in
            let run = try await plimsoll(["change", "apply", "17", "--yes"], service: url)
            #expect(run.code == 6)
            #expect(run.errors.contains("rule raiseMinimum"))
            #expect(run.errors.contains(remedy))
            #expect(run.errors.contains("Next: plimsoll change show 17\n"))
        }
    }

    @Test(arguments: [
        ["policy", "apply"], ["policy", "apply", "a", "b", "c"], ["policy", "diff"],
        ["policy", "show", "Not a slug"], ["policy", "reset"], ["policy", "reset", "a", "b"],
        ["policy", "diff", "Not a slug", "policy.json"], ["policy", "apply", "x", "--seen", "-1"],
    ])
    func `wrong usage ends with 2, and asks nobody`(_ arguments: [String]) async throws {
        let run = try await plimsoll(arguments, service: "http://127.0.0.1:9")
        #expect(run.code == 2)
        #expect(run.errors.hasPrefix("Error: "))
    }
}
