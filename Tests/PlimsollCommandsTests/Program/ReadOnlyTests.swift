import HTTPTypes
import PlimsollAPI
import PlimsollJSON
import Testing

/// What the program says of a service that reads only, or is not ready.
struct ReadOnlyTests {
    private let problem = Problem(.logBehind, detail: "The database has 3 events.")

    @Test func `the doctor names what is wrong and looks further`() async throws {
        let readyz = ScriptedService.Reply(problem)
        try await ScriptedService.with(["GET /readyz": [readyz]]) { service, url in
            let run = try await plimsoll(["doctor", "--format", "table"], service: url)
            #expect(run.code == 1)
            #expect(run.output.contains("The database has 3 events."))
            #expect(run.output.contains("docs/operating/backup.md"))
            #expect(!run.output.contains("Start it with plimsoll serve"))
            #expect(service.requests.contains("GET /v1/me"))
        }
    }

    // It is there and says what it lacks: nobody is to start another one.
    @Test func `the doctor takes a service that is not ready for no service that is gone`()
        async throws
    {
        let fault = Problem.Fault(
            at: nil,
            code: "notReady",
            detail: "The database does not answer, or takes no writes."
        )
        let readyz = Problem(.unavailable, detail: "The service is not ready.", errors: [fault])
        try await ScriptedService.with(["GET /readyz": [ScriptedService.Reply(readyz)]]) { _, url in
            let run = try await plimsoll(["doctor", "--format", "table"], service: url)
            #expect(run.code == 1)
            #expect(run.output.contains(fault.detail))
            #expect(run.output.contains("docs/operating/incident.md"))
            #expect(run.output.contains("reviews: the service is not ready"))
            for words in ["Start it with plimsoll serve", "the service does not answer"] {
                #expect(!run.output.contains(words), "\(run.output)")
            }
        }
    }

    @Test func `who reads is warned once, and results stay as they are`() async throws {
        let name = try #require(HTTPField.Name("Plimsoll-Read-Only"))
        let marked: HTTPFields = [name: "log-behind"]
        let apps = AppList(apps: [try Samples.app()]).bytes
        for (headers, isWarned) in [(marked, true), (HTTPFields(), false)] {
            let reply = ScriptedService.Reply(bytes: apps, headers: headers)
            try await ScriptedService.with(["GET /v1/apps": [reply]]) { _, url in
                let run = try await plimsoll(["apps"], service: url)
                #expect(run.code == 0)
                #expect(try run.json()["apps"] != nil)
                #expect(run.errors.contains("Warning: The service reads only") == isWarned)
            }
        }
    }
}
