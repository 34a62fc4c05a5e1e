import Crypto
import Foundation
import Glibc
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Synchronization
import Testing

extension ServiceTests {
    /// Events on their way to a receiver, over the real program.
    @Suite struct WebhookRoadTests {
        private static let allowed = [
            "PLIMSOLL_WEBHOOKS_HTTP": "true", "PLIMSOLL_WEBHOOKS_NETWORKS": "127.0.0.1/32",
        ]

        // Goal: everything that happens to an app arrives, signed and in order, although the service
        // is killed while the receiver hesitates.
        // Method: the receiver checks with nothing but what the command line showed.
        @Test func `what happens to an app arrives, across a kill`() async throws {
            try await ServerFixture.with { fixture in
                let hook = Hook()
                try await ScriptedServer.with({ hook.take($0) }) { _, port in
                    var made = JSONValue.null
                    _ = try await fixture.run(environment: Self.allowed) { server in
                        let team = try await Team(server)
                        made = try await server.expect(
                            0,
                            ["webhook", "create", "http://127.0.0.1:\(port)/", "--app", "harbour"],
                            as: try fixture.adminToken()
                        )
                        let id = try #require(made["id"]?.string)
                        let test = ["webhook", "test", id]
                        _ = try await server.expect(0, test, as: try fixture.adminToken())
                        try await team.setMinimum("3.1.0", "Update to use the app.")
                        try await expectArrival(of: made, at: hook, server)
                        hook.hesitate()
                        try await team.setMinimum("3.2.0", "Update to use the app.")
                        try await eventually("a message that is not answered") {
                            hook.isWaiting ? () : nil
                        }
                        server.send(SIGKILL)
                    }
                    hook.answer()
                    _ = try await fixture.run(environment: Self.allowed) { server in
                        try await expectArrival(of: made, at: hook, server)
                        let list = try await server.expect(
                            0,
                            ["webhook", "list"],
                            as: try fixture.adminToken()
                        )
                        let webhook = list["webhooks"]?.array?.first
                        #expect(webhook?["state"] == "enabled")
                        #expect(webhook?["trouble"] == .null)
                        try await fixture.expectVerified()
                    }
                }
            }
        }

        // Goal: a receiver learns what people are called where that was asked for, and until the name is
        // erased. Method: two receivers of the same act; the second one asked for nothing.
        @Test func `names are told to whom they were promised, until they are erased`()
            async throws
        {
            try await ServerFixture.with { fixture in
                let (named, plain) = (Hook(), Hook())
                try await ScriptedServer.with({ named.take($0) }) { _, namedPort in
                    try await ScriptedServer.with({ plain.take($0) }) { _, plainPort in
                        _ = try await fixture.run(environment: Self.allowed) { server in
                            let admin = try fixture.adminToken()
                            let create = ["webhook", "create", "--app", "harbour", "--grouped"]
                            for (port, more) in [(namedPort, ["--names"]), (plainPort, [])] {
                                let url = "http://127.0.0.1:\(port)/"
                                _ = try await server.expect(0, create + [url] + more, as: admin)
                            }
                            let rita = try await server.admit("Rita", "responder")
                            func freeze() async throws {
                                for verb in ["on", "off"] {
                                    let order = ["freeze", verb, "--app", "harbour"]
                                    let why = ["--reason", "Launch day"]
                                    _ = try await server.expect(0, order + why, as: rita)
                                }
                            }
                            try await freeze()
                            try await eventually("the names") {
                                named.groups.count { $0["actorName"] == "Rita" } == 2 ? () : nil
                            }
                            try await eventually("the other") {
                                plain.groups.count { $0["reason"] == "Launch day" } == 2 ? () : nil
                            }
                            #expect(plain.groups.allSatisfy { $0["actorName"] == .null })
                            let me = try await server.send(.get, "/v1/me", as: rita)
                            let id = try #require(me.json["principal"]?.string)
                            let erase = ["principal", "erase", id, "--yes"]
                            _ = try await server.expect(0, erase, as: admin)
                            try await freeze()
                            try await eventually("what has no name any more") {
                                let acts = named.groups.filter { $0["reason"] == "Launch day" }
                                return acts.count == 4 ? () : nil
                            }
                            let acts = named.groups.filter { $0["reason"] == "Launch day" }
                            #expect(acts.map { $0["actorName"] } == ["Rita", "Rita", .null, .null])
                        }
                    }
                }
            }
        }

