import Metrics
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOSSL
import PlimsollTestSupport
import Testing

@testable import PlimsollEdge

/// Those who take too long over HTTP/2, ask for too much, or do not read.
@Suite(.onBothListeners, .timeLimit(.minutes(5))) struct HTTP2PatienceTests {
    /// Time enough to ask for something before the edge takes the connection for idle.
    private let unhurried: Duration = .seconds(6)

    private func serving(
        table: EdgeTable? = nil,
        _ change: (inout EdgeLimits) -> Void = { _ in },
        _ body: @Sendable (EdgeAddress, NIOSSLContext) async throws -> Void
    ) async throws {
        var limits = EdgeLimits()
        limits.tickInterval = .milliseconds(5)
        change(&limits)
        try await TLSFixture.with { [limits] fixture in
            let client = try fixture.client(speaking: ["h2"])
            let source = try TLSSource(fixture.files)
            try await EdgeFixture.with(table: table, limits: limits, tls: source) { _, address in
                try await body(address, client)
            }
        }
    }

    @Test func `a connection that asks for nothing is told goodbye`() async throws {
        try await serving({ $0.idleTimeout = .milliseconds(100) }) { address, client in
            try await FrameConnection.with(address, tls: client) { connection in
                await connection.end()
                #expect(connection.goodbye == .noError)
            }
        }
    }

    @Test func `a request that is begun and not ended does not keep a connection`() async throws {
        try await serving({ $0.idleTimeout = unhurried }) { address, client in
            try await FrameConnection.with(
                address,
                tls: client,
                settings: [HTTP2Setting(parameter: .initialWindowSize, value: 0)]
            ) { connection in
                // Room for no byte of the answers' bodies: each stays open for ever.
                _ = try await connection.ask()
                var asked = 1
                let clock = ContinuousClock.now
                do {
                    while asked < 90 {
                        _ = try await connection.ask()
                        asked += 1
                    }
                } catch {}
                await connection.end()
                #expect(ContinuousClock.now - clock < .seconds(60))
            }
        }
    }

    @Test func `an answer that is not taken is given up, whatever else is asked meanwhile`()
        async throws
    {
        try await serving({ $0.idleTimeout = unhurried }) { address, client in
            try await FrameConnection.with(
                address,
                tls: client,
                settings: [HTTP2Setting(parameter: .initialWindowSize, value: 0)]
            ) { connection in
                let blocked = try await connection.ask()
                let clock = ContinuousClock.now
                var answered = 0
                do {
                    // A head alone needs no room, so that each of these is over at once.
                    while ContinuousClock.now - clock < .seconds(60) {
                        let head = try await connection.ask("HEAD")
                        guard try await connection.answer(on: head)?.status == "200" else { break }
                        answered += 1
                    }
                } catch {}
                await connection.end()
                #expect(ContinuousClock.now - clock < .seconds(60))
                #expect(answered > 0)
                #expect(connection.goodbye == .noError)
                #expect(try await connection.answer(on: blocked)?.reset == .cancel)
            }
        }
    }

    @Test func `a client without room gets the answer when it makes some`() async throws {
        try await serving { address, client in
            try await FrameConnection.with(
                address,
                tls: client,
                settings: [HTTP2Setting(parameter: .initialWindowSize, value: 0)]
            ) { connection in
                let stream = try await connection.ask()
                for _ in 0..<3 {
                    try await connection.send(.windowUpdate(windowSizeIncrement: 500), on: stream)
                }
                #expect(try await connection.answer(on: stream)?.body == EdgeFixture.body)
            }
        }
    }

    @Test func `requests that are taken back in masses end the connection and no other`()
        async throws
    {
        try await serving { address, client in
            try await FrameConnection.with(address, tls: client) { honest in
                #expect(try await honest.get()?.status == "200")
                try await FrameConnection.with(address, tls: client) { connection in
                    var count = 0
                    do {
                        while count < 100_000 {
                            let stream = try await connection.ask(endStream: false)
                            try await connection.send(.rstStream(.cancel), on: stream)
                            count += 1
                        }
                    } catch {}
                    await connection.end()
                    // The goodbye may be lost with what was sent after it.
                    #expect(count < 10_000)
                }
                #expect(try await honest.get()?.status == "200")
            }
        }
    }

    @Test(arguments: ["ping", "settings", "priority"])
    func `frames that ask for nothing end the connection when they come in masses`(
        kind: String
    ) async throws {
        try await serving { address, client in
            try await FrameConnection.with(address, tls: client) { connection in
                var count = 0
                do {
                    while count < 100_000 {
                        try await connection.send(payload(kind), on: kind == "priority" ? 1 : 0)
                        count += 1
                    }
                } catch {}
                await connection.end()
                #expect(count < 50_000)
            }
        }
    }

    private func payload(_ kind: String) -> HTTP2Frame.FramePayload {
        switch kind {
        case "ping": .ping(HTTP2PingData(withInteger: 7), ack: false)
        case "settings": .settings(.settings([]))
        default:
            .priority(.init(exclusive: false, dependency: 0, weight: 1))
        }
    }

    /// Fields of 4033 bytes as the protocol counts, which all but the first cost one byte to send.
    private func fields(_ count: Int) -> [(String, String)] {
        Array(repeating: ("x", String(repeating: "a", count: 4000)), count: count)
    }

    @Test(arguments: [3, 16])
    func `a head between what may be asked and what was announced is answered with 431`(
        count: Int
    ) async throws {
        try await serving { address, client in
            try await FrameConnection.with(address, tls: client) { connection in
                // By the time of its answer the server's settings are acknowledged.
                #expect(try await connection.get()?.status == "200")
                let stream = try await connection.ask(fields: fields(count))
                #expect(try await connection.answer(on: stream)?.status == "431")
                #expect(try await connection.get()?.body == EdgeFixture.body)
            }
        }
    }

    @Test(arguments: [(3, "431"), (5, nil)])
    func `less holds for a head before the server's settings are acknowledged`(
        count: Int,
        status: String?
    ) async throws {
        try await serving { address, client in
            try await FrameConnection.with(address, tls: client, isAcknowledging: false) {
                connection in
                let stream = try await connection.ask(fields: fields(count))
                #expect(try await connection.answer(on: stream)?.status == status)
                #expect((connection.goodbye == nil) == (status != nil))
            }
        }
    }

    @Test(arguments: [17, 1000])
    func `a head above what was announced ends the connection`(count: Int) async throws {
        try await serving { address, client in
            try await FrameConnection.with(address, tls: client) { connection in
                #expect(try await connection.get()?.status == "200")
                let stream = try await connection.ask(fields: fields(count))
                #expect(try await connection.answer(on: stream) == nil)
                #expect(connection.goodbye == .compressionError)
            }
        }
    }

    @Test func `the client is told how much it may ask at once`() async throws {
        try await serving { address, client in
            try await FrameConnection.with(address, tls: client) { connection in
                let reply = try await connection.get()
                #expect(reply?.status == "200")
                #expect(connection.announced[.maxConcurrentStreams] == 100)
                #expect(connection.announced[.maxHeaderListSize] == 65_536)
            }
        }
    }

    @Test func `a reader that does not read is bounded and given up`() async throws {
        let body = [UInt8](repeating: 0x61, count: 60_000)
        let table = try EdgeFixture.table([EdgeFixture.resource(body)])
        let room = HTTP2Setting(parameter: .initialWindowSize, value: (1 << 31) - 1)
        try await serving(table: table, { $0.idleTimeout = .milliseconds(300) }) {
            address,
            client in
            try await FrameConnection.with(address, tls: client, settings: [room]) { connection in
                // The window of the connection stays as small as it began.
                var asked = 0
                do {
                    while asked < 100 {
                        _ = try await connection.ask()
                        asked += 1
                    }
                } catch {}
                await connection.end()
            }
        }
    }

    @Test func `a client that reads nothing any more is closed, and makes room`() async throws {
        // More than the system takes for a client; only a second one is answered when this is gone.
        let large = [UInt8](repeating: 0x61, count: 16 << 20)
        let table = try EdgeFixture.table([
            EdgeFixture.resource(), EdgeFixture.resource(large, paths: ["/large"]),
        ])
        let roomMaximum = (1 << 31) - 1
        let room = HTTP2Setting(parameter: .initialWindowSize, value: roomMaximum)
        try await serving(
            table: table,
            {
                $0.idleTimeout = .seconds(1)
                $0.connectionsMaximum = 1
            }
        ) { address, client in
            try await FrameConnection.with(address, tls: client, settings: [room]) { silent in
                #expect(try await silent.get()?.status == "200")
                try await silent.stopReading()
                do {
                    let more = roomMaximum - 65_535
                    try await silent.send(.windowUpdate(windowSizeIncrement: more), on: 0)
                    for _ in 0..<2 { _ = try await silent.ask("GET", "/large") }
                } catch {}
                var isAnswered = false
                while !isAnswered {
                    isAnswered = (try? await isLetIn(address, client)) ?? false
                }
            }
        }
    }

    private func isLetIn(_ address: EdgeAddress, _ client: NIOSSLContext) async throws -> Bool {
        try await FrameConnection.with(address, tls: client) { connection in
            try await connection.get()?.status == "200"
        }
    }

    // Goal: whatever connections ask for at once, what all of them hold is bounded. Method: an edge
    // with room for two connections, and so for two requests beside the first of each.
    @Test func `who asks beside others when there is no room is refused, and may ask again`()
        async throws
    {
        let notebook = MetricsNotebook()
        let narrow = HTTP2Setting(parameter: .initialWindowSize, value: 0)
        try await withMetricsFactory(notebook) {
            try await serving({ $0.connectionsMaximum = 2 }) { address, client in
                try await FrameConnection.with(address, tls: client, settings: [narrow]) { greedy in
                    var waiting: [HTTP2StreamID] = []
                    for _ in 0..<3 { waiting.append(try await greedy.ask()) }
                    for stream in waiting { try await greedy.headArrives(on: stream) }
                    let refused = try await greedy.ask()
                    #expect(try await greedy.reset(of: refused) == .refusedStream)
                    try await FrameConnection.with(address, tls: client) { other in
                        for _ in 0..<3 {
                            let answer = try await other.get()
                            #expect(answer?.body == EdgeFixture.body)
                        }
                    }
                    let room = HTTP2Frame.FramePayload.windowUpdate(windowSizeIncrement: 5000)
                    try await greedy.send(room, on: waiting[2])
                    #expect(try await greedy.answer(on: waiting[2])?.body == EdgeFixture.body)
                    try await greedy.headArrives(on: greedy.ask())
                    let tooMuch = try await greedy.ask()
                    #expect(try await greedy.reset(of: tooMuch) == .refusedStream)
                }
            }
        }
        #expect(notebook["plimsoll.requests.answered status=503"] == 2)
    }

    @Test func `a stop says goodbye, and what was asked before is answered`() async throws {
        try await TLSFixture.with { fixture in
            let client = try fixture.client(speaking: ["h2"])
            let source = try TLSSource(fixture.files)
            try await EdgeFixture.withStop(tls: source) { _, stop, address in
                try await FrameConnection.with(
                    address,
                    tls: client,
                    settings: [HTTP2Setting(parameter: .initialWindowSize, value: 0)]
                ) { connection in
                    let stream = try await connection.ask()
                    try await connection.headArrives(on: stream)
                    await stop()
                    try await connection.goodbyeArrives()
                    #expect(connection.goodbye == .noError)
                    try await connection.send(.windowUpdate(windowSizeIncrement: 5000), on: stream)
                    #expect(try await connection.answer(on: stream)?.body == EdgeFixture.body)
                    await connection.end()
                }
            }
        }
    }
}
