import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace
import PlimsollTestSupport
import Testing

/// The commands of marketplaces, against a real HTTP server that answers what it is told.
struct MarketplaceTests {
    private typealias Reply = ScriptedService.Reply

    private let path = "/v1/apps/tidewater/marketplace"
    private let unknown = Problem(
        .notFound,
        detail: "The app tidewater is no marketplace.",
        errors: [
            Problem.Fault(
                at: .body(""),
                code: "marketplaceUnknown",
                detail: "The app tidewater is no marketplace.",
                remedy: "Say first what the marketplace is."
            )
        ]
    )

    private func marketplace() -> Reply {
        Reply(
            MarketplaceAnswer(
                app: slug("tidewater"),
                position: Position(12),
                marketplace: sampleMarketplace()
            )
        )
    }

    private func list(withdrawn: [UInt64] = []) -> PackageList {
        PackageList(
            app: harbour,
            position: Position(40),
            listings: [
                ListingAnswer(
                    app: harbour,
                    marketplace: slug("tidewater"),
                    listing: sampleListing()
                )
            ],
            packages: [
                PackageAnswer(samplePackage(7), .offered),
                PackageAnswer(samplePackage(5), .available),
            ],
            offered: [versionID(7)],
            withdrawn: withdrawn.map(versionID),
            awaited: [packageID("p-9")]
        )
    }

    private let facts = [
        "--item", "6497405838", "--domain", "market.example.com",
        "--restore", "https://market.example.com/restore",
        "--updates", "https://market.example.com/updates",
        "--dynamic-license", "https://market.example.com/licenses",
        "--signing-certificate", "https://market.example.com/signing.cer",
        "--encryption-certificate", "https://market.example.com/encryption.cer",
    ]

