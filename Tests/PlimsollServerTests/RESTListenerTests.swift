import Foundation
import Logging
import NIOCore
import NIOPosix
import PlimsollDomain
import PlimsollHTTP
import PlimsollPostgres
import PlimsollProjection
import PlimsollStore
import PlimsollUseCases
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
        try await withListener(RESTLimits(idleTimeout: .milliseconds(50))) { address in
            let client = try await connect(to: address)
            try await client.writeAndFlush(ByteBuffer(string: words)).get()
            try await client.closeFuture.get()
        }
    }

    @Test func `who comes when all places are taken waits until one has left`() async throws {
        let limits = RESTLimits(idleTimeout: .seconds(3), connectionsMaximum: 1)
        try await withListener(limits) { address in
            let first = try await connect(to: address)
            try await greet(first)
            let second = try await connect(to: address)
            try await greet(second)
            #expect(!first.isActive)
        }
    }

    // Goal: the socket of a reader who does not read is closed, not only left aside. Method: there is
    // one place; a reader who asks for megabytes and takes nothing has it, and whoever comes next is
    // answered once that one was hung up on.
    @Test func `a reader who does not read is hung up on`() async throws {
        let limits = RESTLimits(
            idleTimeout: .seconds(600),
            stallTimeout: .milliseconds(200),
            connectionsMaximum: 1
        )
        try await withListener(limits) { address in
            let stalled = try await ClientBootstrap(group: loop)
                .channelOption(.autoRead, value: false)
                // The system would take in megabytes for it otherwise.
                .channelOption(.socketOption(.so_rcvbuf), value: 4096)
                .connect(host: address.host, port: address.port).get()
            let request = "GET /openapi.json HTTP/1.1\r\nHost: here\r\n\r\n"
            let requests = String(repeating: request, count: 400)
            try await stalled.writeAndFlush(ByteBuffer(string: requests)).get()
            try await greet(try await connect(to: address))
            #expect(stalled.isActive)
            // What was on its way is read, and then there is the end.
            try await stalled.setOption(.autoRead, value: true).get()
            try await stalled.closeFuture.get()
        }
    }

    /// Asks whether the service lives, and waits for the first bytes of the answer.
    private func greet(_ client: any Channel) async throws {
        let answer = client.eventLoop.makePromise(of: Void.self)
        try await client.pipeline.addHandler(Ear(answer)).get()
        let request = "GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n"
        try await client.writeAndFlush(ByteBuffer(string: request)).get()
        try await answer.futureResult.get()
    }

    private func connect(to address: ListenAddress) async throws -> any Channel {
        try await ClientBootstrap(group: loop)
            .connect(host: address.host, port: address.port).get()
    }

    /// Nothing behind it is there, and nothing that is asked here needs it.
    private func withListener(
        _ limits: RESTLimits,
        _ body: (ListenAddress) async throws -> Void
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
            dependencies: Dependencies(useCases: useCases),
            limits: limits,
            logger: logger
        )
        try await withThrowingTaskGroup { group in
            group.addTask { try await listener.run() }
            defer { group.cancelAll() }
            try await body(try await listener.boundAddress())
        }
    }
}

/// Hears that something was said.
private final class Ear: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<Void>

    init(_ promise: EventLoopPromise<Void>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { promise.succeed() }
}
