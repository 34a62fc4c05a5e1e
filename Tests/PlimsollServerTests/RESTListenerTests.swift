import Foundation
import Logging
import NIOCore
import NIOPosix
import PlimsollDomain
import PlimsollHTTP
import PlimsollPostgres
import PlimsollStore
import PlimsollService
import Testing

@testable import PlimsollServer

@Suite(.timeLimit(.minutes(5))) struct RESTListenerTests {
    /// One for all clients, so that what happened first is also heard of first.
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    @Test(arguments: [
        "", "GET /healthz HTT",
        "POST /healthz HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\n1",
    ])
    func `a client that falls silent is let go`(_ words: String) async throws {
        var limits = RESTLimits()
        limits.patience.head = .milliseconds(50)
        limits.patience.body = .milliseconds(50)
        try await withListener(limits) { address, _ in
            let client = try await connect(to: address)
            do {
                try await client.writeAndFlush(ByteBuffer(string: words)).get()
                // On a slow machine it was let go before it said anything.
            } catch is ChannelError {} catch is IOError {}
            try await client.closeFuture.get()
        }
    }

    @Test func `a stranger who comes when all places are taken has one at once`() async throws {
        var limits = RESTLimits()
        limits.places.strangers = 3
        // Nobody goes for having been silent.
        limits.patience.head = .seconds(600)
        try await withListener(limits) { address, _ in
            var others: [any Channel] = []
            // One after the other, since the oldest of them is the one to go.
            for _ in 1...3 {
                let other = try await connect(to: address)
                try await greet(other)
                others.append(other)
            }
            let late = try await connect(to: address)
            try await greet(late)
            try await others[0].closeFuture.get()
            #expect(others.dropFirst().allSatisfy { $0.isActive })
        }
    }

    // Goal: a body that drips does not keep its place, however busily. Method: a byte is sent
    // whenever the last one is on its way, for as long as the connection takes any.
    @Test func `a body that never ends is answered with 408 in time`() async throws {
        var limits = RESTLimits()
        limits.patience.body = .milliseconds(300)
        // A byte that comes after the end would destroy the answer.
        limits.patience.lingering = .seconds(60)
        try await withListener(limits) { address, _ in
            let client = try await connect(to: address)
            let answer = client.eventLoop.makePromise(of: String.self)
            try await client.pipeline.addHandler(Ear(answer)).get()
            // What is read before anybody is asked who they are.
            let line = "POST /marketplace/notifications HTTP/1.1"
            let head = "\(line)\r\nHost: here\r\nContent-Length: 200000\r\n\r\n"
            try await client.writeAndFlush(ByteBuffer(string: head)).get()
            do {
                while client.isActive {
                    try await client.writeAndFlush(ByteBuffer(string: " ")).get()
                }
            } catch is ChannelError {} catch is IOError {}
            #expect(try await answer.futureResult.get().hasPrefix("HTTP/1.1 408"))
            try await client.closeFuture.get()
        }
    }

    // Goal: the socket of a reader who does not read is closed, not only left aside. Method: a
    // reader asks for megabytes and takes nothing; the place is free again though nobody needs it.
    @Test func `a reader who does not read is hung up on`() async throws {
        var limits = RESTLimits()
        limits.patience.head = .seconds(600)
        limits.patience.stall = .milliseconds(200)
        try await withListener(limits) { address, places in
            let stalled = try await ClientBootstrap(group: loop)
                .channelOption(.autoRead, value: false)
                // The system would take in megabytes for it otherwise.
                .channelOption(.socketOption(.so_rcvbuf), value: 4096)
                .connect(host: address.host, port: address.port).get()
            let request = "GET /openapi.json HTTP/1.1\r\nHost: here\r\n\r\n"
            let requests = String(repeating: request, count: 400)
            stalled.read()
            try await greet(stalled)
            try await stalled.writeAndFlush(ByteBuffer(string: requests)).get()
            while places.strangerCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
            #expect(stalled.isActive)
            // What was on its way is read, and then there is the end.
            try await stalled.setOption(.autoRead, value: true).get()
            try await stalled.closeFuture.get()
        }
    }

    /// Asks whether the service lives, and waits for the first bytes of the answer.
    private func greet(_ client: any Channel) async throws {
        let answer = client.eventLoop.makePromise(of: String.self)
        try await client.pipeline.addHandler(Ear(answer)).get()
        let request = "GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n"
        try await client.writeAndFlush(ByteBuffer(string: request)).get()
        _ = try await answer.futureResult.get()
    }

    private func connect(to address: ListenAddress) async throws -> any Channel {
        try await ClientBootstrap(group: loop)
            .connect(host: address.host, port: address.port).get()
    }

    /// Nothing behind it is there, and nothing that is asked here needs it.
    private func withListener(
        _ limits: RESTLimits,
        _ body: (ListenAddress, Places) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let pool = SessionPool(ConnectionString("host=/nowhere"))
        let log = EventLog(pool)
        let useCases = UseCases(
            writer: Writer(log: log, logger: logger),
            readModels: ReadModels(log: log, database: pool, progress: Progress()),
            directory: Directory(pool),
            keys: KeyMaker(
                make: { KeyRecord(id: KeyID(UUID()), app: $0, publicKey: []) },
                discard: { _ in },
                keep: { _, _, _ in throw KeyUnusable(reason: "nobody keeps keys here") },
                prove: { _ in }
            ),
            logFiles: LogFiles(log),
            clock: { Instant.now }
        )
        let listener = RESTListener(
            ListenAddress(host: "127.0.0.1", port: 0),
            dependencies: Dependencies(
                useCases: useCases,
                notificationSecrets: NotificationSecrets(["secret"])
            ),
            limits: limits,
            logger: logger
        )
        try await withThrowingTaskGroup { group in
            group.addTask { try await listener.run() }
            defer { group.cancelAll() }
            try await body(try await listener.boundAddress(), listener.places)
        }
    }
}

/// Hears that something was said.
private final class Ear: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<String>

    init(_ promise: EventLoopPromise<String>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        promise.succeed(String(buffer: unwrapInboundIn(data)))
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ChannelError.eof)
    }
}
