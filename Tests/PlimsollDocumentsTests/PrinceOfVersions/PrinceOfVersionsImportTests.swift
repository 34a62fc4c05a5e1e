import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import Testing

@Suite struct PrinceOfVersionsImportTests {
    private func imported(_ document: String) throws -> PrinceOfVersionsImport {
        try PrinceOfVersionsImport(parsing: Array(document.utf8))
    }

    private func lines(_ imported: PrinceOfVersionsImport) -> [String] {
        imported.documents.flatMap { document in
            document.fields.map { "\($0.path)=\(document[$0]?.description ?? "")" }
        }
    }

    @Test(arguments: [
        (
            """
            {"meta": {"required.title.de": "Alt"}, "ios": {"minimum_version": "4"},
            "android": {"required_version": 300}}
            """,
            [
                "android.minimumApp.title.de=Alt", "android.minimumApp.value=300",
                "ios.minimumApp.title.de=Alt", "ios.minimumApp.value=4",
            ]
        ),
        (
            #"{"ios": [{"required_version": "3", "meta": {"required.title.de": "Alt"}}]}"#,
            ["ios.minimumApp.title.de=Alt", "ios.minimumApp.value=3"]
        ),
        (
            """
            {"ios": [{"required_version": "3", "meta": {"required.os": "15",
            "required.description.en": "Old"}}]}
            """,
            [
                "ios.minimumApp.description.en=Old", "ios.minimumApp.value=3",
                "ios.minimumOS.value=15",
            ]
        ),
    ])
    func `what holds for every device and has texts becomes thresholds`(
        document: String,
        fields: [String]
    ) throws {
        let imported = try imported(document)
        #expect(lines(imported) == fields)
        #expect(imported.losses == [])
    }

    @Test func `what is lost is said`() throws {
        let imported = try imported(
            """
            {"meta": {"store": "x"}, "ios": [{"required_version": "3", "meta": {"n": {"a": 1}},
            "notify_last_version_frequency": "always"}]}
            """
        )
        #expect(imported.losses.count == 1)
        #expect(imported.losses.first?.hasPrefix("ios: “n” is not kept for ios") == true)
        let offer = try #require(imported.documents.first?.offers.first)
        #expect(offer.notification == .always)
        #expect(offer.metadata.map { "\($0.key.text)=\($0.value.text)" } == ["store=x"])
    }

