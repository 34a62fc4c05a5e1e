import PlimsollDocuments
import PlimsollJSON
import Testing

/// Clients before 4.0, and the one since that still reads their format.
@Suite struct LegacyClientTests {
    @Test(arguments: [
        (#"{"latest_version": {"version": "3.0"}}"#, "new"),
        (#"{"latest_version": {"version": "2.0"}}"#, "none"),
        (#"{"minimum_version": "3.0", "latest_version": {"version": "3.0"}}"#, "required"),
        (#"{"minimum_version": "3.0", "latest_version": {"version": "2.0"}}"#, "none"),
        (#"{"minimum_version": 3, "latest_version": {"version": "3.0"}}"#, "new"),
        (#"{"minimum_version": "x", "latest_version": {"version": "3.0"}}"#, "new"),
        (#"{"latest_version": {"version": "3.0", "min_sdk": "16"}}"#, "none"),
        (#"{"latest_version": {"version": "3.0", "min_sdk": "15.0"}}"#, "new"),
        (
            #"{"minimum_version": "3", "minimum_version_min_sdk": "16", "latest_version": {"version": "3"}}"#,
            "new"
        ),
        (#"{"minimum_version": "3.0"}"#, "invalidJsonData"),
        (#"{"latest_version": {}}"#, "invalidJsonData"),
        (#"{"latest_version": {"version": 3}}"#, "invalidJsonData"),
        (#"{"latest_version": {"version": "v3"}}"#, "invalidJsonData"),
        (#"[{"required_version": "3.0"}]"#, "invalidJsonData"),
    ])
    func `iOS before 4·0 reads the object`(ios: String, verdict: String) {
        #expect(Check.apple.verdict(.ios300, #"{"ios": \#(ios)}"#) == verdict)
    }

    @Test func `iOS before 4·0 stops telling of a required update that it told of once`() {
        let document = """
            {"ios": {"minimum_version": "3", "latest_version": {"version": "3",
            "notification_type": "ONCE"}}}
            """
        let outcomes = Check(times: 2).outcomes(.ios300, document)
        #expect(outcomes.map(\.word) == ["required", "none"])
        #expect(outcomes.map { $0.answer?.isMinimumSatisfied } == [false, false])
        let always = document.replacing("ONCE", with: "ALWAYS")
        #expect(Check(times: 2).outcomes(.ios300, always).map(\.word) == ["required", "required"])
        let lower = document.replacing("ONCE", with: "always")
        #expect(Check(times: 2).outcomes(.ios300, lower).map(\.word) == ["required", "none"])
    }

    // Seen on both libraries of 3.0.0, over three looks.
    @Test(arguments: [("ios", PrinceOfVersionsClient.ios300), ("macos", .macos300)])
    func `Apple's clients before 4·0 tell once of a version`(
        key: String,
        client: PrinceOfVersionsClient
    ) {
        let document = #"{"\#(key)": {"latest_version": {"version": "3.0.0"}}}"#
        let words = Check(times: 3).outcomes(client, document).map(\.word)
        #expect(words == ["new", "none", "none"])
    }

    // macOS's library is the one of iOS, built for another platform; each release reads as its twin.
    @Test(
        arguments: zip(
            [PrinceOfVersionsClient.ios300, .ios400, .ios401, .ios404, .ios407, .ios408],
            [
                PrinceOfVersionsClient.macos300, .macos400, .macos401, .macos404, .macos407,
                .macos408,
            ]
        )
    )
    func `each release on macOS reads as its twin on iOS`(
        ios: PrinceOfVersionsClient,
        macos: PrinceOfVersionsClient
    ) {
        for part in [
            #"[{"required_version": "3.0.0", "notify_last_version_frequency": "always"}]"#,
            #"[{"required_version": "3.0.0", "requirements": {"region": "at"}}]"#,
            #"[{"last_version_available": "3.0.0", "requirements": {"required_os_version": 12}}]"#,
            #"{"minimum_version": "3.0.0", "latest_version": {"version": "3.0.0"}}"#, "[]",
        ] {
            let looks = Check(times: 2).outcomes(ios, #"{"ios": \#(part)}"#).map(\.word)
            let twin = Check(times: 2).outcomes(macos, #"{"macos": \#(part)}"#).map(\.word)
            #expect(looks == twin, "\(part)")
        }
    }

    @Test func `iOS before 4·0 cannot do without a version of its own`() {
        let document = #"{"ios": {"latest_version": {"version": "3"}}}"#
        #expect(Check(app: "x").verdict(.ios300, document) == "invalidCurrentVersion")
    }

    @Test(arguments: [
        (#"{"minimum_version": "3.0.0"}"#, "required"),
        (#"{"latest_version": {"version": "3.0.0"}}"#, "new"),
        (#"{"latest_version": {"version": "2.0.0"}}"#, "none"),
        (#"{"minimum_version": "1.0.0", "latest_version": {"version": "3.0.0"}}"#, "new"),
        (#"{}"#, "IllegalStateException"),
        (#"{"minimum_version": null}"#, "IllegalStateException"),
        (
            #"{"minimum_version": " ", "latest_version": {"version": "null"}}"#,
            "IllegalStateException"
        ),
        (#"{"minimum_version": "1.2"}"#, "ParseException"),
        (#"{"minimum_version": 3}"#, "ParseException"),
        (#"{"minimum_version": "1.0.0", "latest_version": {"version": "x"}}"#, "ParseException"),
        (#"{"minimum_version": "3.0.0", "minimum_version_min_sdk": 31}"#, "none"),
        (#"{"minimum_version": "3.0.0", "minimum_version_min_sdk": 30}"#, "required"),
        (
            #"{"minimum_version": "3.0.0", "minimum_version_min_sdk": 0}"#,
            "none"
        ),
        (#"{"minimum_version": "3.0.0", "minimum_version_min_sdk": "x"}"#, "JSONException"),
        (#"{"minimum_version": "3.0.0", "minimum_version_min_sdk": "0x10"}"#, "JSONException"),
        (#"{"minimum_version": "3.0.0", "minimum_version_min_sdk": "1.6e1"}"#, "required"),
        (#"{"latest_version": {"version": "3.0.0", "min_sdk": 31}}"#, "none"),
        (#"{"latest_version": "3.0.0"}"#, "JSONException"),
        (#"[{"required_version": 3}]"#, "JSONException"),
    ])
    func `Android before 4·0 reads the object`(android: String, verdict: String) {
        let check = Check(app: "2.0.0", os: "30")
        #expect(check.verdict(.android300, #"{"android": \#(android)}"#) == verdict)
    }

    @Test func `Android before 4·0 tells of a required update every time`() {
        let document = """
            {"android": {"minimum_version": "3.0.0", "latest_version": {"version": "3.0.0",
            "notification_type": "ONCE"}}, "meta": {"a": "b", "n": 1}}
            """
        let outcomes = Check(app: "2.0.0", os: "30", times: 2).outcomes(.android300, document)
        #expect(outcomes.map(\.word) == ["required", "required"])
        #expect(outcomes.last?.meta == ["a": "b"])
    }

    @Test(arguments: zip(["ALWAYS", "always", "ONCE", "x"], ["new", "new", "none", "none"]))
    func `Android before 4·0 takes the notification in any case`(written: String, second: String) {
        let document = """
            {"android": {"latest_version": {"version": "3.0.0", "notification_type": "\(written)"}}}
            """
        #expect(Check(app: "2.0.0", os: "30", times: 2).verdict(.android300, document) == second)
    }

    @Test(arguments: [
        (#"{"minimum_version": "3.0"}"#, "required"),
        (#"{"latest_version": {"version": "3.0", "min_sdk": "99"}}"#, "new"),
        (#"{"latest_version": {"version": "2"}}"#, "none"), (#"{}"#, "IllegalStateException"),
        (#"{"required_version": "3.0"}"#, "IllegalStateException"),
        (#"{"minimum_version": "x"}"#, "IllegalArgumentException"),
    ])
    func `the Kotlin library for iOS reads the object too`(ios: String, verdict: String) {
        #expect(Check.apple.verdict(.kotlinIOS, #"{"ios": \#(ios)}"#) == verdict)
    }

    // The other version is read as if this one were not there.
    @Test(arguments: ["0", "-1"])
    func `Android drops a version whose level is no level and goes on`(level: String) {
        let document = """
            {"android": {"minimum_version": "9.0.0", "minimum_version_min_sdk": \(level),
            "latest_version": {"version": "3.0.0"}}}
            """
        #expect(Check(app: "2.0.0", os: "30").verdict(.android300, document) == "new")
    }

    @Test(arguments: ["3", "３", "２.９.１"])
    func `the JVM takes digits of full width for digits`(version: String) {
        let document = #"{"jvm": [{"required_version": "\#(version)"}]}"#
        #expect(Check(app: "2.9", os: "17").verdict(.jvm, document) == "required")
    }

    @Test func `one document serves old and new clients`() {
        let document = """
            {"ios": {"minimum_version": "3.0", "latest_version": {"version": "3.0"}},
            "ios2": [{"required_version": "3.0.0"}],
            "android": {"minimum_version": "3.0.0"}, "android2": [{"required_version": 300}],
            "macos": {"minimum_version": "3.0", "latest_version": {"version": "3.0"}},
            "macos2": [{"required_version": "3.0.0"}]}
            """
        for client in PrinceOfVersionsClient.allCases where client != .jvm {
            #expect(
                Check.usual(client).verdict(client, document) == "required",
                "\(client.rawValue)"
            )
        }
    }
}