        // Method: the very commands of the page, against receivers that nobody may send to.
        @Test func `what only the service can reach is refused, and a dead receiver named`()
            async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let admin = try fixture.adminToken()
                    for url in ["http://127.0.0.1:1/", "https://127.0.0.1:1/", "https://[::1]/"] {
                        let create = ["webhook", "create", url]
                        let refused = try await server.plimsoll(create, as: admin)
                        #expect(refused.status == 1)
                        #expect(refused.errors.contains("Events are not sent there"))
                    }
                    let made = try await server.expect(
                        0,
                        ["webhook", "create", "https://localhost:1/"],
                        as: admin
                    )
                    let id = try #require(made["id"]?.string)
                    let tested = try await server.expect(1, ["webhook", "test", id], as: admin)
                    #expect(tested["failure"]?.string?.contains("localhost is at") == true)
                    _ = try await server.admit("victor", "viewer")
                    try await eventually("the doctor's word") {
                        let found = try await server.plimsoll(["doctor", "--json"], as: admin)
                        return found.output.contains("localhost failed") ? () : nil
                    }
                }
            }
        }

        // Goal: whoever restores has the time to disable a webhook before anything is sent.
        @Test func `a service that is told so sends nothing, and nothing is lost`() async throws {
            try await ServerFixture.with { fixture in
                let hook = Hook()
                try await ScriptedServer.with({ hook.take($0) }) { _, port in
                    var made = JSONValue.null
                    let quiet = Self.allowed.merging(["PLIMSOLL_WEBHOOKS_SEND": "false"]) { $1 }
                    _ = try await fixture.run(environment: quiet) { server in
                        let admin = try fixture.adminToken()
                        made = try await server.expect(
                            0,
                            ["webhook", "create", "http://127.0.0.1:\(port)/", "--app", "harbour"],
                            as: admin
                        )
                        let release = ["release", "add", "ios", "3.1.0", "--app", "harbour"]
                        _ = try await server.expect(0, release, as: admin)
                        let id = try #require(made["id"]?.string)
                        for _ in 1...5 {
                            let test = ["webhook", "test", id]
                            _ = try await server.expect(0, test, as: admin)
                        }
                        #expect(hook.taken.count == 5 && hook.events.isEmpty)
                        let metrics = try await server.send(.get, "/metrics", as: nil).answer.body
                        let text = String(decoding: metrics, as: UTF8.self)
                        #expect(text.contains("\nplimsoll_courier_active 0\n"))
                    }
                    _ = try await fixture.run(environment: Self.allowed) { server in
                        try await expectArrival(of: made, at: hook, server)
                    }
                }
            }
        }

        /// Waits until the newest event of the app has come, and looks at all that did.
        private func expectArrival(
            of webhook: JSONValue,
            at hook: Hook,
            _ server: RunningServer
        ) async throws {
            let (registered, secret) = (webhook["registered"]?.integer, webhook["secret"]?.string)
            let token = try server.fixture.adminToken()
            _ = try await server.settle()
            let expected = try await server.events("&app=harbour", as: token).filter { event in
                (event["position"]?.integer ?? 0) > registered ?? 0
            }
            try #require(!expected.isEmpty)
            try await eventually("the newest event") {
                hook.events.last == expected.last ? () : nil
            }
            // Sent at least once: what the receiver knows by its id, it leaves out.
            var seen: Set<String> = []
            let events = hook.taken.filter { seen.insert($0["webhook-id"] ?? "").inserted }
                .compactMap(\.event)
            #expect(events == expected)
            for request in hook.taken { #expect(request.isSigned(with: secret ?? "")) }
        }
    }
}

/// A receiver that answers at once, or not at all.
private final class Hook: Sendable {
    private struct State {
        var hesitates = false
        var isWaiting = false
        var taken: [ScriptedServer.Request] = []
    }

    private let state = Mutex(State())

    var taken: [ScriptedServer.Request] { state.withLock(\.taken) }
    var isWaiting: Bool { state.withLock(\.isWaiting) }
    var events: [JSONValue] { taken.compactMap(\.event) }
    /// What came as one act, each once.
    var groups: [JSONValue] {
        var seen: Set<String> = []
        return taken.filter { seen.insert($0["webhook-id"] ?? "").inserted }.compactMap(\.event)
            .filter { $0["type"] == "Group" }
    }

    func hesitate() { state.withLock { $0.hesitates = true } }
    func answer() { state.withLock { $0.hesitates = false } }

    func take(_ request: ScriptedServer.Request) -> ScriptedServer.Reply {
        state.withLock { state in
            guard !state.hesitates else {
                state.isWaiting = true
                return .part([])
            }
            state.taken.append(request)
            return .bytes(
                Array("HTTP/1.1 204 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
            )
        }
    }
}

extension ScriptedServer.Request {
    /// The event that it brings; `nil` for a test.
    fileprivate var event: JSONValue? {
        let value = try? JSONValue(parsing: Array(body.utf8))
        return value?["position"] == nil ? nil : value
    }

    /// What a receiver does with the secret that it was told.
    fileprivate func isSigned(with secret: String) -> Bool {
        guard let id = self["webhook-id"], let time = self["webhook-timestamp"],
            let key = Data(base64Encoded: String(secret.dropFirst(6)))
        else { return false }
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(id).\(time).\(body)".utf8),
            using: SymmetricKey(data: key)
        )
        return self["webhook-signature"] == "v1,\(Data(code).base64EncodedString())"
    }
}
