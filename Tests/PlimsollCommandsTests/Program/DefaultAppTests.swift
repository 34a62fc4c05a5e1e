import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// `plimsoll apps default`, against a real HTTP server.
struct DefaultAppTests {
    private typealias Reply = ScriptedService.Reply

    private let path = "/v1/apps/ferry/default"

    private func answer(at position: Int? = nil) throws -> DefaultAppAnswer {
        let (harbour, ferry) = (try Samples.slug(), try #require(AppSlug("ferry")))
        let before = DefaultAppAnswer.Document(
            app: harbour,
            sequence: SnapshotSequence(rawValue: 40)
        )
        let after = DefaultAppAnswer.Document(app: ferry, sequence: SnapshotSequence(rawValue: 43))
        let id = try #require(KeyID("3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"))
        return DefaultAppAnswer(
            app: ferry,
            from: harbour,
            position: position.map { Position($0) },
            addresses: [
                .init(path: "/distribution/availability-ios", before: before, after: after),
                .init(path: "/distribution/availability-android", before: before, after: nil),
                .init(path: "/distribution/availability-macos", before: nil, after: after),
            ],
            keysBefore: [id],
            keysAfter: [id]
        )
    }

    private func script(at position: Int? = nil) throws -> [String: [Reply]] {
        [
            "POST \(path)": [Reply(try answer(at: position))],
            "POST \(path)?dryRun=true": [Reply(try answer())],
            "GET /v1/apps": [Reply(AppList(apps: [try Samples.app()]))],
        ]
    }

    @Test func `a dry run shows every address before and after, and who refuses what comes`()
        async throws
    {
        try await ScriptedService.with(try script()) { service, url in
            let run = try await plimsoll(
                ["apps", "default", "ferry", "--dry-run", "--format", "table"],
                service: url
            )
            #expect(run.code == 0, "\(run.errors)")
            for words in [
                "availability-ios      harbour, sequence 40  ferry, sequence 43 or above",
                "availability-android  harbour, sequence 40  nothing: 404",
                "availability-macos    nothing               ferry, sequence 43 or above",
                "Phones that trust keys of harbour only refuse what they are given there",
            ] {
                #expect(run.output.contains(words), "\(run.output)")
            }
            let sent = try JSONValue(parsing: try #require(service.seen.last).body)
            #expect(sent["from"] == "harbour")
        }
    }

    @Test func `it is done once somebody agreed, and as it was seen`() async throws {
        try await ScriptedService.with(try script(at: 43)) { service, url in
            let silent = try await plimsoll(["apps", "default", "ferry"], service: url)
            #expect(silent.code == 2 && service.requests.isEmpty)
            let run = try await plimsoll(
                ["apps", "default", "ferry", "--yes", "--from", "quay", "--reason", "It may go"],
                service: url
            )
            #expect(run.code == 0, "\(run.errors)")
            #expect(service.requests == ["POST \(path)"])
            let sent = try JSONValue(parsing: try #require(service.seen.last).body)
            #expect(sent["from"] == "quay" && sent["reason"] == "It may go")
            #expect(try run.json()["position"] == 43)
        }
    }

    @Test func `the same command says the same of itself, whichever app was the default one`()
        async throws
    {
        var inputs: [String?] = []
        for slug in ["harbour", "quay"] {
            var script = try script(at: 43)
            script["GET /v1/apps"] = [Reply(AppList(apps: [try Samples.app(slug)]))]
            try await ScriptedService.with(script) { service, url in
                let command = ["apps", "default", "ferry", "--yes", "--idempotency-key", "k"]
                let run = try await plimsoll(command, service: url)
                #expect(run.code == 0, "\(run.errors)")
                #expect(try service.seen.last?.json()["from"] == .string(slug))
                inputs.append(service.input)
            }
        }
        #expect(inputs[0] != nil && inputs[0] == inputs[1])
    }
}
