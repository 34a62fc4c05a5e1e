import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Names that are erased for good, against a real HTTP server.
struct ErasingTests {
    private typealias Reply = ScriptedService.Reply

    private var path: String { "/v1/principals/\(Samples.alice)/name" }

    @Test func `a name is erased once that is confirmed`() async throws {
        let script = ["DELETE \(path)": [Reply(bytes: [], .noContent)]]
        try await ScriptedService.with(script) { service, url in
            let command = ["principal", "erase", Samples.alice.text]
            let unconfirmed = try await plimsoll(command, service: url)
            #expect(unconfirmed.code == 2)
            #expect(service.requests.isEmpty)
            let run = try await plimsoll(command + ["--yes"], service: url)
            #expect(run.code == 0)
            #expect(run.errors.contains("erased"))
            #expect(service.requests == ["DELETE \(path)"])
        }
    }

    @Test func `a dry run asks for no confirmation and says what it was`() async throws {
        let script = ["DELETE \(path)": [Reply(DryRunAnswer())]]
        try await ScriptedService.with(script) { service, url in
            let command = ["principal", "erase", Samples.alice.text, "--dry-run"]
            let run = try await plimsoll(command, service: url)
            #expect(run.code == 0)
            #expect(run.errors.contains("dry run"))
            #expect(service.requests == ["DELETE \(path)?dryRun=true"])
        }
    }

    @Test func `a name that is no id is refused before anybody is asked`() async throws {
        try await ScriptedService.with([:]) { service, url in
            let run = try await plimsoll(["principal", "erase", "alice", "--yes"], service: url)
            #expect(run.code == 2)
            #expect(service.requests.isEmpty)
        }
    }

    @Test func `an account is forgotten by the service once that is confirmed`() async throws {
        let path = "/v1/accounts/forget"
        let replies = [Reply(AccountAnswer(apps: 3)), Reply(AccountAnswer(apps: nil))]
        try await ScriptedService.with(["POST \(path)": replies]) { service, url in
            let command = ["marketplace", "forget-account", "--account", "7f3c21"]
            for refused in [command, ["marketplace", "forget-account", "--account", "", "--yes"]] {
                let run = try await plimsoll(refused, service: url)
                #expect(run.code == 2)
                #expect(service.requests.isEmpty)
            }
            let run = try await plimsoll(command + ["--yes"], service: url)
            #expect(run.code == 0 && run.errors.contains("3 apps"), "\(run.errors)")
            #expect(try service.seen.last?.json()["account"] == "7f3c21")
            let trial = try await plimsoll(command + ["--dry-run"], service: url)
            #expect(trial.code == 0 && trial.errors.contains("dry run"), "\(trial.errors)")
            #expect(service.requests == ["POST \(path)", "POST \(path)?dryRun=true"])
        }
    }

    @Test func `whoever has no name is listed under the id`() async throws {
        let list = PrincipalList(principals: [
            PrincipalAnswer(id: Samples.alice, name: nil, roles: [RoleGrant(.viewer, in: .all)])
        ])
        try await ScriptedService.with(["GET /v1/principals": [Reply(list)]]) { _, url in
            let run = try await plimsoll(["principal", "--format", "table"], service: url)
            #expect(run.code == 0)
            #expect(run.output.contains(Samples.alice.text))
            #expect(run.output.contains("(no name)"))
        }
    }
}
