import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Commands that only read, against a real HTTP server that answers what it is told.
struct LookingTests {
    private typealias Reply = ScriptedService.Reply

    private func replies(_ more: [String: [Reply]] = [:]) throws -> [String: [Reply]] {
        let live = try Samples.document(minimumApp: "3.2.0")
        let usual: [String: [Reply]] = [
            "GET /v1/apps": [Reply(AppList(apps: [try Samples.app()]))],
            "GET /v1/apps/harbour/documents/ios": [Reply(try Samples.answer(live))],
            "GET /v1/apps/harbour/documents/android": [
                Reply(try Samples.answer(Document(platform: .android)))
            ],
            "GET /v1/tokens": [Reply(TokenList(tokens: []))],
        ]
        return usual.merging(more) { _, new in new }
    }

    @Test func `the app is the one that the option names, else the variable, else the only one`()
        async throws
    {
        let other = try #require(AppSlug("quay"))
        let more: [String: [Reply]] = [
            "GET /v1/apps/harbour": [Reply(try Samples.app())],
            "GET /v1/apps/quay": [Reply(Problem(.notFound, detail: "There is no app quay."))],
        ]
        try await ScriptedService.with(try replies(more)) { service, url in
            let named = try await plimsoll(["get"], service: url, app: "harbour")
            #expect(named.code == 0, "\(named.errors)")
            #expect(service.requests.first == "GET /v1/apps/harbour")
            let option = ["get", "--app", other.text]
            let missing = try await plimsoll(option, service: url, app: "harbour")
            #expect(missing.errors.contains("There is no app quay."))
            let asked = service.requests.count
            let bad = try await plimsoll(["get"], service: url, app: "No app")
            #expect(bad.code == 2)
            #expect(bad.errors.contains("PLIMSOLL_APP is \"No app\""))
            #expect(service.requests.count == asked)
            _ = try await plimsoll(["get"], service: url, app: "")
            #expect(service.requests[asked] == "GET /v1/apps")
        }
    }

    @Test func `tokens are listed that had not ended by a time`() async throws {
        try await ScriptedService.with(try replies()) { service, url in
            let since = ["token", "list", "--since", "2026-11-21T08:00:00Z"]
            let run = try await plimsoll(since, service: url)
            #expect(run.code == 0, "\(run.errors)")
            #expect(service.requests == ["GET /v1/tokens?since=2026-11-21T08%3A00%3A00.000Z"])
        }
    }

    @Test func `all platforms are shown, or one`() async throws {
        try await ScriptedService.with(try replies()) { service, url in
            let all = try await plimsoll(["get"], service: url)
            #expect(try all.json()["documents"]?.array?.count == 2)
            let one = try await plimsoll(
                ["get", "--platform", "ios", "--event", "42"],
                service: url
            )
            #expect(try one.json()["platform"] == "ios")
            #expect(service.requests.last == "GET /v1/apps/harbour/documents/ios?event=42")
            let table = try await plimsoll(["get", "--format", "table"], service: url)
            #expect(table.output.contains("minimumApp.value           3.2.0"))
            #expect(table.output.contains("Nothing is set"))
        }
    }

    @Test func `what Prince of Versions is told is shown with what it is not`() async throws {
        let answer = PrinceOfVersionsAnswer(
            app: try Samples.slug(),
            position: try #require(Position(rawValue: 57)),
            document: ["ios": []],
            offers: [.ios: [.nothing(on: .ios)]],
            notes: [.init(platform: .ios, code: "systemOnlyInMetadata", detail: "Not said.")]
        )
        let path = "GET /v1/apps/harbour/prince-of-versions"
        try await ScriptedService.with(try replies([path: [Reply(answer)]])) { service, url in
            let command = ["get", "--prince-of-versions"]
            #expect(try await plimsoll(command, service: url).json() == .object(answer.json))
            let table = try await plimsoll(
                command + ["--event", "57", "--format", "table"],
                service: url
            )
            let lines = table.output.split(separator: "\n")
            #expect(lines.contains("0 for everybody: last 0.0.0, told once"))
            #expect(lines.last == "iOS: Not said.")
            #expect(service.requests.last == "\(path)?event=57")
            let own = try await plimsoll(["get", "--field", "ios.offers"], service: url).json()
            #expect(own["value"] == JSONValue([Offer.nothing(on: .ios)]))
            let none = ["get", "--field", "android.offers", "--format", "table"]
            #expect(try await plimsoll(none, service: url).output.isEmpty)
            for more in [["--platform", "ios"], ["--field", "minimumApp.value"]] {
                #expect(try await plimsoll(command + more, service: url).code == 2)
            }
        }
    }

