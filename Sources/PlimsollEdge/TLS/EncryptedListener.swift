import NIOCore
import NIOPosix
import NIOSSL

/// The listener for clients that speak TLS, on SwiftNIO's event loops.
struct EncryptedListener {
    let configuration: EdgeConfiguration
    let tls: TLSSource
    let parts: EdgeParts

    private typealias Loops = [ObjectIdentifier: NIOLoopBound<EncryptedLoop>]

    /// The same as ``PlainListener/run(announce:onTick:)``.
    func run(
        announce: (Int) -> Void,
        onTick: @escaping @Sendable () -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: configuration.threads)
        try await closing {
            try await group.shutdownGracefully()
        } after: {
            try await serve(on: group, announce, onTick)
        }
    }

    private func serve(
        on group: MultiThreadedEventLoopGroup,
        _ announce: (Int) -> Void,
        _ onTick: @escaping @Sendable () -> Void
    ) async throws {
        let loops = try await makeLoops(group, onTick)
        let listener = try await bind(group, loops)
        announce(listener.localAddress?.port ?? configuration.port)
        let patience = await parts.patienceAtEnd()
        try await listener.close()
        try await drain(loops, within: patience)
    }

    // MARK: Loops

    private func makeLoops(
        _ group: MultiThreadedEventLoopGroup,
        _ onTick: @escaping @Sendable () -> Void
    ) async throws -> Loops {
        var loops: Loops = [:]
        let interval = TimeAmount(parts.limits.tickInterval)
        for (number, eventLoop) in group.makeIterator().enumerated() {
            loops[ObjectIdentifier(eventLoop)] = try await eventLoop.submit { [parts] in
                let loop = EncryptedLoop(eventLoop, parts)
                let bound = NIOLoopBound(loop, eventLoop: eventLoop)
                eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
                    bound.value.tick()
                    if number == 0 { onTick() }
                }
                return bound
            }.get()
        }
        return loops
    }

    private func drain(_ loops: Loops, within duration: Duration) async throws {
        try await withThrowingDiscardingTaskGroup { tasks in
            for loop in loops.values {
                tasks.addTask(name: "edge drain") {
                    try await loop.eventLoop.flatSubmit { loop.value.drain(within: duration) }.get()
                    try await loop.eventLoop.submit { loop.value.report() }.get()
                }
            }
        }
    }

    // MARK: Socket

    private func bind(
        _ group: MultiThreadedEventLoopGroup,
        _ loops: Loops
    ) async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: CInt(EdgeParts.backlog))
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.socketOption(.so_rcvbuf), value: EdgeParts.receiveBufferSize)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // Half-closed, swift-nio-ssl (2.37) would not see the client's goodbye and wait for it
            // in vain; TLS has no use for half a connection.
            .childChannelOption(.allowRemoteHalfClosure, value: false)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: Self.readSize)
            )
            .childChannelInitializer { [tls] channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let loop = loops[ObjectIdentifier(channel.eventLoop)]?.value else {
                        preconditionFailure("a connection belongs to a loop of its listener")
                    }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: tls.context))
                    try pipeline.addHandler(TLSGreeting(loop))
                }
            }
            .bind(host: configuration.host, port: configuration.port)
            .get()
    }

    /// Holds several of a phone's requests.
    private static let readSize = 2048
}
