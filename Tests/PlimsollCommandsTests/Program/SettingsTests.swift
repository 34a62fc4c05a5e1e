import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Showing and changing the settings of an app, against a real HTTP server.
struct SettingsTests {
    private typealias Reply = ScriptedService.Reply

    private let path = "/v1/apps/harbour/settings"

    private func answer(
        at position: Int? = 17,
        with settings: AppSettings? = nil
    ) throws -> SettingsAnswer {
        SettingsAnswer(
            app: try Samples.slug(),
            settings: try settings ?? Samples.app().settings,
            position: position.map { Position($0) },
            by: Samples.alice,
            since: Samples.instant,
            reason: try Reason(validating: "A first try")
        )
    }

    private func script() throws -> [String: [Reply]] {
        [
            "GET \(path)": [Reply(try answer())], "PUT \(path)": [Reply(try answer(at: 44))],
            "GET /v1/apps": [Reply(AppList(apps: [try Samples.app()]))],
        ]
    }

    @Test func `settings are shown in words, and as they are sent`() async throws {
        try await ScriptedService.with(try script()) { service, url in
            let words = try await plimsoll(
                ["apps", "settings", "harbour", "--format", "table"],
                service: url
            )
            #expect(words.code == 0)
            #expect(words.output.hasPrefix("harbour, of event 17\n"))
            #expect(words.output.contains("\nplatforms: ios, android\nlanguages: en\n"))
            #expect(words.output.contains("\nreason  A first try\n"))
            let run = try await plimsoll(["apps", "settings"], service: url)
            #expect(try run.json()["settings"]?["fallbackLanguage"] == "en")
            let earlier = ["apps", "settings", "harbour", "--event", "12"]
            _ = try await plimsoll(earlier, service: url)
            #expect(service.requests.last == "GET \(path)?event=12")
        }
    }

    @Test func `who reads the documents is set, and given up again`() async throws {
        try await ScriptedService.with(try script()) { service, url in
            func sent(_ options: String...) async throws -> JSONValue {
                let command = ["apps", "set", "harbour", "--yes"] + options
                let run = try await plimsoll(command, service: url)
                try #require(run.code == 0, "\(run.errors)")
                return try JSONValue(parsing: try #require(service.seen.last).body)
            }
            let named = try await sent(
                "--read-by",
                "nhs-ios-3.10",
                "--ships-with",
                "cy",
                "--ships-with",
                "en"
            )
            #expect(named["clients"] == ["nhs-ios-3.10"])
            #expect(named["shippedLanguages"] == ["cy", "en"])
            #expect(try await sent("--read-by", "none")["clients"] == [])
            #expect(try await sent("--read-by", "all", "--name", "Quay")["clients"] == nil)
            for wrong in [["--read-by", "nhs"], ["--read-by", "all", "--read-by", "none"]] {
                let run = try await plimsoll(["apps", "set", "harbour"] + wrong, service: url)
                #expect(run.code == 2)
            }
        }
    }

    @Test func `what is not named stays, and the write binds to what was seen`() async throws {
        try await ScriptedService.with(try script()) { service, url in
            let command = [
                "apps", "set", "harbour", "--add-language", "de", "--add-language", "en",
                "--add-platform", "macos", "--profile", "minimal", "--reason", "On Macs too",
            ]
            for (options, tag) in [(["--yes"], "\"17\""), (["--seen", "12"], "\"12\"")] {
                let run = try await plimsoll(command + options, service: url)
                #expect(run.code == 0, "\(run.errors)")
                let sent = try #require(service.seen.last)
                #expect(sent.method == "PUT")
                #expect(sent.headers["if-match"] == tag)
                #expect(
                    try sent.json() == [
                        "name": "Harbour", "platforms": ["ios", "android", "macos"],
                        "languages": ["en", "de"], "fallbackLanguage": "en",
                        "profile": "minimal", "princeOfVersions": "modern",
                        "reason": "On Macs too",
                    ]
                )
            }
            let whole = [
                "apps", "set", "--language", "cy", "--language", "de", "--fallback", "cy",
                "--name", "Quay", "--prince-of-versions", "all", "--dry-run",
            ]
            let tried = try await plimsoll(whole, service: url)
            #expect(try tried.json()["dryRun"] == true)
            #expect(service.requests.last == "PUT \(path)?dryRun=true")
            let sent = try #require(service.seen.last).json()
            #expect(sent["languages"] == ["cy", "de"] && sent["name"] == "Quay")
            #expect(sent["princeOfVersions"] == "all" && sent["profile"] == "complete")
        }
    }