    // Goal: metadata beside all platforms are taken from one platform's clients by another's offers,
    // and whoever agrees to those is told.
    @Test func `offers that take metadata from another platform's clients are noted there`() throws
    {
        func export(_ android: String) throws -> PrinceOfVersionsExport {
            let ios = #""ios": [{"required_version": "3.0.0", "meta": {"hard": true}}]"#
            var source = PrinceOfVersionsExport.Source(
                try imported("{\(ios), \"android\": \(android)}").documents
            )
            source.clients = .all
            return PrinceOfVersionsExport(source)
        }
        let alike = try export(#"[{"required_version": 300, "meta": {"hard": true}}]"#)
        let other = try export(#"[{"required_version": 300, "meta": {"hard": false}}]"#)
        #expect(alike.document.json["meta"] == ["hard": true])
        #expect(other.document.json["meta"] == nil)
        let notes = other.notes(replacing: alike).filter { $0.platform == .ios }
        #expect(notes.map(\.code) == ["legacyMetadataMissing"])
        #expect(alike.notes(replacing: other).filter { $0.platform == .ios } == [])
        #expect(other.notes(replacing: other) == [])
    }

    @Test func `what all of Android's clients read alike is taken over`() throws {
        let imported = try imported(
            """
            {"android": [{"required_version": 300, "notify_last_version_frequency": "weird",
            "requirements": {"required_os_version": "21"}}]}
            """
        )
        let offer = try #require(imported.documents.first?.offers.first)
        #expect(offer.requirements.system?.number == 21)
        #expect(offer.notification == .once)
    }

    @Test func `a version that Android's older clients pass over is left out and named`() throws {
        let imported = try imported(
            """
            {"android": {"minimum_version": "1.2.3", "minimum_version_min_sdk": 0,
            "latest_version": {"version": "2.0.0", "min_sdk": 18, "notification_type": "ALWAYS"}}}
            """
        )
        let legacy = try #require(imported.documents.first?.legacy)
        #expect(legacy.minimum == nil && legacy.latest?.text == "2.0.0")
        #expect(imported.losses.contains { $0.hasPrefix("android.minimum_version: ") })
    }

    @Test func `values keep their types from a document to the clients`() throws {
        let imported = try imported(
            """
            {"meta": {"theme": 2},
            "android": [{"required_version": 300, "requirements": {"level": 4},
            "meta": {"hard": true, "rollout": {"percent": [10, 50]}, "empty": ""}},
            {"last_version_available": 0}],
            "ios": [{"required_version": "3.0.0", "meta": {"hard": false, "n": "1"}}]}
            """
        )
        #expect(imported.losses == [])
        var source = PrinceOfVersionsExport.Source(imported.documents)
        source.clients = .all
        let export = PrinceOfVersionsExport(source)
        let json = export.document.json
        let android = json["android2"]?.array?.first
        #expect(android?["meta"]?["hard"] == true)
        #expect(android?["meta"]?["rollout"] == ["percent": [10, 50]])
        #expect(android?["meta"]?["empty"] == "")
        #expect(android?["requirements"]?["level"] == 4)
        #expect(json["ios2"]?.array?.first?["meta"] == ["hard": false, "n": "1", "theme": 2])
        #expect(json["meta"] == ["theme": 2])
        #expect(try PrinceOfVersionsDocument(parsing: export.document.bytes) == export.document)
        let missing = export.notes.filter { $0.code == "legacyMetadataMissing" }
        #expect(missing.map(\.platform) == [.android, .ios])
        let client = PrinceOfVersionsClient.ios300.outcome(of: export.document)
        #expect(client["meta"] == ["theme": 2])
    }

    @Test(arguments: [Platform.android, .ios])
    func `an array or object is handed on where clients can read it`(platform: Platform) throws {
        let name = try #require(MetadataName("rollout"))
        var offer = Offer.nothing(on: platform)
        offer.metadata[name] = try OfferValue(validating: ["percent": 10])
        let faults = [offer].faults(on: platform)
        #expect(faults == (platform == .ios ? [.nestedMetadata(0, name)] : []))
    }

    @Test(arguments: [
        (
            #"{"ios": [{"required_version": "3", "requirements": {"required_os_version": "15"}}]}"#,
            ["from 15.0.0 on: required 3.0.0, told once"]
        ),
        (
            """
            {"ios": [{"required_version": "3.1-7", "notify_last_version_frequency": "always",
            "requirements": {"required_os_version": "17", "region": "eu"}},
            {"last_version_available": "2.9", "requirements": null}]}
            """,
            [
                "from 17.0.0 on, region is eu: required 3.1.0-7, told always",
                "for everybody: last 2.9.0, told once",
            ]
        ),
        (
            #"{"ios": [{"required_version": "3.0.0-0"}]}"#,
            ["for everybody: required 3.0.0, told once"]
        ),
        (
            #"{"jvm": {"required_version": "3.0.0"}}"#,
            ["for everybody: required 3.0.0, told once"]
        ),
        (
            #"{"ios": [{"required_version": "3.1", "last_version_available": "3.2"}]}"#,
            ["for everybody: required 3.1.0, last 3.2.0, told once"]
        ),
        (
            #"{"ios": [{"required_version": "4"}], "ios2": {"required_version": "4"}}"#,
            ["for everybody: required 4.0.0, told once"]
        ),
        (
            #"{"android": [{"last_version_available": 300, "requirements": {}}]}"#,
            ["for everybody: last 300, told once"]
        ),
        (
            #"{"android": [{"last_version_available": 0}]}"#,
            ["for everybody: last 0, told once"]
        ),
        (
            #"{"ios": [{"required_version": "3", "requirements": {"min_ram": 4}}]}"#,
            ["min_ram is 4: required 3.0.0, told once"]
        ),
        (
            #"{"ios": [{"required_version": "3", "meta": {"required.os": "15"}}]}"#,
            ["for everybody: required 3.0.0, told once, with 1 of metadata"]
        ),
        (
            #"{"android": [{"required_version": 0, "meta": {"store": "x"}}]}"#,
            ["for everybody: last 0, told once, with 1 of metadata"]
        ),
        (
            """
            {"meta": {"required.os": "26"}, "ios": [{"required_version": "3.0.0"}],
            "android": [{"required_version": 300}]}
            """,
            [
                "for everybody: required 300, told once, with 1 of metadata",
                "for everybody: required 3.0.0, told once, with 1 of metadata",
            ]
        ),
        (
            #"{"android": [{"required_version": 300, "meta": {"recommended.os": "33"}}]}"#,
            ["for everybody: required 300, told once, with 1 of metadata"]
        ),
        (
            """
            {"jvm": [{"last_version_available": "3.0.0", "requirements": {"required_jvm_version": 17}},
            {"last_version_available": "0.0.0"}]}
            """,
            ["from 17 on: last 3.0.0, told once", "for everybody: last 0.0.0, told once"]
        ),
    ])
    func `what thresholds cannot say becomes offers`(document: String, offers: [String]) throws {
        let imported = try imported(document)
        #expect(imported.documents.flatMap(\.offers).map(\.sentence) == offers)
        #expect(imported.documents.allSatisfy { !$0.hasThresholds })
        #expect(imported.losses == [])
    }

    @Test(arguments: [
        (
            // Without a latest version the old clients refuse it as well.
            #"{"ios": {"minimum_version": "1"}, "ios2": [{"required_version": "4"}]}"#,
            "ios: it is not kept, since clients from 4.0 on take ios2"
        ),
        (
            #"{"android": [{"required_version": 3}], "android2": {"required_version": 4}}"#,
            "android: it is not kept, since clients from 4.0 on take android2"
        ),
    ])
    func `what is lost of the format before 4·0 is said`(document: String, loss: String) throws {
        #expect(try imported(document).losses == [loss])
    }

    @Test(arguments: [
        (
            #"{"ios": {"minimum_version": "3", "latest_version": {"version": "4", "notification_type": "ALWAYS"}}}"#,
            ["for everybody: required 3.0.0, last 4.0.0, told always"]
        ),
        (
            """
            {"macos": {"minimum_version": "3", "minimum_version_min_sdk": "12",
            "latest_version": {"version": "4", "min_sdk": "14"}}}
            """,
            [
                "from 14.0.0 on: required 3.0.0, last 4.0.0, told once",
                "from 12.0.0 on: required 3.0.0, told once",
                "for everybody: last 0.0.0, told once",
            ]
        ),
        (
            #"{"ios": {"latest_version": {"version": "4", "min_sdk": "15"}}}"#,
            ["from 15.0.0 on: last 4.0.0, told once", "for everybody: last 0.0.0, told once"]
        ),
    ])
    func `the form before 4·0 alone becomes offers`(document: String, offers: [String]) throws {
        let imported = try imported(document)
        #expect(imported.documents.flatMap(\.offers).map(\.sentence) == offers)
        #expect(imported.losses.count == 1)
        #expect(imported.losses.first?.contains("clients from 4.0 on cannot read it") == true)
    }

    @Test func `an entry that no client selects is left out, and said`() throws {
        let imported = try imported(
            """
            {"ios": [{"required_version": "3"}, {"required_version": "2"}],
            "android": [{"required_version": 3, "requirements": {"required_os_version": 26}},
            {"required_version": 2, "requirements": {"required_os_version": 30}},
            {"last_version_available": 9}]}
            """
        )
        #expect(imported.documents.map(\.offers.count) == [2, 1])
        #expect(
            imported.losses.map { $0.prefix(26) }
                == [
                    "android: entry 1 is left ou", "ios: entry 1 is left out, b",
                ].map { $0.prefix(26) }
        )
    }

    @Test func `a comma too many and a fraction in metadata are passed over, and said`() throws {
        let comma = try imported(#"{"ios": [{"required_version": "3"},],}"#)
        #expect(comma.documents.map(\.offers.count) == [1])
        #expect(comma.losses.count == 1)
        let fraction = try imported(
            #"{"meta": {"a": 1}, "ios": [{"required_version": "3", "meta": {"b": 1.5}}]}"#
        )
        #expect(
            fraction.losses == ["ios.b: a number with a fraction is not kept"]
                || fraction.losses == ["ios.meta.b: a number with a fraction is not kept"]
        )
        #expect(fraction.documents.first?.offers.first?.metadata.count == 1)
    }

    // Goal: nobody is held to a line that the document does not draw. Method: what a client since
    // 4.0 obeys in a document with both keys is what would be proposed, or nothing is.
    @Test(arguments: [PrinceOfVersionsClient.ios400, .ios408, .kotlinIOS])
    func `no line is taken over that some client does not obey`(
        client: PrinceOfVersionsClient
    ) throws {
        let document = """
            {"ios": [{"required_version": "3.1"}], "ios2": [{"required_version": "1"}]}
            """
        let obeyed = Check.apple.verdict(client, document)
        #expect(obeyed == (client == .kotlinIOS ? "none" : "required"))
        #expect(throws: JSONIssues.self) { try imported(document) }
    }

    @Test(arguments: [
        ("", ""), ("[]", ""), ("{}", ""), (#"{"ios": null}"#, ""), (#"{"ios": 3}"#, ""),
        (#"{"ios": []}"#, "/ios"), (#"{"ios": [3]}"#, "/ios/0"),
        (#"{"ios": [{}, {"required_version": "2"}]}"#, "/ios/0"),
        (
            #"{"ios": [{"required_version": "3", "requirements": {"required_os_version": 15}}]}"#,
            "/ios/0/requirements/required_os_version"
        ),
        (
            #"{"ios": [{"required_version": "3", "requirements": {"min-ram": "4"}}]}"#,
            "/ios/0/requirements/min-ram"
        ),
        (
            #"{"ios": [{"required_version": "3", "requirements": {"ram": [4]}}]}"#,
            "/ios/0"
        ),
        (
            #"{"ios": [{"required_version": "3", "notify_last_version_frequency": "MONTHLY"}]}"#,
            "/ios/0/notify_last_version_frequency"
        ),
        (#"{"ios": [{"required_version": 3}]}"#, "/ios/0/required_version"),
        (#"{"ios": [{"required_version": "3.0.0-b"}]}"#, "/ios/0/required_version"),
        (#"{"ios": [{"required_version": "1..5"}]}"#, "/ios/0/required_version"),
        (#"{"jvm": [{"required_version": "3.0.0-5"}]}"#, "/jvm/0/required_version"),
        (#"{"ios": [{"required_version": "x"}]}"#, "/ios/0/required_version"),
        (#"{"android": [{"required_version": "300"}]}"#, "/android/0/required_version"),
        (#"{"android": {"minimum_version": "1.0"}}"#, "/android"),
        (#"{"android": {"minimum_version": "1.0.0", "minimum_version_min_sdk": 0}}"#, "/android"),
        (#"{"ios": {"latest_version": {}}}"#, "/ios/minimum_version"),
        (
            #"{"ios": [{"required_version": "3", "requirements": {"ratio": 1.5}}]}"#,
            "/ios/0/requirements/ratio"
        ),
        (#"{"ios": {"latest_version": {"version": 3}}}"#, "/ios/latest_version/version"),
        (#"{"ios": [{"required_version": "3.1"}], "ios2": [{"required_version": "4"}]}"#, "/ios"),
        (#"{"macos": [{"required_version": "3"}], "macos2": {"required_version": "4"}}"#, "/macos"),
        (#"{"ios": [{"required_version": "3", "meta": []}]}"#, "/ios/0/meta"),
        (
            #"{"ios": [{"required_version": "3", "required_version": "2"}]}"#,
            "/ios/0/required_version"
        ),
    ])
    func `what clients do not read alike is refused where it stands`(
        document: String,
        place: String
    ) throws {
        let issues = #expect(throws: JSONIssues.self) { try imported(document) }
        #expect(
            issues?.issues.map(\.pointer.text).contains(place) == true,
            "\(String(describing: issues))"
        )
    }

    @Test func `what was published is taken over again`() throws {
        var document = Document(platform: .ios)
        document[.minimumApp].value = .dotted(try #require(AppleVersion("3.1.0")))
        document[.minimumApp].descriptions[try #require(LanguageTag("de-AT"))] =
            try Text(validating: "Zu alt")
        document[.recommendedApp].value = .dotted(try #require(AppleVersion("3.2.0")))
        let bytes = PrinceOfVersionsExport(PrinceOfVersionsExport.Source([document])).document.bytes
        let imported = try PrinceOfVersionsImport(parsing: bytes)
        #expect(imported.documents == [document])
        #expect(imported.losses == [])
    }
}

extension PrinceOfVersionsClient {
    /// What an app of version 1.0.0 is told.
    fileprivate func outcome(of document: PrinceOfVersionsDocument) -> JSONObject {
        var memory = PrinceOfVersionsMemory()
        return check(
            document.bytes,
            on: PrinceOfVersionsDevice(appVersion: "1.0.0", os: "99.0.0"),
            remembering: &memory
        ).json
    }
}
