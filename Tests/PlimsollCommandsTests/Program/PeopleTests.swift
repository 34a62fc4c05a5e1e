import Foundation
import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// People who come and go, and tokens that end, against a real HTTP server.
struct PeopleTests {
    private typealias Reply = ScriptedService.Reply

    private let bob = PrincipalID(UUID())

    private var people: Reply {
        Reply(
            PrincipalList(principals: [
                PrincipalAnswer(id: Samples.alice, name: "alice", roles: []),
                PrincipalAnswer(id: bob, name: "bob", roles: []),
            ])
        )
    }

    private func standing(_ suspension: Suspension?) throws -> PrincipalStandingAnswer {
        PrincipalStandingAnswer(
            principal: PrincipalAnswer(
                id: Samples.alice,
                name: "alice",
                roles: [RoleGrant(.approver, in: .all)],
                suspension: suspension
            ),
            tokensOfOthers: [
                TokenAnswer(
                    id: TokenID(UUID()),
                    principal: bob,
                    name: "bob",
                    roles: [],
                    expiresAt: nil
                )
            ]
        )
    }

    @Test func `somebody is suspended by name once that is confirmed`() async throws {
        let suspension = Suspension(
            by: bob,
            at: Instant(millisecondsSince1970: 0),
            reason: try Reason(validating: "Laptop stolen")
        )
        let path = "POST /v1/principals/\(Samples.alice)/suspend"
        let script = ["GET /v1/principals": [people], path: [Reply(try standing(suspension))]]
        try await ScriptedService.with(script) { service, url in
            let command = ["principal", "suspend", "alice", "--reason", "Laptop stolen"]
            #expect(try await plimsoll(command, service: url).code == 2)
            #expect(service.requests.isEmpty)
            let run = try await plimsoll(command + ["--yes", "--format", "table"], service: url)
            #expect(run.code == 0, "\(run)")
            #expect(service.requests.last == path)
            #expect(run.output.contains("suspended  by bob"))
            #expect(run.output.contains("has seen   the secret of token"))
            let unknown = try await plimsoll(
                ["principal", "suspend", "carol", "--reason", "x", "--yes"],
                service: url
            )
            #expect(unknown.code == 2 && unknown.errors.contains("carol"))
        }
    }

    @Test func `a role is taken where it holds`() async throws {
        let path = "POST /v1/principals/\(Samples.alice)/revoke-role"
        let script = ["GET /v1/principals": [people], path: [Reply(try standing(nil))]]
        try await ScriptedService.with(script) { service, url in
            let command = ["principal", "revoke-role", "alice", "approver@harbour", "--yes"]
            let run = try await plimsoll(command, service: url)
            #expect(run.code == 0, "\(run)")
            let body = try service.seen.last?.json()
            #expect(body?["role"] == "approver" && body?["app"] == "harbour")
        }
    }

