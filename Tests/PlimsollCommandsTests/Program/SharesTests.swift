import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Importing counts of devices, against a real HTTP server that answers what it is told.
struct SharesTests {
    private typealias Reply = ScriptedService.Reply

    private let path = "/v1/apps/harbour/shares/ios"

    private func answer() throws -> VersionSharesAnswer {
        let app = VersionValue.dotted(try #require(AppleVersion("3.1.0")))
        let shares = VersionShares(rows: [.init(app: app, system: nil, devices: 7)])
        return VersionSharesAnswer(app: try Samples.slug(), platform: .ios, shares: shares)
    }

    /// Imports a table, and says how that went and what was sent.
    private func importing(
        _ text: String,
        _ check: @escaping @Sendable (CommandLineRun, JSONValue?) throws -> Void
    ) async throws {
        let script = ["PUT \(path)": [Reply(try answer())]]
        try await withFile("devices.csv", Array(text.utf8)) { file in
            try await ScriptedService.with(script) { service, url in
                let run = try await plimsoll(
                    ["shares", "import", "ios", file, "--app", "harbour"],
                    service: url
                )
                try check(run, try service.seen.first?.json())
            }
        }
    }

    private let rows: JSONValue = [
        ["app": "3.1.0", "os": "15.4", "devices": 1200], ["app": "3.0", "os": nil, "devices": 80],
    ]

    @Test(arguments: [
        "app,os,devices\n3.1.0,15.4,1200\n3.0,,80\n",
        "devices,app,os\r\n1200,3.1.0,15.4\r\n80,3.0,",
        "\u{FEFF}app,os,devices\r\n3.1.0,15.4,1200\r\n3.0,,80\r\n",
        #" {"rows": [{"app": "3.1.0", "os": "15.4", "devices": 1200},"#
            + #" {"app": "3.0", "devices": 80}]}"#,
    ])
    func `CSV and JSON say the same`(_ text: String) async throws {
        let rows = rows
        try await importing(text) { run, sent in
            #expect(run.code == 0)
            #expect(sent?["rows"] == rows)
        }
    }

    @Test(arguments: [
        ("", "empty"), ("app,os\n3.1.0,15.4\n", "Line 1"), ("app,app,devices\n", "Line 1"),
        ("app,devices,share\n", "Line 1"), ("App,devices\n", "Line 1"),
        ("app;devices\n3.1;7\n", "Line 1"), ("\u{FEFF}\u{FEFF}app,devices\n3.1,7\n", "Line 1"),
        ("app,devices\n3.1.0,7\n\n", "Line 3"), ("app,devices\n3.1.0,7,8\n", "Line 2"),
        ("app,devices\n3.1.0\n", "Line 2"), ("app,devices\nv3,7\n", "Line 2: app"),
        ("app,devices\n3.1.0,-7\n", "Line 2: devices"), ("app,devices\n3.1.0,7.5\n", "Line 2"),
        ("app,devices\n3.1.0,\n", "Line 2: devices"), ("app,devices\n\"3.1.0\",7\n", "Line 2: app"),
        ("app,os,devices\n3.1.0,iOS 15,7\n", "Line 2: os"),
        ("app,devices\n3.1.0,99999999999999999999\n", "Line 2: devices"),
        (#"{"rows": [{"app": "3.1.0"}]}"#, "/rows/0/devices"), (#"{"rows": {}}"#, "/rows"),
    ])
    func `what is no table is named by its line`(_ text: String, _ words: String) async throws {
        try await importing(text) { run, sent in
            #expect(run.code == 2)
            #expect(sent == nil)
            #expect(run.errors.contains(words), "\(run.errors)")
        }
    }

    // Goal: whoever made a table finds the line that the service does not take.
    @Test func `what the service refuses is named by its line`() async throws {
        let fault = Problem.Fault(
            at: .body("/rows/1/devices"),
            code: "numberOutside",
            detail: "The number has to lie from 1 to 9.",
            remedy: "Choose a number in between."
        )
        let problem = Problem(.invalidRequest, detail: fault.detail, errors: [fault])
        let script = ["PUT \(path)": [Reply(problem)]]
        try await withFile("devices.csv", Array("app,devices\n3.1,7\n3.0,0\n".utf8)) { file in
            try await ScriptedService.with(script) { _, url in
                let run = try await plimsoll(
                    ["shares", "import", "ios", file, "--app", "harbour"],
                    service: url
                )
                #expect(run.code == 1)
                #expect(run.errors.contains("(line 3, devices)"), "\(run.errors)")
                #expect(!run.errors.contains("/rows/"))
            }
        }
    }

    @Test func `a count is taken away`() async throws {
        let script = ["DELETE \(path)": [Reply(bytes: [], .noContent)]]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(
                ["shares", "remove", "ios", "--app", "harbour", "--reason", "Week 48"],
                service: url
            )
            #expect(run.code == 0)
            #expect(try service.seen.first?.json()["reason"] == "Week 48")
        }
    }

    @Test func `the count is shown as a table`() async throws {
        let script = ["GET \(path)": [Reply(try answer())]]
        try await ScriptedService.with(script) { _, url in
            let run = try await plimsoll(
                ["shares", "show", "ios", "--app", "harbour", "--format", "table"],
                service: url
            )
            #expect(run.code == 0)
            #expect(run.output.split(separator: "\n") == ["APP    OS   DEVICES", "3.1.0  any  7"])
        }
    }
}