    @Test func `one field is its bare content`() async throws {
        try await ScriptedService.with(try replies()) { _, url in
            let field = ["get", "--field", "ios.minimumApp.value"]
            let bare = try await plimsoll(field + ["--format", "table"], service: url)
            #expect(bare.output == "3.2.0\n")
            let json = try await plimsoll(field, service: url).json()
            #expect(json["value"] == "3.2.0")
            let wrong = try await plimsoll(["get", "--field", "minimumApp"], service: url)
            #expect(wrong.code == 2)
        }
    }

    @Test func `packages that are offered are known by who offered them`() async throws {
        let versions = [try #require(AppleVersionID("878123456789"))]
        let line = BlameAnswer.Line(
            field: .packages,
            value: .packages(versions),
            event: Position(41),
            since: Samples.instant,
            origin: FieldOrigin(author: Samples.alice, approvers: [], change: nil, reason: nil)
        )
        let answers = try [[line], []].map { lines in
            Reply(
                BlameAnswer(
                    app: try Samples.slug(),
                    platform: .ios,
                    position: Position(42),
                    lines: lines
                )
            )
        }
        let path = "GET /v1/apps/harbour/documents/ios/blame"
        try await ScriptedService.with(try replies([path: answers])) { service, url in
            let field = ["get", "--field", "ios.packages"]
            let offered = try await plimsoll(field + ["--event", "42"], service: url).json()
            #expect(offered["value"] == ["878123456789"] && offered["position"] == 42)
            #expect(service.requests.last == "\(path)?event=42")
            let none = try await plimsoll(field, service: url).json()
            #expect(none["value"] == JSONValue.null)
        }
    }

    @Test(arguments: [
        ("ndjson", #"{"position":1}"# + "\n" + #"{"end":{"count":1}}"# + "\n", 0),
        ("ndjson", #"{"position":1}"# + "\n", 1), ("ndjson", "", 1),
        ("csv", "position,type\r\n1,\"a\nend,\"\r\nend,count=1,\"note\nlines\"\r\n", 0),
        ("csv", "position,type\r\n1,\"a\nend,\"\r\n", 1),
    ])
    func `the record is copied as it comes, and a missing end is told`(
        _ form: String,
        _ body: String,
        _ code: Int
    ) async throws {
        let reply = ScriptedService.Reply(bytes: Array(body.utf8))
        let script = ["GET /v1/events": [reply]]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                ["history", "--format", form, "--order", "oldest", "--reason", "a+b"],
                service: url
            )
            #expect(run.code == Int32(code), "\(run.errors)")
            #expect(run.output == body)
            #expect(service.requests.last == "GET /v1/events?reason=a%2Bb&order=oldest")
            #expect(run.errors.contains("cut short") == (code == 1))
        }
    }

    @Test(arguments: [
        ["--format", "csv"], ["--order", "oldest"], ["--all"], ["--limit", "5"],
    ])
    func `what is followed has no end and no order`(_ more: [String]) async throws {
        let run = try await plimsoll(["history", "--follow"] + more, service: "http://127.0.0.1:9")
        #expect(run.code == 2)
    }

    private func event(_ position: Int) throws -> JSONValue {
        .object([
            "position": .integer(Int64(position)), "id": .string(Samples.alice.text),
            "type": "ThresholdSet", "stream": "app/harbour", "revision": 1,
            "recordedAt": .string(Samples.instant.rfc3339), "reason": "Because",
            "command": .string(Samples.alice.text), "actor": .string(Samples.alice.text),
            "token": nil, "request": nil, "correlation": .string(Samples.alice.text),
            "causation": nil,
            "data": ["platform": "ios", "threshold": "minimumApp", "value": "3.2.0"],
            "app": "harbour", "change": "17", "sentence": "iOS minimum app 3.1.0 → 3.2.0",
            "fields": [
                ["field": "ios.minimumApp.value", "before": "3.1.0", "after": "3.2.0"]
            ],
            "differences": [],
        ])
    }

    // A reader that is gone ends what has no end of its own.
    @Test func `what cannot be shown any more is not followed`() async throws {
        let told = String(decoding: try event(7).canonicalBytes(), as: UTF8.self)
        let feed = Reply(bytes: Array("id: 7\ndata: \(told)\n\n".utf8))
        try await ScriptedService.with(try replies(["GET /v1/events": [feed]])) { service, url in
            let follow = ["history", "--follow", "--format", "table"]
            let run = try await plimsoll(follow, service: url, onFullDisk: true)
            #expect(run.code == 1)
            #expect(service.requests.filter { $0.hasPrefix("GET /v1/events") }.count == 1)
        }
    }

    // Method: it answers as proxies do, then the service is crowded, and then it refuses, which is
    // the end.
    @Test(arguments: [502, 503, 504])
    func `what is followed goes on behind a proxy that lost the service`(
        _ status: Int
    ) async throws {
        let away = Reply(bytes: Array("<html>".utf8), HTTPResponse.Status(code: status))
        let refused = Reply(Problem(.forbidden, detail: "No."))
        let crowded = Reply(Problem(.tooManyRequests, detail: "Later."))
        let script = try replies(["GET /v1/events": [away, crowded, refused]])
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(["history", "--follow"], service: url)
            #expect(run.code == 1, "\(run.errors)")
            #expect(service.requests.filter { $0.hasPrefix("GET /v1/events") }.count == 3)
        }
    }