    // Goal: the warning is seen, and never twice a day, nor by what reads standard output. Method:
    // one cache for three commands, of which one is quiet.
    @Test func `a token that ends soon says so once a day, and never when quiet`() async throws {
        let end = Instant(Date.now.addingTimeInterval(3 * 86_400)).rfc3339
        let name = try #require(HTTPField.Name("Plimsoll-Token-End"))
        let reply = Reply(
            bytes: AppList(apps: []).bytes,
            headers: [.contentType: "application/json", name: end]
        )
        let cache = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: cache) }
        try await ScriptedService.with(["GET /v1/apps": [reply]]) { _, url in
            let more = ["XDG_CACHE_HOME": cache.path]
            let quiet = try await plimsoll(["apps", "list", "--quiet"], service: url, more: more)
            #expect(!quiet.errors.contains("token"))
            let first = try await plimsoll(["apps", "list"], service: url, more: more)
            #expect(first.errors.contains("Your token ends in 2 days"), "\(first)")
            #expect(!first.output.contains("token"))
            let second = try await plimsoll(["apps", "list"], service: url, more: more)
            #expect(!second.errors.contains("token"))
        }
    }

    @Test func `a token that ends later says nothing`() async throws {
        let end = Instant(Date.now.addingTimeInterval(15 * 86_400)).rfc3339
        let name = try #require(HTTPField.Name("Plimsoll-Token-End"))
        let reply = Reply(
            bytes: AppList(apps: []).bytes,
            headers: [.contentType: "application/json", name: end]
        )
        let cache = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try await ScriptedService.with(["GET /v1/apps": [reply]]) { _, url in
            let run = try await plimsoll(
                ["apps", "list"],
                service: url,
                more: ["XDG_CACHE_HOME": cache.path]
            )
            #expect(run.code == 0 && run.errors.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: cache.path))
        }
    }

    /// Soon, or over already.
    private static let soon = Instant(millisecondsSince1970: 1_795_000_000_000)

    private func identity(_ role: Role, until end: Instant?) -> Reply {
        Reply(
            IdentityAnswer(
                principal: Samples.alice,
                name: "alice",
                roles: [RoleGrant(role, in: .all)],
                token: nil,
                expiresAt: end
            )
        )
    }

    // Goal: whoever keeps a token for the worst night learns that it has an end from now on.
    @Test(arguments: [(Role.admin, nil), (.admin, soon), (.auditor, nil)] as [(Role, Instant?)])
    func `that an administrator's token ends from now on is told`(
        role: Role,
        end: Instant?
    ) async throws {
        let script = [
            "GET /v1/me": [identity(role, until: end)],
            "POST /v1/tokens/renew": [renewed(until: Self.soon)],
        ]
        try await ScriptedService.with(script) { _, url in
            let run = try await plimsoll(["token", "renew"], service: url)
            #expect(run.code == 0)
            let isTold = role == .admin && end == nil
            #expect(run.errors.contains("The old one had no end") == isTold, "\(run.errors)")
        }
    }

    // A session that never was is answered as one that is over.
    @Test func `ending a session claims no more than that nobody is signed in by it`() async throws
    {
        let id = UUID()
        let path = "DELETE /v1/sessions/\(id.uuidString.lowercased())"
        try await ScriptedService.with([path: [Reply(bytes: [], .noContent)]]) { _, url in
            let run = try await plimsoll(
                ["session", "end", id.uuidString.lowercased()],
                service: url
            )
            #expect(run.code == 0, "\(run)")
            #expect(run.errors.contains("No browser is signed in by session"))
        }
    }

    @Test func `a token that ends soon keeps the doctor from nothing`() async throws {
        let script = [
            "GET /readyz": [Reply(HealthAnswer.ready)],
            "GET /v1/me": [identity(.admin, until: Self.soon)],
        ]
        try await ScriptedService.with(script) { service, url in
            let run = try await plimsoll(["doctor", "--format", "table"], service: url)
            #expect(run.code == 1)
            #expect(run.output.contains("Make a new one of it with plimsoll token renew."))
            #expect(service.requests.contains("GET /v1/apps"))
        }
    }

    private func renewed(
        until end: Instant? = nil,
        secret: String? = "plm_" + String(repeating: "0", count: 64)
    ) -> Reply {
        let token = TokenAnswer(
            id: TokenID(UUID()),
            principal: Samples.alice,
            name: "alice",
            roles: [],
            expiresAt: end
        )
        return Reply(IssuedTokenAnswer(token: token, secret: secret), .created)
    }

    @Test func `a renewed token is in a file that nobody else reads, and nowhere else`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "token")
        try Data("old".utf8).write(to: file)
        let reply = renewed()
        try await ScriptedService.with(["POST /v1/tokens/renew": [reply]]) { service, url in
            let command = ["token", "renew", "--into", file.path]
            let run = try await plimsoll(command, service: url)
            #expect(run.code == 0, "\(run)")
            #expect(!(run.output + run.errors).contains("plm_0"))
            let kept = try String(contentsOf: file, encoding: .utf8)
            #expect(kept.hasPrefix("plm_0") && kept.hasSuffix("0\n"))
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let lost = ["token", "renew", "--into", "/nowhere/token"]
            let refused = try await plimsoll(lost, service: url)
            #expect(refused.code == 1 && refused.errors.contains("/nowhere/token"))
            #expect(service.requests == ["GET /v1/me", "POST /v1/tokens/renew"])
        }
    }

    @Test func `what was not renewed leaves no file behind`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let command = ["token", "renew", "--into", folder.appending(path: "token").path]
        let replies = [
            Reply(Problem(.forbidden, detail: "Not you.")), renewed(secret: nil), renewed(),
        ]
        let script = ["POST /v1/tokens/renew": replies]
        try await ScriptedService.with(script) { service, url in
            let away = try await plimsoll(command, service: "http://127.0.0.1:9")
            #expect(away.code == 1, "\(away)")
            let refused = try await plimsoll(command, service: url)
            #expect(refused.code != 0, "\(refused)")
            let repeated = try await plimsoll(command, service: url)
            #expect(repeated.code == 1, "\(repeated)")
            #expect(repeated.errors.contains("token is as it was. Renew the old one once more"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            let asked = service.requests.count
            for path in [folder.path, folder.appending(path: "new").path + "/"] {
                let whole = try await plimsoll(["token", "renew", "--into", path], service: url)
                #expect(whole.code == 1 && whole.errors.contains("is a folder"), "\(whole)")
            }
            #expect(service.requests.count == asked)
            #expect(try await plimsoll(command, service: url).code == 0)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left == ["token"])
        }
    }

    @Test func `a link or a device is not replaced by a renewed token`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appending(path: "link")
        try FileManager.default.createSymbolicLink(
            at: link,
            withDestinationURL: folder.appending(path: "elsewhere")
        )
        try await ScriptedService.with(["POST /v1/tokens/renew": [renewed()]]) { service, url in
            for path in [link.path, "/dev/null"] {
                let run = try await plimsoll(["token", "renew", "--into", path], service: url)
                #expect(run.code == 1 && run.errors.contains("is no plain file"), "\(run)")
            }
            #expect(service.requests.isEmpty)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left == ["link"])
        }
    }

    // Method: the folder takes files, but none of so long a name.
    @Test func `a renewed token that cannot be kept is shown`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: String(repeating: "t", count: 300)).path
        try await ScriptedService.with(["POST /v1/tokens/renew": [renewed()]]) { _, url in
            let run = try await plimsoll(["token", "renew", "--into", path], service: url)
            #expect(run.code == 1 && run.errors.contains("keep it yourself"), "\(run)")
            #expect(run.errors.contains("plm_" + String(repeating: "0", count: 64)))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func `a renewed token is shown once, alone where that is asked for`() async throws {
        let reply = renewed()
        try await ScriptedService.with(["POST /v1/tokens/renew": [reply]]) { _, url in
            let run = try await plimsoll(
                ["token", "renew", "--quiet", "--format", "table"],
                service: url
            )
            #expect(run.output == "plm_" + String(repeating: "0", count: 64) + "\n")
        }
    }

    @Test(arguments: [["--quiet", "--format", "table"], []])
    func `a secret that standard output does not take is not lost`(_ form: [String]) async throws {
        try await ScriptedService.with(["POST /v1/tokens/renew": [renewed()]]) { _, url in
            let command = ["token", "renew"] + form
            let run = try await plimsoll(command, service: url, onFullDisk: true)
            #expect(run.code == 1)
            #expect(run.errors.contains("plm_" + String(repeating: "0", count: 64)))
        }
    }

    @Test func `what needs me is asked of every app, or of the one that is named`() async throws {
        let script = [
            "GET /v1/apps": [Reply(AppList(apps: [try Samples.app()]))],
            "GET /v1/apps/harbour": [Reply(try Samples.app())],
            "GET /v1/principals": [people],
            "GET /v1/apps/harbour/changes": [
                Reply(ChangeList(changes: [try Samples.change(.proposed).summary], next: nil))
            ],
        ]
        try await ScriptedService.with(script) { service, url in
            let all = try await plimsoll(
                ["changes", "--needs-me", "--format", "table"],
                service: url
            )
            #expect(all.code == 0, "\(all)")
            #expect(all.output.hasPrefix("APP"))
            #expect(service.requests.contains { $0.contains("needsMe=true") })
            let one = try await plimsoll(
                ["changes", "--needs-me", "--format", "table"],
                service: url,
                app: "harbour"
            )
            #expect(one.output.hasPrefix("ID"), "\(one)")
            let filters = ["--author", "alice", "--author", "bob", "--platform", "ios"]
            for subject in [["--needs-me"], ["--app", "harbour"]] {
                let run = try await plimsoll(["changes"] + subject + filters, service: url)
                #expect(run.code == 0, "\(run)")
                let asked = service.requests.last { $0.contains("/harbour/changes") } ?? ""
                let query = asked.split(separator: "&").flatMap { $0.split(separator: "?") }
                #expect(query.count { $0.hasPrefix("author=") } == 2, "\(asked)")
                #expect(query.contains("platform=ios"), "\(asked)")
            }
            let nobody = try await plimsoll(["changes", "--author", "nobody"], service: url)
            #expect(nobody.code != 0 && nobody.errors.contains("nobody"), "\(nobody)")
            let past = ["changes", "--needs-me", "--event", "3"]
            #expect(try await plimsoll(past, service: url).code == 2)
        }
    }

    @Test func `what needs me of all apps is no more than was asked for`() async throws {
        let list = ChangeList(changes: [try Samples.change(.proposed).summary], next: nil)
        let script = [
            "GET /v1/apps": [Reply(AppList(apps: [try Samples.app(), try Samples.app("quay")]))],
            "GET /v1/principals": [people],
            "GET /v1/apps/harbour/changes": [Reply(list)],
            "GET /v1/apps/quay/changes": [Reply(list)],
        ]
        try await ScriptedService.with(script) { _, url in
            for (limit, count) in [("1", 1), ("2", 2)] {
                let run = try await plimsoll(
                    ["changes", "--needs-me", "--limit", limit],
                    service: url
                )
                #expect(try run.json()["changes"]?.array?.count == count)
                #expect(run.errors.contains("There are more") == (count == 1), "\(run.errors)")
            }
            let all = try await plimsoll(["changes", "--needs-me", "--all"], service: url)
            #expect(try all.json()["changes"]?.array?.count == 2)
        }
    }
}
