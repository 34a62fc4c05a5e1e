import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
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

    @Test func `nobody is signed in without a valid token`() async throws {
        try await ServiceFixture.with { service in
            for secret in ["", "plm_", "plm_" + String(repeating: "0", count: 64)] {
                let cookie = try await service.useCases.signIn(secret, agent: "")
                #expect(cookie == nil)
            }
        }
    }
}