    @Test func `history follows the parts until it has enough`() async throws {
        func part(_ positions: [Int], _ next: JSONValue) throws -> Reply {
            let list: JSONObject = ["events": .array(try positions.map(event)), "next": next]
            return Reply(bytes: list.canonicalBytes())
        }
        let script = try replies([
            "GET /v1/events": [try part([5, 4], "a"), try part([3, 2], "b"), try part([1], nil)]
        ])
        try await ScriptedService.with(script) { service, url in
            let some = try await plimsoll(
                ["history", "--limit", "3", "--app", "harbour"],
                service: url
            )
            #expect(try some.json()["next"] == "b")
            let asked = service.requests.filter { $0.hasPrefix("GET /v1/events") }
            #expect(
                asked == [
                    "GET /v1/events?app=harbour&limit=3",
                    "GET /v1/events?app=harbour&limit=1&cursor=a",
                ]
            )
        }
        try await ScriptedService.with(script) { _, url in
            let all = try await plimsoll(["history", "--all"], service: url)
            #expect(try all.json()["events"]?.array?.count == 5)
            #expect(try all.json()["next"] == JSONValue.null)
        }
        try await ScriptedService.with(script) { _, url in
            let table = try await plimsoll(["history", "--format", "table"], service: url)
            #expect(table.output.contains("iOS minimum app 3.1.0 → 3.2.0"))
        }
    }

    @Test func `history is narrowed as the record is`() async throws {
        let none = Reply(bytes: Array(#"{"events": [], "next": null}"#.utf8))
        try await ScriptedService.with(try replies(["GET /v1/events": [none]])) { service, url in
            let run = try await plimsoll(
                [
                    "history", "--field", "ios.minimumApp.value", "--change", "17", "--platform",
                    "ios", "--reason", "loses data", "--correlation",
                    "01934cf0-0000-7000-8000-000000000005",
                ],
                service: url
            )
            #expect(run.code == 0)
            let asked = try #require(service.requests.last { $0.hasPrefix("GET /v1/events") })
            for part in [
                "field=ios.minimumApp.value", "change=17", "platform=ios", "reason=loses%20data",
                "correlation=01934cf0-0000-7000-8000-000000000005",
            ] {
                #expect(asked.contains(part))
            }
            for wrong in [["--field", "minimumApp"], ["--correlation", "x"], ["--reason", ""]] {
                #expect(try await plimsoll(["history"] + wrong, service: url).code == 2)
            }
        }
    }

    @Test func `nobody of that name did anything`() async throws {
        try await ScriptedService.with(try replies()) { _, url in
            let run = try await plimsoll(["history", "--actor", "nobody"], service: url)
            #expect(run.code == 1)
        }
    }

    @Test func `a new token's secret can be had alone`() async throws {
        let token = TokenAnswer(
            id: try #require(TokenID(Samples.alice.text)),
            principal: Samples.alice,
            name: "alice",
            roles: [RoleGrant(.proposer, in: .app(try Samples.slug()))],
            expiresAt: nil
        )
        let issued = IssuedTokenAnswer(token: token, secret: "plm_secret")
        let script = try replies(["POST /v1/tokens": [Reply(issued, .created)]])
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                [
                    "token", "create", "--name", "alice", "--role", "proposer@harbour",
                    "--role", "viewer", "--quiet", "--format", "table",
                ],
                service: url
            )
            #expect(run.output == "plm_secret\n")
            #expect(
                try service.seen.last?.json()["roles"] == [
                    ["role": "proposer", "app": "harbour"], ["role": "viewer"],
                ]
            )
        }
    }

    @Test func `without a token nothing is asked`() async throws {
        try await ScriptedService.with(try replies()) { service, url in
            for token in [nil, "", "secret", "plm_a b"] {
                let run = try await plimsoll(["get"], service: url, token: token)
                #expect(run.code == 4)
                #expect(!run.errors.contains("plm_a b"))
            }
            #expect(service.requests.isEmpty)
        }
    }

    @Test func `a token can lie in a file`() async throws {
        try await ScriptedService.with(try replies()) { service, url in
            try await withFile("token", Array("plm_filed\n".utf8)) { path in
                let run = try await plimsoll(
                    ["apps", "--token-file", path],
                    service: url,
                    token: nil
                )
                #expect(run.code == 0)
                #expect(service.seen.last?.headers["authorization"] == "Bearer plm_filed")
            }
        }
    }

    @Test func `a service that is not there is named`() async throws {
        let run = try await plimsoll(["get"], service: "http://127.0.0.1:9")
        #expect(run.code == 1)
        #expect(run.errors.contains("http://127.0.0.1:9"))
        #expect(run.errors.contains("refused"))
        #expect(run.errors.contains("plimsoll doctor"))
    }

    @Test func `an option that is not known never leads to a confirmation`() async throws {
        let command = ["change", "approve", "17", "--app", "harbour"]
        let run = try await plimsoll(command, service: "http://127.0.0.1:9")
        #expect(run.code == 2)
        #expect(run.errors.contains("Unknown option '--app'"), "\(run.errors)")
        #expect(!run.errors.contains("--yes'"), "\(run.errors)")
    }

    @Test func `the doctor says what to do`() async throws {
        let run = try await plimsoll(["doctor"], service: "http://127.0.0.1:9")
        #expect(run.code == 1)
        let checks = try run.json()["checks"]?.array ?? []
        let service = try #require(checks.first { $0["name"] == "service" })
        #expect(service["ok"] == false)
        #expect(service["remedy"]?.string?.contains("plimsoll serve") == true)
        // What nobody could look at is not said to be well.
        for name in ["times", "reviews", "webhooks", "publication", "data", "database"] {
            let check = try #require(checks.first { $0["name"]?.string == name }, "\(name)")
            #expect(check["ok"] == .null && check["checked"] == false, "\(check)")
        }
        #expect(try run.json()["complete"] == false)
    }

    @Test func `the doctor reads the list of caches as the service does`() async throws {
        let run = try await plimsoll(
            ["doctor"],
            service: "http://127.0.0.1:9",
            more: ["PLIMSOLL_EXPORT_PURGE_BASES": " http://127.0.0.1:9,\thttp://127.0.0.2:9 , ,"]
        )
        #expect(run.code == 1, "\(run.errors)")
        let names = try run.json()["checks"]?.array?.compactMap { $0["name"]?.string } ?? []
        let edges = names.filter { $0.hasPrefix("edge") }
        #expect(edges == ["edge http://127.0.0.1:9", "edge http://127.0.0.2:9"])
    }

    @Test func `the doctor passes over no certificate that has an empty name`() async throws {
        let command = ["doctor", "--tls-certificate", ""]
        let run = try await plimsoll(command, service: "http://127.0.0.1:9")
        #expect(run.code == 2)
        #expect(run.errors.contains("--tls-certificate is empty"), "\(run.errors)")
    }
}
