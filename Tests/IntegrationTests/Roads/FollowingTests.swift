import Foundation
import NIOCore
import NIOPosix
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Synchronization
import Testing

extension ServiceTests {
    @Suite struct FollowingTests {
        /// `PLIMSOLL_READERS` says it; 50 without it.
        private static let readers = number("PLIMSOLL_READERS").map(Int.init) ?? 50
        /// 1 000 in three runs for 200 readers; as many more as there are more readers.
        private static let eventsPerRun = (readers * 5 / 9 + 1) * 3

        // Goal: whoever follows the record gets each event once and in order, whatever happens to
        // the service and whoever else does not read. Method: many readers and a stalled one, over
        // three runs of the service; each reader goes on with the place of its last message. At
        // the end each has to have what the log has, from where it began.
        @Test func `every reader has each event exactly once and in order`() async throws {
            try await ServerFixture.with { fixture in
                let readers = (0..<Self.readers).map { _ in Reader() }
                var log: [JSONValue] = []
                for run in 1...3 {
                    try await fixture.run { server in
                        log = try await follow(server, readers, in: run)
                    }
                }
                let positions = log.compactMap { $0["position"]?.integer }
                for reader in readers {
                    let first = try #require(reader.seen.first)
                    #expect(reader.seen == positions.filter { $0 >= first })
                    #expect(reader.seen.count >= 3 * Self.eventsPerRun)
                }
            }
        }

        /// Has everybody read while the record grows; answers the log once everybody has it.
        private func follow(
            _ server: RunningServer,
            _ readers: [Reader],
            in run: Int
        ) async throws -> [JSONValue] {
            let token = try server.fixture.adminToken()
            let address = try #require(ServiceAddress("http://\(try server.rest())"))
            let client = AdminClient(at: address, token: token, over: server.fixture.transport)
            return try await withThrowingTaskGroup { group in
                for reader in readers {
                    group.addTask(name: "reader") { try await reader.read(address, token) }
                }
                try await eventually("every reader is there") {
                    readers.allSatisfy { $0.run(run) } ? () : nil
                }
                let stalled = try await StalledReader.open(address, token)
                try await grow(client, run)
                let log = try await server.settle()
                let end = log.last?["position"]?.integer
                try await eventually("every reader has everything") {
                    readers.allSatisfy { $0.seen.last == end } ? () : nil
                }
                group.cancelAll()
                try await stalled.close()
                return log
            }
        }

        private func grow(_ client: AdminClient, _ run: Int) async throws {
            let scope = RoleGrant(.viewer, in: .all)
            // Three events a token: a principal, a role, and the token itself.
            for number in 0..<(Self.eventsPerRun / 3) {
                let form = TokenForm(
                    name: try Title(validating: "reader \(run).\(number)"),
                    principal: nil,
                    roles: [scope],
                    expiresAt: nil
                )
                _ = try await client.call(Endpoints.issueToken, form)
            }
        }
    }
}

/// Follows the record over several runs of the service.
private final class Reader: Sendable {
    private struct State {
        var seen: [Int64] = []
        var place: Position?
        var runs = 0
    }

    private let state = Mutex(State())

    var seen: [Int64] { state.withLock(\.seen) }

    /// Whether it has been answered in that run.
    func run(_ number: Int) -> Bool { state.withLock { $0.runs >= number } }

    /// Reads over a connection of its own until it is cancelled.
    func read(_ address: ServiceAddress, _ token: String) async throws {
        let (place, runs) = state.withLock { ($0.place, $0.runs) }
        try await Transport.with { transport in
            let client = AdminClient(at: address, token: token, over: transport)
            do throws(AdminError) {
                try await client.follow(after: place) { take($0, in: runs + 1) }
            } catch {
                guard error.kind == .cancelled else { throw error }
            }
        }
    }

    private func take(_ message: FeedMessage, in run: Int) {
        state.withLock { state in
            state.runs = run
            state.place = message.position
            if let event = message.event { state.seen.append(event.position.rawValue) }
        }
    }
}

/// Asks to follow the record from its beginning, and reads nothing.
private struct StalledReader {
    private let channel: any NIOCore.Channel

    static func open(_ address: ServiceAddress, _ token: String) async throws -> StalledReader {
        let url = try #require(URL(string: address.url("/v1/events", [])))
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false)
            // The system would take in megabytes for it otherwise.
            .channelOption(.socketOption(.so_rcvbuf), value: 4096)
            .connect(host: try #require(url.host), port: try #require(url.port))
            .get()
        let request = """
            GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r
            Accept: text/event-stream\r\nLast-Event-ID: 0\r\n\r\n
            """
        try await channel.writeAndFlush(ByteBuffer(string: request))
        return StalledReader(channel: channel)
    }

    func close() async throws { try await channel.close() }
}
