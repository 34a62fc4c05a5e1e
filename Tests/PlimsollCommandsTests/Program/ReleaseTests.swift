import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Saying which versions exist, against a real HTTP server that answers what it is told.
struct ReleaseTests {
    private typealias Reply = ScriptedService.Reply

    private let path = "/v1/apps/harbour/releases/ios/3.2.0"

    private func release() throws -> Release {
        Release(
            platform: .ios,
            version: .dotted(try #require(AppleVersion("3.2.0"))),
            facts: ReleaseFacts(
                build: try Label(validating: "412"),
                system: .dotted(try #require(AppleVersion("15.0")))
            )
        )
    }

    @Test func `one command of a job makes a release known`() async throws {
        let script = ["PUT \(path)": [Reply(ReleaseAnswer(try release()))]]
        try await ScriptedService.with(script) { service, url in
            let command = [
                "release", "add", "ios", "3.2.0", "--app", "harbour", "--os", "15.0", "--build",
                "412",
            ]
            let run = try await plimsoll(command, service: url)
            #expect(run.code == 0)
            #expect(try run.json()["version"] == "3.2.0")
            let sent = try #require(service.seen.first).json()
            #expect(sent["os"] == "15.0" && sent["build"] == "412")
            #expect(sent["liveSince"] == .null)
            let tried = try await plimsoll(command + ["--dry-run"], service: url)
            #expect(try tried.json()["dryRun"] == true)
            #expect(service.requests.count == 2)
        }
    }

    @Test func `a version code is given the name that people read`() async throws {
        let release = Release(
            platform: .android,
            version: .integer(try #require(AndroidVersion(320))),
            facts: ReleaseFacts(name: VersionName("3.2.0"))
        )
        let path = "/v1/apps/harbour/releases/android/320"
        let script = ["PUT \(path)": [Reply(ReleaseAnswer(release))]]
        try await ScriptedService.with(script) { service, url in
            let command = ["release", "add", "android", "320", "--app", "harbour", "--name"]
            let run = try await plimsoll(command + ["3.2.0"], service: url)
            #expect(try run.json()["name"] == "3.2.0")
            #expect(try #require(service.seen.first).json()["name"] == "3.2.0")
            let refused = try await plimsoll(command + ["3.2"], service: url)
            #expect(refused.code == 2)
            #expect(refused.errors.contains("--name is \"3.2\""))
            #expect(service.requests.count == 1)
        }
    }

    @Test func `what is amended is what was named`() async throws {
        let script = ["POST \(path)/amend": [Reply(ReleaseAnswer(try release()))]]
        try await ScriptedService.with(script) { service, url in
            let command = ["release", "amend", "ios", "3.2.0", "--app", "harbour"]
            let run = try await plimsoll(
                command + ["--unset", "build", "--live-since", "2026-11-21T09:00:00+01:00"],
                service: url
            )
            #expect(run.code == 0)
            let sent = try #require(service.seen.first).json()
            #expect(sent["unset"] == ["build"])
            #expect(sent["liveSince"] == "2026-11-21T08:00:00.000Z")
            #expect(sent["os"] == .null)
            #expect(try await plimsoll(command, service: url).code == 2)
            #expect(service.requests.count == 1)
        }
    }

    @Test func `what is withdrawn is told in a word`() async throws {
        let script = ["DELETE \(path)": [Reply(bytes: [], .noContent)]]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                [
                    "release", "withdraw", "ios", "3.2.0", "--app", "harbour", "--reason",
                    "Rejected",
                ],
                service: url
            )
            #expect(run.code == 0)
            #expect(run.errors == "iOS 3.2.0 of harbour is withdrawn.\n")
            #expect(try #require(service.seen.first).json()["reason"] == "Rejected")
        }
    }

    @Test func `the list is a table, under either name`() async throws {
        let list = ReleaseList(
            app: try Samples.slug(),
            position: Position(42),
            releases: [try release()]
        )
        let script = ["GET /v1/apps/harbour/releases": [Reply(list)]]
        try await ScriptedService.with(script) { service, url in
            for name in [["release", "list"], ["releases"]] {
                let run = try await plimsoll(
                    name + ["--app", "harbour", "--platform", "ios", "--format", "table"],
                    service: url
                )
                #expect(run.code == 0)
                let lines = run.output.split(separator: "\n")
                #expect(lines.count == 2)
                #expect(lines.last?.contains("3.2.0") == true)
                #expect(service.requests.last?.hasSuffix("?platform=ios") == true)
            }
        }
    }

    @Test func `the matrix shows each release on each system, and what moves`() async throws {
        let cell = DeviceMatrix.Cell.init(before:after:offersBefore:offersAfter:)
        let matrix = DeviceMatrix(
            platform: .ios,
            systems: [
                .dotted(try #require(AppleVersion("12.0"))),
                .dotted(try #require(AppleVersion("15.0"))),
                .dotted(try #require(AppleVersion("16.0"))),
            ],
            rows: [
                .init(
                    version: try release().version,
                    cells: [
                        nil, cell(.available, .appTooOld, .noUpdate, .updateRequired),
                        cell(.available, .available, .noUpdate, .updateOffered),
                    ]
                )
            ]
        )
        let side = DiffAnswer.Side(name: .live, position: Position(42))
        let to = DiffAnswer.Side(
            name: .change(try #require(ChangeID("17"))),
            position: Position(42)
        )
        let answer = MatrixAnswer(app: try Samples.slug(), from: side, to: to, matrix: matrix)
        let script = ["GET /v1/apps/harbour/matrix": [Reply(answer)]]
        try await ScriptedService.with(script) { service, url in
            let command = [
                "simulate", "--matrix", "--platform", "ios", "--change", "17", "--app", "harbour",
            ]
            let run = try await plimsoll(command + ["--format", "table"], service: url)
            #expect(run.code == 0)
            #expect(
                run.output.split(separator: "\n") == [
                    "VERSION  iOS 12.0  iOS 15.0        iOS 16.0",
                    "3.2.0    -         runs → blocked  runs; offers: no update → update offered",
                    "2 of these devices show something else.",
                ]
            )
            #expect(
                service.requests == [
                    "GET /v1/apps/harbour/matrix?platform=ios&from=live&to=change%3A17"
                ]
            )
            let json = try await plimsoll(command, service: url)
            #expect(try json.json() == .object(answer.json))
        }
    }

    @Test(arguments: [
        ["--matrix"], ["--matrix", "--platform", "ios", "--os", "15.0"],
        ["--matrix", "--platform", "ios", "--change", "17", "--after-rollback", "event:3"],
        ["--platform", "ios", "--os", "15.0"],
    ])
    func `a matrix is of all devices, and one device is of no matrix`(
        _ arguments: [String]
    ) async throws {
        let run = try await plimsoll(["simulate"] + arguments, service: "http://127.0.0.1:9")
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
    }

    @Test(arguments: [
        ["add", "ios", "x"], ["add", "android", "3.2.0"], ["add", "ios"],
        ["add", "ios", "3.2.0", "--os", "x"], ["add", "android", "320", "--os", "14.0"],
        ["add", "ios", "3.2.0", "--live-since", "lately"],
        ["add", "ios", "3.2.0", "--build", ""],
        ["amend", "ios", "3.2.0", "--unset", "version"], ["withdraw", "windows", "3.2.0"],
    ])
    func `what is no release is wrong usage`(_ arguments: [String]) async throws {
        let run = try await plimsoll(["release"] + arguments, service: "http://127.0.0.1:9")
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
    }
}
