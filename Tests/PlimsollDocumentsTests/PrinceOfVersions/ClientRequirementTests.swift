import PlimsollDocuments
import PlimsollJSON
import Testing

@Suite struct ClientRequirementTests {
    @Test(arguments: [
        Row(apple(#"{"required_os_version": "15.4.1"}"#), (Self.native, "required"), kotlin),
        Row(apple(#"{"required_os_version": "15.4.2"}"#), (Self.native, "new"), behind),
        Row(apple(#"{"required_os_version": "16"}"#), (Self.native, "new"), behind),
        // What is no version is no demand: the first entry is taken.
        Row(
            apple(#"{"required_os_version": 16}"#),
            (Self.later, "required"),
            (lost, "dataNotFound")
        ),
        Row(
            apple(#"{"required_os_version": "x"}"#),
            (Self.later, "required"),
            (lost, "dataNotFound")
        ),
        Row(
            apple(#"{"required_os_version": null}"#),
            (Self.later, "required"),
            (lost, "dataNotFound")
        ),
        Row(apple(#"{}"#), (Self.later, "required"), (lost, "dataNotFound"), kotlin),
        Row(apple(#"null"#), (Self.native, "required"), kotlin),
        Row(apple(#"{"requiredOsVersion": "16"}"#), (Self.native, "new")),
        Row(apple(#"{"required_os_version": ""}"#), ([.kotlinIOS], "new")),
        Row(apple(#"{"required_os_version": "x"}"#), ([.kotlinIOS], "required")),
    ])
    func `the system is compared on Apple's platforms`(row: Row) {
        #expect(row.mismatches == [])
    }

    @Test(arguments: [
        Row(android(#"{"required_os_version": 30}"#), (Self.androids, "required")),
        Row(android(#"{"required_os_version": "30"}"#), (Self.androids, "required")),
        Row(android(#"{"required_os_version": 31}"#), (Self.androids, "new")),
        Row(android(#"{"required_os_version": "8.0.0"}"#), (Self.androids, "new")),
        Row(android(#"{"required_os_version": 26.0}"#), (Self.androids, "new")),
        Row(
            android(#"{"required_os_version": null}"#),
            ([.android404], "required"),
            ([.kotlinAndroid], "new")
        ),
        Row(android(#"{}"#), (Self.androids, "required")),
        Row(android(#"[]"#), (Self.androids, "required")),
    ])
    func `the API level is compared on Android`(row: Row) {
        #expect(row.mismatches == [])
    }

    @Test(arguments: [
        (#"{"required_jvm_version": 17}"#, "required"), (#"{"required_jvm_version": "18"}"#, "new"),
        (#"{"required_jvm_version": "x"}"#, "new"),
        (#"{"required_jvm_version": null}"#, "required"),
        (#"{"required_os_version": "1"}"#, "new"),
    ])
    func `the release of Java is compared on the JVM`(requirements: String, verdict: String) {
        let document = """
            {"jvm": [{"required_version": "3", "requirements": \(requirements)},
            {"last_version_available": "3"}]}
            """
        #expect(Check.java.verdict(.jvm, document) == verdict)
    }

    @Test(arguments: [
        Row(
            apple(#"{"required_os_version": "1.0.0", "tester": "yes"}"#),
            (Self.native + [.kotlinIOS], "new")
        ),
        Row(
            apple(#"{"required_os_version": "1.0.0", "tester": "yes"}"#),
            // 4.0.1 looks without the app's checkers first, and finds the last entry.
            (Self.native + [.kotlinIOS], "required"),
            on: Check(requirements: ["tester": "yes"])
        ),
        Row(
            apple(#"{"required_os_version": "1.0.0", "tester": "no"}"#),
            (Self.native + [.kotlinIOS], "new"),
            on: Check(requirements: ["tester": "yes"])
        ),
        Row(
            apple(#"{"required_os_version": "1.0.0", "ram": 4}"#),
            (Self.native + [.kotlinIOS], "required"),
            on: Check(requirements: ["ram": "4"])
        ),
        Row(
            apple(#"{"required_os_version": "1.0.0", "min_ram": 4}"#),
            (Self.native, "new"),
            ([.kotlinIOS], "required"),
            on: Check(requirements: ["min_ram": "4"])
        ),
        Row(
            apple(#"{"required_os_version": "1.0.0", "min_ram": 4}"#),
            (Self.native, "required"),
            ([.kotlinIOS], "new"),
            on: Check(requirements: ["minRam": "4"])
        ),
        Row(
            apple(#"{"required_os_version": "1.0.0", "a": null}"#),
            (Self.native, "new"),
            ([.kotlinIOS], "required")
        ),
        Row(
            apple(#"{"required_os_version": "1.0.0", "a": {"b": 1}}"#),
            (Self.native, "required"),
            ([.kotlinIOS], "new")
        ),
        Row(android(#"{"tester": "yes"}"#), (Self.androids, "new")),
        Row(
            android(#"{"tester": "yes"}"#),
            (Self.androids, "required"),
            on: Check(app: "200", os: "30", requirements: ["tester": "yes"])
        ),
        Row(
            android(#"{"min_ram": 4}"#),
            (Self.androids, "required"),
            on: Check(app: "200", os: "30", requirements: ["min_ram": "4"])
        ),
        Row(
            android(#"{"a": {"b": "c"}}"#),
            (Self.androids, "required"),
            on: Check(app: "200", os: "30", requirements: ["a": #"{"b":"c"}"#])
        ),
        Row(
            android(#"{"tester": null}"#),
            ([.android404], "required"),
            ([.kotlinAndroid], "new")
        ),
    ])
    func `the app's own requirements are put to its checkers`(row: Row) {
        #expect(row.mismatches == [])
    }

    // Goal: an import holds nobody to a line that they were not held to. Method: what the clients
    // of a platform decide differently about null is refused where it stands, and not left out.
    @Test(arguments: [
        (apple(#"{"required_os_version": "1.0.0", "a": null}"#), "/ios/0/requirements/a"),
        (android(#"{"tester": null}"#), "/android/0/requirements/tester"),
        (
            android(#"{"required_os_version": null}"#),
            "/android/0/requirements/required_os_version"
        ),
    ])
    func `a requirement that is null is not taken over`(document: String, place: String) {
        let clients = document.contains("ios") ? [.ios408, .kotlinIOS] : Self.androids
        #expect(Set(clients.map { Check.usual($0).verdict($0, document) }) == ["required", "new"])
        let issues = #expect(throws: JSONIssues.self) {
            try PrinceOfVersionsImport(parsing: Array(document.utf8))
        }
        #expect(issues?.issues.map(\.pointer.text) == [place])
    }

    @Test(arguments: [#"{}"#, #"{"required.title.en": "Old"}"#])
    func `a version that Apple's clients alone read is not passed over`(meta: String) {
        let document = """
            {"ios": [{"requiredVersion": "3.0.0", "last_version_available": "4.0.0",
            "meta": \(meta)}]}
            """
        #expect(Check.apple.verdict(.ios408, document) == "required")
        #expect(Check.apple.verdict(.kotlinIOS, document) == "new")
        let issues = #expect(throws: JSONIssues.self) {
            try PrinceOfVersionsImport(parsing: Array(document.utf8))
        }
        #expect(issues?.issues.map(\.pointer.text) == ["/ios/0/requiredVersion"])
    }

    @Test(arguments: [
        (#""Required_Version": "3.0.0""#, "/ios/0/Required_Version"),
        (
            #""requirements": {"requiredOsVersion": "16"}"#,
            "/ios/0/requirements/requiredOsVersion"
        ),
        (
            #""requirements": {"required_OS_version": "16"}"#,
            "/ios/0/requirements/required_OS_version"
        ),
    ])
    func `no spelling that Apple's clients alone read is taken over`(
        member: String,
        place: String
    ) {
        let document = #"{"ios": [{\#(member), "last_version_available": "4.0.0"}]}"#
        let issues = #expect(throws: JSONIssues.self) {
            try PrinceOfVersionsImport(parsing: Array(document.utf8))
        }
        #expect(issues?.issues.map(\.pointer.text) == [place])
    }

    @Test func `4·0·1 reports that nothing fits if only the app's own checkers make it fit`() {
        let document = """
            {"meta": {"a": "b"}, "ios": [{"required_version": "3.0", "meta": {"c": "d"},
            "requirements": {"required_os_version": "1.0.0", "tester": "yes"}}]}
            """
        let check = Check(requirements: ["tester": "yes"])
        #expect(check.verdict(.ios401, document) == "requirementsNotSatisfied")
        #expect(check.verdict(.ios402, document) == "required")
        #expect(check.outcomes(.ios401, document).first?.meta == ["a": "b"])
        #expect(check.outcomes(.ios402, document).first?.meta == ["a": "b", "c": "d"])
    }

    @Test func `the first entry that fits is taken, whatever stands behind it`() {
        let document = """
            {"ios": [{}, {"required_version": "9"}], "android": [{}, {"required_version": 900}]}
            """
        #expect(Check.apple.verdict(.ios408, document) == "missingConfigurationVersion")
        #expect(Check.android.verdict(.android404, document) == "IllegalStateException")
    }

    @Test(arguments: [
        (
            #"{"a": "root", "b": "root"}"#, #"{"b": "own", "c": "own"}"#,
            PrinceOfVersionsClient.ios408
        ),
        (#"{"a": "root", "b": "root"}"#, #"{"b": "own", "c": "own"}"#, .android404),
        (#"{"a": "root", "b": "root"}"#, #"{"b": "own", "c": "own"}"#, .kotlinIOS),
    ])
    func `an entry's metadata lie over the document's`(
        root: String,
        own: String,
        client: PrinceOfVersionsClient
    ) {
        let document = """
            {"meta": \(root), "ios": [{"last_version_available": "1", "meta": \(own)}],
            "android": [{"last_version_available": 1, "meta": \(own)}]}
            """
        let outcome = Check.usual(client).outcomes(client, document).first
        #expect(outcome?.meta == ["a": "root", "b": "own", "c": "own"])
    }

    @Test func `metadata arrive as each client hands them on`() {
        let document = """
            {"meta": {"n": 1, "b": true, "x": null},
            "ios": [{"last_version_available": "1"}], "android": [{"last_version_available": 1}]}
            """
        func meta(_ client: PrinceOfVersionsClient) -> JSONObject? {
            Check.usual(client).outcomes(client, document).first?.meta
        }
        #expect(meta(.ios408) == ["n": 1, "b": true, "x": nil])
        #expect(meta(.android404) == ["n": "1", "b": "true", "x": nil])
        #expect(meta(.kotlinAndroid) == ["n": "1", "b": "true", "x": nil])
        #expect(meta(.kotlinIOS) == ["n": "1", "b": "true"])
    }

    @Test func `something nested loses the document's metadata on Apple's platforms alone`() {
        let document = """
            {"meta": {"a": "b", "n": {}}, "ios": [{"last_version_available": "1"}],
            "android": [{"last_version_available": 1}]}
            """
        let apple = Check.apple.outcomes(.ios408, document).first
        #expect(apple?.word == "none" && apple?.meta == nil)
        let android = Check.android.outcomes(.android404, document).first
        #expect(android?.meta == ["a": "b", "n": "{}"])
    }

    private static let lost: [PrinceOfVersionsClient] = [.ios400]
    private static let later = Array(PrinceOfVersionsClient.ios4.dropFirst())
    private static let native = PrinceOfVersionsClient.ios4
    private static let androids: [PrinceOfVersionsClient] = [.android404, .kotlinAndroid]
    private static let kotlin: ([PrinceOfVersionsClient], String) = ([.kotlinIOS], "required")
    private static let behind: ([PrinceOfVersionsClient], String) = ([.kotlinIOS], "new")

    /// An entry with requirements that forces an update, and one without that offers it.
    private static func apple(_ requirements: String) -> String {
        """
        {"ios": [{"required_version": "3.0.0", "requirements": \(requirements)},
        {"last_version_available": "3.0.0"}]}
        """
    }

    private static func android(_ requirements: String) -> String {
        """
        {"android": [{"required_version": 300, "requirements": \(requirements)},
        {"last_version_available": 300}]}
        """
    }
}
