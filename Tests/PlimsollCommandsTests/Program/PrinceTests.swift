import PlimsollJSON
import Testing

/// `plimsoll simulate --client`, which needs no service.
struct PrinceTests {
    private static let document = """
        {"ios": [{"required_version": "2.0.0-5", "requirements": {"required_os_version": "15.0.0",
        "tester": "yes"}}, {"last_version_available": "2.1.0", "meta": {"title": "New"}}],
        "android": [{"required_version": 200}], "jvm": [{"last_version_available": "3"}]}
        """

    private func simulate(
        _ arguments: [String],
        on text: String = document
    ) async throws -> CommandLineRun {
        try await withFile("prince-of-versions.json", Array(text.utf8)) { path in
            try await plimsoll(["simulate", "--json", "--document", path] + arguments, token: nil)
        }
    }

    @Test(arguments: [
        (
            ["--client", "ios-4.0.8", "--app-version", "2.0.0", "--os", "15"],
            "NEW_UPDATE_AVAILABLE"
        ),
        (
            ["--client", "ios-4.0.8", "--app-version", "2.0.0", "--os", "15", "--times", "2"],
            "NO_UPDATE_AVAILABLE"
        ),
        (
            [
                "--client", "ios-4.0.8", "--app-version", "2.0.0", "--build", "4", "--os", "15.0",
                "--requirement", "tester=yes",
            ],
            "REQUIRED_UPDATE_NEEDED"
        ),
        (
            [
                "--client", "ios-4.0.8", "--app-version", "2.0.0", "--build", "5", "--os", "15.0",
                "--requirement", "tester=yes",
            ],
            "NO_UPDATE_AVAILABLE"
        ),
        (
            ["--client", "android-4.0.4", "--app-version", "199", "--os", "30"],
            "REQUIRED_UPDATE_NEEDED"
        ),
        (["--client", "jvm", "--app-version", "3.0", "--os", "17"], "NO_UPDATE_AVAILABLE"),
        (["--client", "macos-4.0.8", "--app-version", "2", "--os", "14"], "ERROR"),
        (["--client", "ios-3.0.0", "--app-version", "2", "--os", "15"], "ERROR"),
    ])
    func `the outcome is told, an error too, and the command ends well`(
        arguments: [String],
        status: String
    ) async throws {
        let run = try await simulate(arguments)
        #expect(run.code == 0)
        #expect(try run.json()["status"]?.string == status)
    }

    @Test func `what an app gets to know stands beside the status`() async throws {
        let known = ["--client", "ios-4.0.8", "--app-version", "2.0.0", "--os", "15"]
        #expect(
            try await simulate(known + ["--times", "2"]).json() == [
                "checks": ["NEW_UPDATE_AVAILABLE", "NO_UPDATE_AVAILABLE"], "client": "ios-4.0.8",
                "entry": 1, "meta": ["title": "New"], "status": "NO_UPDATE_AVAILABLE",
                "updateVersion": "2.1.0-0",
            ]
        )
        #expect(
            try await simulate(known, on: "{}").json() == [
                "checks": ["ERROR"], "client": "ios-4.0.8", "error": "dataNotFound",
                "status": "ERROR",
            ]
        )
    }

    @Test(arguments: [
        ["--client", "ios-4.0.9", "--app-version", "2", "--os", "15"],
        ["--client", "ios-4.0.8", "--app-version", "2"],
        ["--client", "ios-4.0.8", "--os", "15"],
        ["--client", "ios-4.0.8", "--app-version", " ", "--os", "15"],
        ["--client", "ios-4.0.8", "--app-version", "2", "--os", "iOS"],
        ["--client", "ios-4.0.8", "--app-version", "2", "--os", "15", "--build", ""],
        ["--client", "ios-4.0.8", "--app-version", "2", "--os", "15", "--times", "0"],
        ["--client", "ios-4.0.8", "--app-version", "2", "--os", "15", "--times", "1001"],
        ["--client", "ios-4.0.8", "--app-version", "2", "--os", "15", "--times", "x"],
        ["--client", "ios-4.0.8", "--app-version", "2", "--os", "15", "--requirement", "a"],
        ["--client", "ios-4.0.8", "--app-version", "2", "--os", "15", "--requirement", "=a"],
        [
            "--client", "ios-4.0.8", "--app-version", "2", "--os", "15", "--requirement", "a=b",
            "--requirement", "a=c",
        ],
        ["--client", "ios-4.0.8", "--app-version", "2", "--os", "15", "--platform", "ios"],
        ["--client", "ios-4.0.8", "--app-version", "2", "--os", "15", "--store", "3"],
        ["--client", "ios-4.0.8", "--app-version", "2", "--os", "15", "--lang", "de"],
        ["--client", "ios-4.0.8", "--app-version", "2", "--os", "15", "--app", "harbour"],
        ["--client", "android-4.0.4", "--app-version", "2.0", "--os", "30"],
        ["--client", "android-4.0.4", "--app-version", "+2", "--os", "30"],
        ["--client", "android-4.0.4", "--app-version", "2147483648", "--os", "30"],
        ["--client", "android-4.0.4", "--app-version", "200", "--os", "8.0"],
        ["--client", "android-4.0.4", "--app-version", "200", "--os", "30", "--build", "1"],
        ["--client", "jvm", "--app-version", "2", "--os", "1.8"],
        ["--app-version", "2", "--os", "15"],
        ["--platform", "ios", "--app-version", "2", "--os", "15", "--times", "2"],
        ["--platform", "ios", "--app-version", "2", "--os", "15", "--build", "2"],
        ["--platform", "ios", "--app-version", "2", "--os", "15", "--requirement", "a=b"],
    ])
    func `an argument that means nothing ends with 2`(arguments: [String]) async throws {
        let run = try await simulate(arguments)
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("Error: "))
    }

    @Test func `a client with a document that is not there ends with 1`() async throws {
        let known = ["simulate", "--client", "jvm", "--app-version", "3.0", "--os", "17"]
        let missing = try await plimsoll(known + ["--document", "/nowhere/pov.json"], token: nil)
        #expect(missing.code == 1)
        #expect(missing.errors.contains("/nowhere/pov.json"))
    }
}
