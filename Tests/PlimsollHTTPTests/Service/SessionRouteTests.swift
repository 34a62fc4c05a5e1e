import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollPostgres
import PlimsollService
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// Which browsers are signed in to the console, and who may sign them out.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(2)))
struct SessionRouteTests {
    private func sessions(_ service: ServiceFixture, as role: Role) async throws -> [String] {
        let list = try await service.send(.get, "/v1/sessions", as: role).json
        return list["sessions"]?.array?.compactMap { $0["id"]?.string } ?? []
    }

    /// Suspends the viewer, or resumes them.
    private func turn(_ service: ServiceFixture, _ verb: String) async throws {
        let list = try await service.send(.get, "/v1/principals", as: .admin).json
        let people = try #require(list["principals"]?.array)
        let viewer = people.first { $0["name"] == "viewer" }
        let id = try #require(viewer?["id"]?.string)
        let path = "/v1/principals/\(id)/\(verb)"
        let turned = try await service.send(.post, path, as: .admin, ["reason": "Laptop stolen"])
        #expect(turned.status == .ok)
    }

    private func onDatabase(_ statement: Statement) async throws {
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.execute(statement)
        await session.close()
    }

    private func keptRows() async throws -> Int {
        let session = try await Session.open(ScratchDatabase.current.connection)
        let rows = try await session.query("SELECT FROM console.session")
        await session.close()
        return rows.count
    }

    @Test func `everybody sees their own, and an administrator those of all`() async throws {
        try await ServiceFixture.with { service in
            let viewers = try await service.signIn(as: .viewer)
            let admins = try await service.signIn(as: .admin)
            #expect(try await sessions(service, as: .viewer) == [viewers])
            let all = try await sessions(service, as: .admin)
            #expect(Set(all) == [viewers, admins])
        }
    }

    @Test func `who may not end a session is told nothing of it, and it goes on`() async throws {
        try await ServiceFixture.with { service in
            let admins = try await service.signIn(as: .admin)
            let refused = try await service.send(.delete, "/v1/sessions/\(admins)", as: .viewer)
            #expect(refused.status == .notFound && refused.codes == ["sessionUnknown"])
            #expect(try await sessions(service, as: .admin) == [admins])
            let ended = try await service.send(.delete, "/v1/sessions/\(admins)", as: .admin)
            #expect(ended.status == .noContent)
            #expect(try await sessions(service, as: .admin) == [])
        }
    }

    @Test func `a session ends at once with its token`() async throws {
        try await ServiceFixture.with { service in
            let secret = try service.token(.viewer)
            let cookie = try #require(try await service.useCases.signIn(secret, agent: ""))
            let before = try await service.useCases.session(of: cookie)
            #expect(before != nil)
            let me = try await service.send(.get, "/v1/me", as: .viewer).json
            let token = try #require(me["token"]?.string)
            _ = try await service.send(.delete, "/v1/tokens/\(token)", as: .admin)
            let after = try await service.useCases.session(of: cookie)
            #expect(after == nil)
            #expect(try await sessions(service, as: .admin) == [])
        }
    }

    // Goal: the cookie that lay on a stolen laptop opens nothing once its owner has another one.
    @Test(arguments: [true, false])
    func `a session that a suspension ended does not come back`(isShown: Bool) async throws {
        try await ServiceFixture.with { service in
            let secret = try service.token(.viewer)
            let cookie = try #require(try await service.useCases.signIn(secret, agent: ""))
            try await onDatabase("CREATE TABLE left_over AS SELECT * FROM console.session")
            try await turn(service, "suspend")
            #expect(try await keptRows() == 0)
            // As where the process died before that.
            try await onDatabase("INSERT INTO console.session SELECT * FROM left_over")
            if isShown {
                let during = try await service.useCases.session(of: cookie)
                #expect(during == nil)
                #expect(try await keptRows() == 0)
            }
            try await turn(service, "resume")
            #expect(try await sessions(service, as: .viewer) == [])
            let after = try await service.useCases.session(of: cookie)
            #expect(after == nil)
            let next = try #require(try await service.useCases.signIn(secret, agent: ""))
            let anew = try await service.useCases.session(of: next)
            #expect(anew != nil)
            #expect(try await sessions(service, as: .viewer) == [next.id.description])
        }
    }

    @Test func `a session that a suspension ended may be ended again`() async throws {
        try await ServiceFixture.with { service in
            let viewers = try await service.signIn(as: .viewer)
            try await onDatabase("CREATE TABLE left_over AS SELECT * FROM console.session")
            try await turn(service, "suspend")
            try await onDatabase("INSERT INTO console.session SELECT * FROM left_over")
            #expect(try await sessions(service, as: .admin) == [])
            let strange = try await service.send(.delete, "/v1/sessions/\(viewers)", as: .auditor)
            #expect(strange.status == .notFound && strange.codes == ["sessionUnknown"])
            for _ in 1...2 {
                let ended = try await service.send(.delete, "/v1/sessions/\(viewers)", as: .admin)
                #expect(ended.status == .noContent)
                #expect(try await keptRows() == 0)
            }
        }
    }

    @Test func `nobody is signed in without a valid token`() async throws {
        try await ServiceFixture.with { service in
            for secret in ["", "plm_", "plm_" + String(repeating: "0", count: 64)] {
                let cookie = try await service.useCases.signIn(secret, agent: "")
                #expect(cookie == nil)
            }
        }
    }
}
