import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

/// Rolling back and waiting for phones, against a real HTTP server that answers what it is told.
struct RollingBackTests {
    private typealias Reply = ScriptedService.Reply

    private static let edgePath = "GET /distribution/harbour/availability-ios"
    private let publisher = Publisher()
    private let rollback = [
        "rollback", "--to-event", "30", "--reason", "3.2.0 is not in the store",
    ]

    private func replies(served positions: Int...) throws -> [String: [Reply]] {
        let document = try Samples.document(minimumApp: "3.1.0")
        return [
            "GET /v1/apps": [Reply(AppList(apps: [try Samples.app()]))],
            "POST /v1/apps/harbour/rollback": [Reply(try Samples.receipt(at: 61))],
            "GET /v1/keys": [Reply(try Samples.keys(publisher))],
            Self.edgePath: try positions.map {
                try Reply(try Samples.served(document, at: $0), signedBy: publisher)
            },
        ]
    }

    @Test func `without a terminal nothing is rolled back unless it is confirmed`() async throws {
        let arguments = rollback
        try await ScriptedService.with(try replies()) { service, url in
            let run = try await plimsoll(arguments, service: url)
            #expect(run.code == 2)
            #expect(service.requests.isEmpty)
        }
    }

    @Test func `a confirmed rollback with a named app is one request`() async throws {
        let arguments = rollback + ["--yes", "--app", "harbour", "--platform", "ios"]
        try await ScriptedService.with(try replies()) { service, url in
            let run = try await plimsoll(arguments, service: url)
            #expect(run.code == 0)
            #expect(try run.json()["sequence"] == 61)
            #expect(try run.json()["served"] == nil)
            #expect(service.requests == ["POST /v1/apps/harbour/rollback"])
            let sent = try #require(service.seen.last).json()
            #expect(sent["to"] == ["event": 30])
            #expect(sent["platforms"] == ["ios"])
            #expect(sent["undoing"] == 0)
            _ = try await plimsoll(arguments + ["--undoing", "2"], service: url)
            #expect(try #require(service.seen.last).json()["undoing"] == 2)
        }
    }

    @Test func `one change is taken back in its own app, with what is to be kept`() async throws {
        let script = try replies().merging([
            "GET /v1/changes/2": [Reply(try Samples.change(.applied))]
        ]) { _, new in new }
        try await ScriptedService.with(script) { service, url in
            let arguments = [
                "revert", "2", "--keep", "ios.minimumApp.title.en", "--reason", "Not in the store",
            ]
            let unconfirmed = try await plimsoll(arguments, service: url)
            #expect(unconfirmed.code == 2)
            #expect(service.requests.isEmpty)
            let run = try await plimsoll(
                arguments + ["--yes", "--format", "table"],
                service: url
            )
            #expect(run.code == 0, "\(run)")
            #expect(run.output.contains("harbour on iOS, change 2 taken back: done as event 61"))
            let sent = try #require(service.seen.first { $0.method == "POST" }).json()
            #expect(sent["to"] == ["revert": "2"])
            #expect(sent["keep"] == ["ios.minimumApp.title.en"])
            #expect(sent["undoing"] == .null)
        }
    }

