import Foundation
import PlimsollAdmin
import PlimsollJSON
import Testing

extension ServiceTests {
    /// What whoever installs the service meets, and what their journal keeps of it.
    @Suite struct FirstStartTests {
        // Goal: ready means that the administrator's token is accepted. Method: the service is
        // asked without a pause from the moment it listens, and whoever hears that it is ready
        // uses the token at once.
        @Test func `a service that says it is ready accepts the administrator's token`()
            async throws
        {
            try await ServerFixture.with { fixture in
                let fixture = fixture.empty()
                try await fixture.run(.started) { server in
                    try await eventually("the service listens") {
                        try fixture.logText().contains("listening on ") ? true : nil
                    }
                    while try await server.send(.get, "/readyz", as: nil).status != 200 {
                        try #require(server.isAlive)
                    }
                    let me = try await server.send(.get, "/v1/me", as: try fixture.adminToken())
                    #expect(me.status == 200, "\(me.json)")
                }
            }
        }

        @Test func `an address of its own says how the service does, and nothing else`()
            async throws
        {
            try await ServerFixture.with { fixture in
                let fixture = fixture.empty()
                let environment = ["PLIMSOLL_HEALTH_LISTEN": "127.0.0.1:0"]
                try await fixture.run(.started, environment: environment) { server in
                    let address = try await eventually("the address") {
                        try #require(server.isAlive)
                        return try server.address(after: "health.bound=")
                    }
                    func status(_ path: String) async throws -> Int {
                        try await fixture.phone(at: address, path).status
                    }
                    #expect(try await status("/healthz") == 200)
                    try await eventually("it is ready") {
                        try await status("/readyz") == 200 ? () : nil
                    }
                    for path in ["/metrics", "/v1/apps", "/openapi.json", "/"] {
                        #expect(try await status(path) == 404, "\(path)")
                    }
                }
            }
        }

        @Test func `no journal gets the administrator's token, at no start`() async throws {
            try await ServerFixture.with { fixture in
                let file = fixture.data.appending(path: "admin-token").path
                var announcements: [String] = []
                let first = fixture.empty()
                try await first.run { server in
                    announcements.append(try first.announcementText())
                    #expect(announcements[0].contains("the token in \(file) is valid"))
                    let token = try fixture.adminToken()
                    let me = try await server.send(.get, "/v1/me", as: token)
                    let id = try #require(me.json["token"]?.string)
                    let path = "/v1/tokens/\(id)"
                    #expect(try await server.send(.delete, path, as: token).status == 204)
                }
                try await first.start(.started) { server in
                    try await eventually("the announcement") {
                        try #require(server.isAlive)
                        let text = try first.announcementText()
                        return text.contains("Try next:") ? announcements.append(text) : nil
                    }
                }
                #expect(announcements.last?.contains("\(file) is not valid any more") == true)
                #expect(announcements.last?.contains("$(cat") == false)
                let token = try fixture.adminToken()
                for text in announcements + [try first.logText()] {
                    #expect(!text.contains(token))
                }
            }
        }
    }
}