    // Method: an app of which nothing is as usual, so that what is forgotten would become so.
    @Test func `every option sets what it names, and leaves the rest`() async throws {
        var unusual = try Samples.app().settings
        unusual.languages += [try #require(LanguageTag("cy"))]
        (unusual.profile, unusual.princeClients) = (.versionThree, .all)
        (unusual.shippedLanguages, unusual.clients) = (unusual.languages, [])
        let known = unusual.json
        let options: [(member: String, [String])] = [
            ("name", ["--name", "Quay"]), ("platforms", ["--add-platform", "macos"]),
            ("languages", ["--add-language", "de"]), ("languages", ["--language", "en"]),
            ("fallbackLanguage", ["--fallback", "cy"]), ("profile", ["--profile", "minimal"]),
            ("princeOfVersions", ["--prince-of-versions", "modern"]),
            ("shippedLanguages", ["--ships-with", "de"]), ("clients", ["--read-by", "all"]),
        ]
        #expect(Set(options.map(\.member)) == Set(known.keys))
        #expect(known.keys.count == Mirror(reflecting: unusual).children.count)
        var script = try script()
        script["GET \(path)"] = [Reply(try answer(with: unusual))]
        try await ScriptedService.with(script) { service, url in
            for (member, option) in options {
                let run = try await plimsoll(
                    ["apps", "set", "harbour", "--yes"] + option,
                    service: url
                )
                #expect(run.code == 0, "\(run.errors)")
                let sent = try #require(try service.seen.last?.json().object)
                #expect(known.keys.filter { sent[$0] != known[$0] } == [member])
            }
        }
    }

    @Test func `at a terminal somebody sees what changes before they agree`() async throws {
        try await ScriptedService.with(try script()) { service, url in
            for (word, count) in [("n", 0), ("y", 1)] {
                let run = try await plimsollAtTerminal(
                    ["apps", "set", "harbour", "--profile", "minimal"],
                    typing: word,
                    service: url
                )
                #expect(run.output.contains("profile complete → minimal"))
                #expect(run.output.contains("Phones are served other bytes at once."))
                let writes = service.requests.filter { $0.hasPrefix("PUT") }
                #expect(writes.count == count)
            }
        }
    }

    @Test func `a dry run says what changes, and whether published bytes do`() async throws {
        try await ScriptedService.with(try script()) { _, url in
            let command = ["apps", "set", "harbour", "--dry-run"]
            let told = command + ["--profile", "minimal"]
            let words = try await plimsoll(told + ["--format", "table"], service: url)
            let lines = "profile complete → minimal\nPhones are served other bytes at once.\n\n"
            #expect(words.output.hasPrefix(lines), "\(words.output)")
            let json = try await plimsoll(told, service: url).json()
            #expect(
                json["changes"] == [
                    [
                        "member": "profile", "subject": "profile", "before": "complete",
                        "after": "minimal",
                    ]
                ]
            )
            #expect(json["republishes"] == true)
            let quiet = try await plimsoll(command + ["--name", "Quay"], service: url).json()
            #expect(quiet["changes"]?.array?.count == 1)
            #expect(quiet["republishes"] == false)
        }
    }

    @Test(arguments: [
        [], ["--language", "en", "--add-language", "de"], ["--language", "e"],
        ["--add-platform", "palm"], ["--profile", "some"], ["--name", ""], ["--seen", "-1"],
        ["--add-language", "de"],
    ])
    func `wrong usage ends with 2 and asks nobody`(_ options: [String]) async throws {
        try await ScriptedService.with(try script()) { service, url in
            let run = try await plimsoll(["apps", "set", "harbour"] + options, service: url)
            #expect(run.code == 2, "\(run.errors)")
            #expect(run.output.isEmpty)
            #expect(service.requests.isEmpty)
        }
    }

    @Test(arguments: [
        ("settingsDiffer", ProblemCode.stale, 5, ["plimsoll apps settings harbour"]),
        ("languageUnwritten", .conflict, 5, ["plimsoll propose --help"]),
        ("nothingChanges", .nothingToDo, 3, []),
    ])
    func `a refusal says where to look`(
        _ code: String,
        _ problem: ProblemCode,
        _ status: Int32,
        _ next: [String]
    ) async throws {
        let fault = Problem.Fault(at: nil, code: code, detail: "It is so.", remedy: "Look.")
        var script = try script()
        script["PUT \(path)"] = [Reply(Problem(problem, detail: fault.detail, errors: [fault]))]
        try await ScriptedService.with(script) { _, url in
            let command = ["apps", "set", "harbour", "--name", "Quay", "--yes"]
            let run = try await plimsoll(command, service: url)
            #expect(run.code == status)
            #expect(next.allSatisfy(run.errors.contains), "\(run.errors)")
        }
    }
}
