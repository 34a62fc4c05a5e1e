import Foundation
import PlimsollAPI
import PlimsollJSON
import Synchronization
import Testing

extension ServiceTests {
    /// What somebody on call can do while others do their worst.
    @Suite(.alone) struct CrowdedDoorTests {
        private static let strangers = setting("PLIMSOLL_TEST_STRANGERS") ?? 600
        private static let viewers = setting("PLIMSOLL_TEST_VIEWERS") ?? 16
        private static let releases = setting("PLIMSOLL_TEST_RELEASES") ?? 150

        private static let patience: Duration =
            ServiceTests.hasNarrowLimits ? .seconds(1) : .seconds(20)

        private static func setting(_ name: String) -> Int? {
            ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
        }

        // Goal: an emergency is answered within a second, whoever crowds the door. Method: strangers
        // keep connections with nothing, with heads and with bodies that drip, and come back whenever
        // they are sent away; viewers ask for the most expensive answer without a pause; meanwhile a
        // responder freezes, blocks and rolls back, each on a connection of its own.
        @Test func `a crowd keeps nobody with a token from what has to be done at once`()
            async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let rita = try await server.admit("rita", "responder")
                    let vera = try await server.admit("vera", "viewer")
                    try await register(Self.releases, at: server)
                    let before = try await server.head()
                    let port = try #require(Int(server.rest().split(separator: ":").last ?? ""))
                    let strangers = Strangers(at: port)
                    strangers.come(Self.strangers)
                    try await eventually("the door is crowded") {
                        strangers.arrivals > Self.strangers / 2 ? true : nil
                    }
                    var slowest = Duration.zero
                    let answered = Counter()
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<Self.viewers {
                            group.addTask(name: "viewer") {
                                try await look(at: server, as: vera, counting: answered)
                            }
                        }
                        for round in 1...5 {
                            slowest = max(slowest, try await night(round, before, server, rita))
                            let health = try await insist(
                                "GET /readyz",
                                nil,
                                as: nil,
                                at: try server.rest(),
                                attempts: 10
                            )
                            #expect(health.hasPrefix("HTTP/1.1 200 "), "\(health)")
                        }
                        group.cancelAll()
                    }
                    let arrivals = strangers.arrivals
                    try await strangers.leave()
                    Attachment.record("\(slowest), \(arrivals) arrivals", named: "slowest.txt")
                    #expect(slowest < Self.patience, "\(slowest), \(arrivals) arrivals")
                    #expect(answered.count.load(ordering: .relaxed) > 0)
                }
            }
        }

        /// The slowest answer of a freeze and its end, a block and a rollback.
        private func night(
            _ round: Int,
            _ before: Int64,
            _ server: RunningServer,
            _ token: String
        ) async throws -> Duration {
            let block: JSONValue = [
                "platform": "ios", "below": .string("9.\(round).0"), "reason": "It loses data",
            ]
            let back: JSONValue = ["to": ["event": .integer(before)], "reason": "Back"]
            let reason: JSONValue = ["reason": "Night"]
            var slowest = Duration.zero
            for (line, body) in [
                ("POST /v1/apps/harbour/freeze", reason), ("POST /v1/apps/harbour/block", block),
                ("POST /v1/apps/harbour/rollback", back),
                ("DELETE /v1/apps/harbour/freeze", reason),
            ] {
                let start = ContinuousClock.now
                let answer = try await insist(line, body, as: token, at: try server.rest())
                let time = ContinuousClock.now - start
                #expect(answer.hasPrefix("HTTP/1.1 20"), "\(line): \(answer)")
                slowest = max(slowest, time)
            }
            return slowest
        }

        /// Whose connection the crowd took before the answer comes again.
        private func look(
            at server: RunningServer,
            as token: String,
            counting answered: Counter
        ) async throws {
            while !Task.isCancelled {
                let answer = try await exchange(
                    "GET /v1/apps/harbour/matrix?platform=ios",
                    nil,
                    as: token,
                    at: try server.rest()
                )
                guard !answer.isEmpty else { continue }
                answered.count.add(1, ordering: .relaxed)
                let status = answer.dropFirst("HTTP/1.1 ".count).prefix(3)
                #expect(["200", "429"].contains(status), "\(answer.prefix(200))")
            }
        }

        /// Asks again, as the command line does, where the crowd took the connection before the answer.
        private func insist(
            _ line: String,
            _ body: JSONValue?,
            as token: String?,
            at address: String,
            attempts: Int = 3
        ) async throws -> String {
            let key = UUID().uuidString
            var answer = ""
            for _ in 0..<attempts where answer.isEmpty {
                answer = try await exchange(line, body, as: token, at: address, key: key)
            }
            return answer
        }

        private func exchange(
            _ line: String,
            _ body: JSONValue?,
            as token: String?,
            at address: String,
            key: String? = nil
        ) async throws -> String {
            let bytes = body.map { String(decoding: $0.canonicalBytes(), as: UTF8.self) } ?? ""
            let head =
                [
                    "\(line) HTTP/1.1", "Host: here", "Connection: close",
                    "Content-Type: application/json", "Content-Length: \(bytes.utf8.count)",
                ] + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
                + (key.map { ["Idempotency-Key: \($0)"] } ?? [])
            let client = try await RawClient.connect(to: address)
            return try await client.exchange(head.joined(separator: "\r\n") + "\r\n\r\n" + bytes)
        }

        private func register(_ count: Int, at server: RunningServer) async throws {
            let admin = try server.fixture.adminToken()
            for number in 0..<count {
                let release: JSONValue = [
                    "os": .string("\(10 + number % 60).0"), "liveSince": "2026-01-01T00:00:00.000Z",
                ]
                let path = "/v1/apps/harbour/releases/ios/1.\(number).0"
                let reply = try await server.send(.put, path, as: admin, release)
                try #require(reply.status == 201 || reply.status == 200)
            }
        }
    }
}

private final class Counter: Sendable {
    let count = Atomic(0)
}
