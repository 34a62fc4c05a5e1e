import PlimsollDocuments
import Testing

/// The tables of what each generation of clients was observed, or read, to do.
@Suite struct ClientTests {
    @Test(arguments: [
        Row(
            #"{"ios": [{"required_version": "3.0.0"}]}"#,
            (PrinceOfVersionsClient.ios4 + [.kotlinIOS], "required"),
            ([.macos408], "dataNotFound"),
            ([.ios300], "invalidJsonData")
        ),
        Row(#"{"macos": [{"required_version": "3.0.0"}]}"#, ([.macos408], "required")),
        Row(
            #"{"ios": [{"last_version_available": "3.0.0"}]}"#,
            (PrinceOfVersionsClient.ios4 + [.kotlinIOS], "new")
        ),
        Row(
            #"{"ios": [{"required_version": "2.0.0", "last_version_available": "2.0.0"}]}"#,
            (PrinceOfVersionsClient.ios4 + [.kotlinIOS], "none")
        ),
        Row(
            #"{"ios": [{"required_version": "4.0.0", "last_version_available": "3.0.0"}]}"#,
            (PrinceOfVersionsClient.ios4 + [.kotlinIOS], "required")
        ),
        Row(
            #"{"ios": [{"last_version_available": "0.0.0"}]}"#,
            (PrinceOfVersionsClient.ios4 + [.kotlinIOS], "none")
        ),
        Row(
            #"{"android": [{"required_version": 300}]}"#,
            ([.android404, .kotlinAndroid], "required"),
            ([.android300], "JSONException")
        ),
        Row(
            #"{"android": [{"last_version_available": 300}]}"#,
            ([.android404, .kotlinAndroid], "new")
        ),
        Row(
            #"{"android": [{"last_version_available": 0}]}"#,
            ([.android404, .kotlinAndroid], "none")
        ),
        Row(
            #"{"android": {"required_version": 300}}"#,
            ([.android404, .kotlinAndroid], "required")
        ),
        Row(#"{"jvm": [{"required_version": "2.0.0.1"}]}"#, ([.jvm], "required")),
        Row(#"{"jvm": {"last_version_available": "2.1"}}"#, ([.jvm], "new")),
        Row(#"{"jvm": [{"last_version_available": "2"}]}"#, ([.jvm], "none")),
    ])
    func `versions are compared with the installed one`(row: Row) {
        #expect(row.mismatches == [])
    }

    @Test(arguments: [
        Row(
            #"{"ios": [{"last_version_available": "1.0"}], "ios2": [{"required_version": "3.0"}]}"#,
            (PrinceOfVersionsClient.ios4, "none"),
            ([.kotlinIOS], "required")
        ),
        Row(
            #"{"ios": null, "ios2": [{"required_version": "3.0"}]}"#,
            (PrinceOfVersionsClient.ios4 + [.kotlinIOS], "required")
        ),
        Row(
            #"{"ios": {"minimum_version": "1"}, "ios2": [{"required_version": "3.0"}]}"#,
            (PrinceOfVersionsClient.ios4 + [.kotlinIOS], "required")
        ),
        Row(
            #"{"ios": [{"required_version": 3}], "ios2": [{"required_version": "3.0"}]}"#,
            (PrinceOfVersionsClient.ios4, "required")
        ),
        Row(
            #"{"ios": [{"required_version": "3.0"}], "ios2": null}"#,
            (PrinceOfVersionsClient.ios4, "required"),
            ([.kotlinIOS], "IllegalArgumentException")
        ),
        Row(
            #"{"ios2": {"required_version": "3.0"}}"#,
            (PrinceOfVersionsClient.ios4, "dataNotFound"),
            ([.kotlinIOS], "required")
        ),
        Row(
            #"{"android": [{"last_version_available": 1}], "android2": [{"required_version": 300}]}"#,
            ([.android404, .kotlinAndroid], "required")
        ),
        Row(
            #"{"android": [{"required_version": 300}], "android2": null}"#,
            ([.android404], "required"),
            ([.kotlinAndroid], "IllegalArgumentException")
        ),
        Row(
            #"{"android": [{"required_version": 300}], "android2": [{"required_version": "3"}]}"#,
            ([.android404], "IllegalArgumentException"),
            ([.kotlinAndroid], "none")
        ),
    ])
    func `the key that counts differs from client to client`(row: Row) {
        #expect(row.mismatches == [])
    }

    @Test(arguments: [
        ("300", "required"), ("3e2", "required"), ("300.9", "required"), ("+300", "required"),
        ("0x12C", "IllegalArgumentException"), ("inf", "IllegalArgumentException"),
        ("x", "IllegalArgumentException"), ("", "IllegalArgumentException"),
    ])
    func `the Kotlin library for Android takes texts with decimal numbers`(
        written: String,
        verdict: String
    ) {
        let document = #"{"android": [{"required_version": "\#(written)"}]}"#
        #expect(Check.android.verdict(.kotlinAndroid, document) == verdict)
    }

    @Test(arguments: [
        Row(#"<html>"#, (PrinceOfVersionsClient.apple4 + [.ios300], "invalidJsonData")),
        Row(#"<html>"#, ([.android404, .android300, .kotlinAndroid, .jvm], "JSONException")),
        Row(#"<html>"#, ([.kotlinIOS], "ConfigurationException")),
        Row(
            #"[]"#,
            (PrinceOfVersionsClient.apple4, "invalidJsonData"),
            ([.android404], "JSONException")
        ),
        Row(
            #"{}"#,
            (PrinceOfVersionsClient.apple4, "dataNotFound"),
            ([.android404, .android300, .kotlinAndroid, .jvm], "IllegalStateException"),
            ([.kotlinIOS], "ConfigurationException")
        ),
        Row(
            #"{"ios": {"latest_version": {"version": "3"}}, "android": {"minimum_version": "1.0.0"}}"#,
            (PrinceOfVersionsClient.ios4, "dataNotFound"),
            ([.android404, .kotlinAndroid], "IllegalStateException")
        ),
        Row(
            #"{"ios": [], "android": [], "jvm": []}"#,
            (PrinceOfVersionsClient.ios4, "requirementsNotSatisfied"),
            ([.android404, .kotlinAndroid, .jvm], "IllegalArgumentException"),
            ([.kotlinIOS], "ConfigurationException")
        ),
        Row(
            #"{"ios": [{}], "android": [{}], "jvm": [{}]}"#,
            (PrinceOfVersionsClient.ios4, "missingConfigurationVersion"),
            ([.android404, .kotlinIOS, .kotlinAndroid, .jvm], "IllegalStateException")
        ),
        Row(
            #"{"ios": ["3"], "android": ["3"], "jvm": ["3"]}"#,
            (PrinceOfVersionsClient.ios4, "dataNotFound"),
            ([.android404, .kotlinAndroid, .jvm], "JSONException"),
            ([.kotlinIOS], "RequirementsNotSatisfiedException")
        ),
        Row(
            #"{"ios": "3", "android": "3", "jvm": "3"}"#,
            (PrinceOfVersionsClient.ios4, "dataNotFound"),
            ([.android404], "IllegalStateException"),
            ([.kotlinIOS, .kotlinAndroid, .jvm], "IllegalArgumentException")
        ),
        Row(
            #"{"ios": [{"required_version": "3.0"}]}"#,
            (PrinceOfVersionsClient.ios4, "invalidCurrentVersion"),
            ([.kotlinIOS], "IllegalArgumentException"),
            on: Check(app: "v2.0")
        ),
        Row(
            #"{"ios": [{}]}"#,
            (PrinceOfVersionsClient.ios4, "missingConfigurationVersion"),
            ([.kotlinIOS], "IllegalStateException"),
            on: Check(app: "v2.0")
        ),
    ])
    func `what cannot be used is an error of the client's own`(row: Row) {
        #expect(row.mismatches == [])
    }

    @Test(arguments: [
        #""required_version": 3"#, #""required_version": "abc""#, #""required_version": "v3.0""#,
        #""required_version": """#, #""required_version": "3,0""#, #""required_version": " 3.0""#,
        #""required_version": "99999999999999999999.0""#, #""last_version_available": true"#,
        #""notify_last_version_frequency": "NEVER""#, #""notify_last_version_frequency": 1"#,
        #""requirements": []"#, #""requirements": "x""#, #""meta": {"a": {}}"#,
        #""meta": {"a": []}"#,
        #""meta": "text""#,
    ])
    func `one entry that does not decode takes the whole array with it on Apple's platforms`(
        member: String
    ) {
        let document = """
            {"ios": [{"required_version": "3.0.0"}, {\(member), "last_version_available": "1"}]}
            """
        for client in PrinceOfVersionsClient.ios4 {
            #expect(Check.apple.verdict(client, document) == "dataNotFound")
        }
    }

    @Test(arguments: [
        (#""required_version": "300""#, "IllegalArgumentException", "required"),
        (#""required_version": 300.0"#, "IllegalArgumentException", "required"),
        (#""required_version": 2147483648"#, "IllegalArgumentException", "required"),
        (#""required_version": "abc""#, "IllegalArgumentException", "IllegalArgumentException"),
        (#""required_version": []"#, "IllegalArgumentException", "IllegalArgumentException"),
        (
            #""notify_last_version_frequency": 1"#, "IllegalArgumentException",
            "IllegalArgumentException"
        ),
        (#""notify_last_version_frequency": "NEVER""#, "new", "new"),
        (#""requirements": "x""#, "new", "new"), (#""meta": "x""#, "new", "new"),
        (#""meta": {"a": []}"#, "new", "new"),
    ])
    func `Android looks at the selected entry alone`(
        member: String,
        native: String,
        kotlin: String
    ) {
        let entry = #"{"last_version_available": 299, "# + member + "}"
        let chosen = #"{"android": [\#(entry)]}"#
        #expect(Check.android.verdict(.android404, chosen) == native)
        #expect(Check.android.verdict(.kotlinAndroid, chosen) == kotlin)
        let behind = #"{"android": [{"last_version_available": 1}, \#(entry)]}"#
        #expect(Check.android.verdict(.android404, behind) == "none")
        #expect(Check.android.verdict(.kotlinAndroid, behind) == "none")
    }

    @Test(arguments: zip(["ALWAYS", "always", "ONCE", "Once"], [true, false, true, false]))
    func `only since 4·0·8 the frequency may be written in any case`(
        written: String,
        isForEarlier: Bool
    ) {
        let document = """
            {"ios": [{"required_version": "3", "notify_last_version_frequency": "\(written)"}]}
            """
        for client in PrinceOfVersionsClient.ios4.dropLast() {
            #expect(
                Check.apple.verdict(client, document)
                    == (isForEarlier ? "required" : "dataNotFound")
            )
        }
        #expect(Check.apple.verdict(.ios408, document) == "required")
    }
}