    @Test func `a first marketplace is set without a question`() async throws {
        let script = ["GET \(path)": [Reply(unknown)], "PUT \(path)": [marketplace()]]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                ["marketplace", "set", "tidewater"] + facts,
                service: url
            )
            #expect(run.code == 0, "\(run.errors)")
            let sent = try #require(service.seen.last)
            #expect(sent.headers["if-match"] == nil)
            #expect(try sent.json()["pollingInterval"] == 24)
            #expect(try sent.json()["domains"] == ["market.example.com"])
            #expect(try run.json()["position"] == 12)
        }
    }

    @Test func `of a marketplace that is there what is not named stays, and it is asked`()
        async throws
    {
        let script = ["GET \(path)": [marketplace()], "PUT \(path)": [marketplace()]]
        let command = ["marketplace", "set", "tidewater", "--polling-interval", "48"]
        try await ScriptedService.with(script) { service, url in
            let unasked = try await plimsoll(command, service: url)
            #expect(unasked.code == 2 && unasked.errors.contains("--yes"))
            let run = try await plimsoll(command + ["--yes"], service: url)
            #expect(run.code == 0, "\(run.errors)")
            let sent = try #require(service.seen.last)
            #expect(sent.headers["if-match"] == "\"12\"")
            #expect(try sent.json()["pollingInterval"] == 48)
            #expect(try sent.json()["overrides"]?.array?.count == 1)
            let seen = try await plimsoll(command + ["--seen", "11"], service: url)
            #expect(seen.code == 0)
            #expect(service.seen.last?.headers["if-match"] == "\"11\"")
        }
    }

    @Test(arguments: [
        (#"{"item": "0"}"#, "item"), (#"{"items": "1"}"#, "items"), ("[]", "no marketplace"),
        ("{", "no marketplace"), ("", "no marketplace"),
        (#"{"restore": "http://market.example.com/"}"#, "restore"),
    ])
    func `what is no marketplace is told of before anything is sent`(
        _ text: String,
        _ words: String
    ) async throws {
        let script = ["GET \(path)": [Reply(unknown)]]
        try await withFile("marketplace.json", Array(text.utf8)) { file in
            try await ScriptedService.with(script) { service, url in
                let run = try await plimsoll(
                    ["marketplace", "set", "tidewater", "--file", file],
                    service: url
                )
                #expect(run.code == 2)
                #expect(run.errors.contains(words), "\(run.errors)")
                #expect(!service.requests.contains("PUT \(path)"))
            }
        }
    }

    @Test(arguments: [([], "It opens"), (["--reason", "It moves"], "It moves")])
    func `a marketplace on standard input is read once, with its reason`(
        _ options: [String],
        _ reason: String
    ) async throws {
        let script = ["GET \(path)": [Reply(unknown)], "PUT \(path)": [marketplace()]]
        var form = MarketplaceForm(marketplace: sampleMarketplace()).json
        form["reason"] = "It opens"
        let text = String(decoding: form.canonicalBytes(), as: UTF8.self)
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                ["marketplace", "set", "tidewater", "--file", "-"] + options,
                service: url,
                input: text
            )
            #expect(run.code == 0, "\(run.errors)")
            let sent = try #require(service.seen.last).json()
            #expect(sent["reason"]?.string == reason)
            #expect(sent["domains"] == form["domains"])
        }
    }

    @Test func `a marketplace is removed by who saw it`() async throws {
        let script = [
            "GET \(path)": [marketplace()], "DELETE \(path)": [Reply(bytes: [], .noContent)],
        ]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                ["marketplace", "remove", "tidewater", "--reason", "It closes", "--yes"],
                service: url
            )
            #expect(run.code == 0, "\(run.errors)")
            #expect(service.seen.last?.headers["if-match"] == "\"12\"")
        }
    }

    // Goal: who was not answered can ask again. Method: the marketplace as it was and as it is by then,
    // without a key and with one.
    @Test func `a marketplace is set and removed again under a key, whatever it is by now`()
        async throws
    {
        let before = [marketplace()]
        let removing = ["marketplace", "remove", "tidewater", "--reason", "It closes", "--yes"]
        let setting = ["marketplace", "set", "tidewater", "--yes"] + facts
        var inputs: [[String]: [String?]] = [:]
        for reply in [before, [Reply(unknown)]] {
            let script = [
                "GET \(path)": reply, "DELETE \(path)": [Reply(bytes: [], .noContent)],
                "PUT \(path)": [marketplace()],
            ]
            try await ScriptedService.with(script) { service, url in
                for command in [removing, setting] {
                    let run = try await plimsoll(
                        command + ["--idempotency-key", "k"],
                        service: url
                    )
                    #expect(run.code == 0, "\(run.errors)")
                    inputs[command, default: []].append(service.input)
                }
            }
        }
        for command in [removing, setting] {
            let said = inputs[command] ?? []
            #expect(said.count == 2 && said[0] != nil && said[0] == said[1])
        }
        try await ScriptedService.with(["GET \(path)": [Reply(unknown)]]) { service, url in
            let run = try await plimsoll(removing, service: url)
            #expect(run.code == 1)
            #expect(service.requests == ["GET \(path)"])
        }
    }

    @Test func `packages are listed and shown, and what there is not is said`() async throws {
        let script = ["GET /v1/apps/harbour/packages": [Reply(list(withdrawn: [3]))]]
        try await ScriptedService.with(script) { _, url in
            let table = try await plimsoll(
                ["marketplace", "package", "list", "--app", "harbour", "--format", "table"],
                service: url
            )
            #expect(table.output.contains("awaited    p-9"))
            #expect(table.output.contains("withdrawn  3"))
            let show = ["marketplace", "package", "show", "--app", "harbour"]
            let known = try await plimsoll(show + ["7"], service: url)
            #expect(try known.json()["state"] == "offered")
            let none = try await plimsoll(show + ["8"], service: url)
            #expect(none.code == 1 && none.errors.contains("no package of version 8"))
            let listings = try await plimsoll(
                ["marketplace", "listing", "list", "--app", "harbour"],
                service: url
            )
            #expect(try listings.json()["listings"]?.array?.first?["marketplace"] == "tidewater")
        }
    }

    @Test func `a withdrawal is shown and asked for, and says who looks at it`() async throws {
        let review = OrderedReview(
            position: Position(41),
            order: ReviewOrder(owner: Samples.alice, role: .approver, due: Samples.instant),
            reviewers: []
        )
        let answer = WithdrawalAnswer(
            list: list(withdrawn: [7]),
            taken: [versionID(7)],
            review: review,
            checks: [
                CheckFinding(
                    .minimumNotOffered,
                    Field(.ios, .minimumApp, .value),
                    "There is nothing to install."
                )
            ]
        )
        let script = [
            "POST /v1/apps/harbour/packages/withdraw": [Reply(answer)],
            "GET /v1/tokens": [Reply(TokenList(tokens: []))],
        ]
        let command = [
            "marketplace", "withdraw", "7", "--app", "harbour", "--reason", "It leaks",
        ]
        try await ScriptedService.with(script) { service, url in
            let unasked = try await plimsoll(command, service: url)
            #expect(unasked.code == 2 && service.requests.isEmpty)
            let run = try await plimsoll(command + ["--yes", "--format", "table"], service: url)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("offered no more: 7"))
            #expect(run.output.contains("in the role approver until"))
            #expect(run.output.contains("minimumNotOffered: There is nothing to install."))
            #expect(run.errors.contains("plimsoll reviews show 41"))
            let sent = service.seen.first { $0.method == "POST" }
            #expect(try sent?.json()["versions"] == ["7"])
            let dry = try await plimsoll(command + ["--dry-run"], service: url)
            #expect(try dry.json()["dryRun"] == true)
        }
    }

    @Test func `what is offered is proposed as edits, and as a list`() async throws {
        let script = [
            "GET /v1/apps": [Reply(AppList(apps: [try Samples.app()]))],
            "POST /v1/apps/harbour/changes": [Reply(try Samples.change(.proposed), .created)],
            "GET /v1/tokens": [Reply(TokenList(tokens: []))],
        ]
        let rows: [([String], JSONValue)] = [
            (
                ["marketplace", "package", "offer", "7", "--place", "0"],
                ["op": "insertPackage", "platform": "ios", "version": "7", "at": 0]
            ),
            (
                ["marketplace", "package", "move", "7", "--to", "2"],
                ["op": "movePackage", "platform": "ios", "version": "7", "to": 2]
            ),
            (
                ["marketplace", "package", "stop", "7"],
                ["op": "removePackage", "platform": "ios", "version": "7"]
            ),
            (
                ["propose", "--packages", "7,18446744073709551615"],
                [
                    "op": "setPackages", "platform": "ios",
                    "packages": ["7", "18446744073709551615"],
                ]
            ),
            (
                ["propose", "--clear", "ios.packages"],
                ["op": "setPackages", "platform": "ios", "packages": []]
            ),
        ]
        try await ScriptedService.with(script) { service, url in
            for (words, operation) in rows {
                let run = try await plimsoll(words + ["--title", "Other"], service: url)
                #expect(run.code == 0, "\(run.errors)")
                let sent = service.seen.last { $0.method == "POST" }
                #expect(try sent?.json()["operations"] == [operation])
            }
        }
    }

    @Test func `an explanation is asked for by what is on the device`() async throws {
        let explanation = Explanation(
            item: sampleListing().item,
            device: InstallingDevice(platform: .ios, system: try #require(AppleVersion("17.4"))),
            installed: versionID(5),
            restore: .init(.failed, nil, .withdrawn),
            updates: .init(.current, nil, nil),
            newer: [.init(versionID(7), nil, .withdrawn, needed: nil)],
            awaited: [packageID("p-9")],
            hours: 48
        )
        let answer = ExplanationAnswer(
            marketplace: slug("tidewater"),
            app: harbour,
            state: .live,
            position: Position(40),
            explanation: explanation
        )
        let script = ["GET \(path)/explain": [Reply(answer)]]
        let command = [
            "marketplace", "explain", "tidewater", "--item", "10737747186", "--installed", "5",
            "--os", "17.4",
        ]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(command + ["--format", "table"], service: url)
            #expect(run.code == 0, "\(run.errors)")
            for words in ["withdrawn", "p-9", "48 hours", "nothing newer"] {
                #expect(run.output.contains(words), "\(run.output)")
            }
            _ = try await plimsoll(command + ["--change", "17"], service: url)
            #expect(service.requests.last?.contains("in=change") == true)
            _ = try await plimsoll(command + ["--event", "9"], service: url)
            #expect(service.requests.last?.contains("in=event") == true)
        }
    }

    @Test(arguments: [
        (["package", "offer", "x", "--title", "x"], "AppleVersionID"),
        (["package", "offer", "7", "--title", "x", "--place", "-1"], "--place"),
        (["package", "ingest", "--address", "https://market.example.com/"], "--manifest"),
        (["package", "ingest", "--address", "http://x", "--manifest", "/dev/null"], "--address"),
        (
            ["package", "ingest", "--address", "https://a.example.com", "--version-id", "7"],
            "--digest"
        ),
        (["withdraw", "--reason", "x"], "AppleVersionIDs"), (["set"], "--file"),
        (["explain", "--item", "0", "--os", "17"], "--item"),
        (["explain", "--item", "1", "--os", "17", "--change", "1", "--event", "2"], "--event"),
        (["listing", "set", "tidewater", "--item", "1", "--bundle", "a b"], "--bundle"),
        (["serve", "--from", "export", "--keys", "keys.json", "--token-key", ""], "--token-key"),
    ])
    func `wrong usage ends with 2, before anybody is asked`(
        _ arguments: [String],
        _ words: String
    ) async throws {
        let run = try await plimsoll(
            ["marketplace"] + arguments,
            service: "http://127.0.0.1:9"
        )
        #expect(run.code == 2)
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test func `a key that cannot be read is called as the option is`() async throws {
        let run = try await plimsoll(
            [
                "marketplace", "ingest", "--app", "harbour", "--version", "v-1", "--issuer", "i",
                "--key-id", "KEY1", "--key", "/nowhere/key.p8", "--folder", "/nowhere",
                "--address", "https://market.example.com/packages/",
            ],
            service: "http://127.0.0.1:9"
        )
        #expect(run.code != 0)
        #expect(run.errors.contains("The setting --key needs to be"), "\(run.errors)")
    }
}