    @Test func `a dry run needs no confirmation and writes nothing`() async throws {
        let arguments = rollback + ["--dry-run"]
        let review = ReviewOrder(owner: Samples.alice, role: .approver, due: Samples.instant)
        let script = try replies().merging([
            "POST /v1/apps/harbour/rollback": [Reply(try Samples.receipt(at: nil, review))]
        ]) { _, new in new }
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(arguments + ["--format", "table"], service: url)
            #expect(run.code == 0)
            for line in [
                "iOS minimum app 3.1.0 → 3.2.0", "suspends   changes 4, 9", "undoes     change 2",
                "of others  change 2 (--undoing 1 with --yes)",
                "stale      change 7", "kept under change 8",
                "caches keep the old document for up to 90 s",
                "app 3.1.0 (below the minimum): does not run, offers the update → runs",
                "review by somebody else in the role approver until \(Samples.instant)",
                "target     of 2023-11-14T22:13:20.000Z; last written by event 29, change 1 by",
                "check     minimumLowered: ios.minimumApp.value falls from 3.2.0 to 3.1.0",
            ] {
                #expect(run.output.contains(line), "\(line) is not in \(run.output)")
            }
            #expect(!run.output.contains("calls off"))
            let writes = service.requests.filter { $0.hasPrefix("POST") }
            #expect(writes == ["POST /v1/apps/harbour/rollback?dryRun=true"])
        }
    }

    @Test func `a dry run shows what it would move of every release that is known`() async throws {
        let live = try Samples.document(minimumApp: "3.1.0")
        let releases = ["3.1.0", "3.2.0"].map { version in
            Release(
                platform: .ios,
                version: dotted(version),
                facts: ReleaseFacts(system: dotted("15"))
            )
        }
        let script = try replies().merging([
            "POST /v1/apps/harbour/rollback": [Reply(try Samples.receipt(at: nil))],
            "GET /v1/apps/harbour": [Reply(try Samples.app())],
            "GET /v1/apps/harbour/releases": [
                Reply(ReleaseList(app: harbour, position: Position(42), releases: releases))
            ],
            "GET /v1/apps/harbour/documents/ios": [Reply(try Samples.answer(live))],
            "GET /v1/apps/harbour/prince-of-versions": [
                Reply(
                    PrinceOfVersionsAnswer(
                        app: harbour,
                        position: Position(42),
                        document: [:],
                        offers: [.ios: [.nothing(on: .ios)]],
                        notes: []
                    )
                )
            ],
        ]) { _, new in new }
        let arguments = rollback + ["--dry-run", "--matrix"]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(arguments + ["--format", "table"], service: url)
            #expect(run.code == 0, "\(run)")
            #expect(run.output.contains("VERSION  iOS 14  iOS 15"))
            #expect(run.output.contains("runs → blocked; offers: no update"))
            #expect(run.output.contains("1 of these devices show something else."))
            let json = try await plimsoll(arguments, service: url).json()
            let whole = try #require(json["matrix"]?.array?.first)
            #expect(whole["moved"] == 1)
            #expect(whole["to"] == ["state": "rollback:event:30", "position": 30])
            let only = try await plimsoll(arguments + ["--only", "ios.minimumApp"], service: url)
            let part = try #require(try only.json()["matrix"]?.array?.first)
            #expect(part["moved"] == 1)
            #expect(part["to"] == .null)
            let fields = try Samples.effect().map { JSONValue.string($0.field.path) }
            #expect(part["fields"] == .array(fields))
            #expect(!service.requests.contains { $0.hasPrefix("POST") && !$0.contains("dryRun") })
        }
    }

    @Test func `the matrix is of a dry run alone`() async throws {
        let run = try await plimsoll(
            rollback + ["--yes", "--matrix"],
            service: "http://127.0.0.1:9"
        )
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
    }

    @Test func `it waits until phones are served the new state`() async throws {
        let arguments = rollback + ["--yes", "--wait"]
        try await ScriptedService.with(try replies(served: 40, 40, 61)) { service, url in
            let run = try await plimsoll(arguments, service: url, edge: url)
            #expect(run.code == 0)
            #expect(service.requests.filter { $0 == Self.edgePath }.count == 3)
            let served = try #require(run.json()["served"])
            #expect(served["event"] == 61)
            #expect(served["sequence"] == 61)
            #expect(served["keyId"]?.string == publisher.keyID)
            #expect(served["verifiedAt"]?.string.flatMap(Instant.init(rfc3339:)) != nil)
        }
    }

    @Test func `a person sees the receipt, and what is served behind it`() async throws {
        let arguments = rollback + ["--yes", "--wait", "--format", "table"]
        try await ScriptedService.with(try replies(served: 40, 61)) { service, url in
            let run = try await plimsoll(arguments, service: url, edge: url)
            #expect(run.code == 0, "\(run)")
            let lines = run.output.split(separator: "\n")
            #expect(lines.first?.contains("done as event 61, ordered as sequence 61") == true)
            let proof = "served     event 61, sequence 61, signed by key \(publisher.keyID), "
            #expect(lines.last?.hasPrefix(proof) == true, "\(run.output)")
        }
    }

    // Goal: nobody is told that phones have what was taken back before they saw it. Method: the edge
    // serves a later event; the service says what was written since, which is or is not of it.
    @Test func `what was overwritten before phones saw it ends with 5`() async throws {
        let undone = try Samples.document(minimumApp: "3.2.0", "Update, please.").changes(
            to: Samples.document(minimumApp: "3.1.0")
        )
        var other = try Samples.document(minimumApp: "3.1.0")
        other[.minimumOS].value = .dotted(try #require(AppleVersion("15")))
        let elsewhere = try Samples.document(minimumApp: "3.1.0").changes(to: other)
        for (changes, code) in [(undone, 5), (elsewhere, 0), ([], 0)] as [([FieldChange], Int32)] {
            let script = try replies(served: 70).merging(overtaking(changes)) { _, new in new }
            let arguments = rollback + ["--yes", "--wait"]
            try await ScriptedService.with(script) { service, url in
                let run = try await plimsoll(arguments, service: url, edge: url)
                #expect(run.code == code, "\(run.errors)")
                #expect(run.errors.contains("rolled back by event 68") == (code == 5))
                let next = "plimsoll history --app harbour --field ios.minimumApp.value"
                #expect(run.errors.contains(next) == (code == 5))
                let asked = "GET /v1/apps/harbour/diff?from=event"
                #expect(service.requests.contains { $0.hasPrefix(asked) })
            }
        }
    }

    // Goal: a service that is away for a moment does not make a done write look like a failed one.
    // Method: what was written since is asked for twice, and who took it back is not told at all.
    @Test func `a service that is away while phones are waited for is asked again`() async throws {
        let away = Reply(Problem(.unavailable, detail: "The database cannot be reached."))
        let undone = try Samples.document(minimumApp: "3.2.0", "Update, please.").changes(
            to: Samples.document(minimumApp: "3.1.0")
        )
        for (changes, code) in [([], 0), (undone, 5)] as [([FieldChange], Int32)] {
            var script = try replies(served: 70).merging(overtaking(changes)) { _, new in new }
            script["GET /v1/apps/harbour/diff"]?.insert(away, at: 0)
            script["GET /v1/apps/harbour/documents/ios/history"] = [away]
            try await ScriptedService.with(script) { service, url in
                let run = try await plimsoll(
                    rollback + ["--yes", "--wait"],
                    service: url,
                    edge: url
                )
                #expect(run.code == code, "\(run.errors)")
                #expect(
                    run.errors.contains("a later event has taken it back") == (code == 5),
                    "\(run.errors)"
                )
                let asked = service.requests.filter { $0.hasPrefix("GET /v1/apps/harbour/diff") }
                #expect(asked.count == 2)
            }
        }
    }

    // A pipe says it once, and whoever waits asks the service a second time.
    @Test func `a token from a pipe lasts until phones have it`() async throws {
        let arguments = rollback + ["--yes", "--wait", "--token-file=-"]
        try await ScriptedService.with(try replies(served: 61)) { service, url in
            let run = try await plimsoll(
                arguments,
                service: url,
                edge: url,
                token: nil,
                input: "plm_piped\n"
            )
            #expect(run.code == 0, "\(run.errors)")
            let tokens = service.seen.filter { $0.path.hasPrefix("/v1/") }
                .map { $0.headers["authorization"] }
            #expect(tokens.count == 3 && tokens.allSatisfy { $0 == "Bearer plm_piped" })
        }
    }

    private func overtaking(_ changes: [FieldChange]) throws -> [String: [Reply]] {
        let side = DiffAnswer.Side(name: .live, position: Position(70))
        let diff = DiffAnswer(app: try Samples.slug(), from: side, to: side, changes: changes)
        let origin = FieldOrigin(author: Samples.alice, approvers: [], change: nil, reason: nil)
        let writes = changes.map { change in
            FieldHistoryAnswer.Write(
                change: change,
                event: Position(68),
                recordedAt: Samples.instant,
                origin: origin
            )
        }
        let history = FieldHistoryAnswer(
            app: try Samples.slug(),
            field: Field(.ios, .minimumApp, .value),
            writes: writes.filter { $0.change.field.part == .value },
            next: nil
        )
        return [
            "GET /v1/apps/harbour/diff": [Reply(diff)],
            "GET /v1/apps/harbour/documents/ios/history": [Reply(history)],
        ]
    }

    @Test func `what phones are not served in time ends with 7, and says that it is done`()
        async throws
    {
        let arguments = rollback + ["--yes", "--wait=300ms"]
        try await ScriptedService.with(try replies(served: 40)) { _, url in
            let run = try await plimsoll(arguments, service: url, edge: url)
            #expect(run.code == 7)
            #expect(try run.json()["position"] == 61)
            #expect(try run.json()["served"] == .null)
            #expect(run.errors.contains("The write itself is done."))
        }
    }

    /// What an edge may serve that bears a high position and that no phone takes.
    private func untrusted() throws -> [(reply: Reply, reason: String)] {
        let document = try Samples.document(minimumApp: "3.1.0")
        let body = try Samples.served(document, at: 900)
        let signed = try Reply(body, signedBy: publisher)
        return [
            (Reply(bytes: body), "The header x-amz-meta-signature is missing."),
            (try Reply(body, signedBy: Publisher()), "which is not trusted here."),
            (
                try Reply(body, signedBy: Publisher(keyID: publisher.keyID)),
                "does not fit the bytes."
            ),
            (Reply(bytes: body + [0x20], headers: signed.headers), "does not fit the bytes."),
            (
                try Reply(
                    Samples.served(document, at: 900, of: "tug"),
                    signedBy: publisher
                ),
                "another app's document."
            ),
            (
                try Reply(
                    Samples.served(Document(platform: .macos), at: 900),
                    signedBy: publisher
                ),
                ""
            ),
        ]
    }

    @Test(arguments: 0..<6)
    func `what phones would refuse is not served, whatever position it bears`(
        number: Int
    ) async throws {
        let all = try untrusted()
        try #require(all.count == 6)
        let (reply, reason) = all[number]
        let script = try replies().merging([Self.edgePath: [reply]]) { _, new in new }
        // The first look has to be over by then, however much runs beside it.
        let arguments = rollback + ["--yes", "--wait=20s"]
        try await ScriptedService.with(script) { _, url in
            let run = try await plimsoll(arguments, service: url, edge: url)
            #expect(run.code == 7)
            #expect(run.errors.contains("\(reason) The write itself is done."), "\(run.errors)")
            #expect(!run.errors.contains("Phones are served"))
        }
    }

    @Test func `a key that the service learns of while it waits is trusted`() async throws {
        let arguments = rollback + ["--yes", "--wait"]
        let script = try replies(served: 61).merging([
            "GET /v1/keys": [
                Reply(KeyList(keys: [])), Reply(try Samples.keys(publisher, of: "tug")),
                Reply(try Samples.keys(publisher)),
            ]
        ]) { _, new in new }
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(arguments, service: url, edge: url)
            #expect(run.code == 0, "\(run.errors)")
            #expect(service.requests.filter { $0 == "GET /v1/keys" }.count == 3)
        }
    }

    @Test func `nobody waits without knowing where phones are served`() async throws {
        let arguments = rollback + ["--yes", "--wait"]
        try await ScriptedService.with(try replies()) { service, url in
            let run = try await plimsoll(arguments, service: url)
            #expect(run.code == 2)
            #expect(service.requests.isEmpty)
        }
    }
}
