package import Logging
import NIOCore
import NIOPosix
import NIOSSL
import PlimsollDomain
import ServiceLifecycle

/// The public listener: answers phones from memory, whatever happens to everything else.
///
/// It needs no database and no disk. ``update(_:)`` gives it what to serve, before it runs or
/// while it does; until then it is up and says 404.
///
/// ```swift
/// let edge = EdgeService(EdgeConfiguration(port: 8081), logger: logger)
/// edge.update(table)
/// ```
package final class EdgeService: Service {
    private let configuration: EdgeConfiguration
    private let logger: Logger
    private let source: TableSource
    private let bound = Awaited<EdgeAddress>()

    package init(
        _ configuration: EdgeConfiguration,
        table: EdgeTable = .empty,
        logger: Logger
    ) {
        self.configuration = configuration
        self.logger = logger
        source = TableSource(table)
    }

    /// What is being served.
    package var table: EdgeTable { source.table }

    /// Serves another table from now on: once this returns, every request that arrives is
    /// answered from it.
    package func update(_ table: EdgeTable) {
        source.publish(table)
    }

    /// Where it listens, as soon as it does; throws when it could not.
    package func address() async throws -> EdgeAddress {
        try await bound.value
    }

    /// The same as a URL, without a path.
    package func url() async throws -> String {
        "\(configuration.tls == nil ? "http" : "https")://\(try await address())"
    }

    /// Serves until graceful shutdown, which lets requests under way finish.
    package func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: configuration.threads)
        let result: Result<Void, any Error>
        do {
            result = .success(try await serve(on: group))
        } catch {
            result = .failure(error)
            bound.settle(.failure(error))
        }
        try await group.shutdownGracefully()
        try result.get()
    }

    private func serve(on group: MultiThreadedEventLoopGroup) async throws {
        let loops = try await makeLoops(group)
        let listener = try await bind(group, loops)
        let address = EdgeAddress(
            host: configuration.host,
            port: listener.localAddress?.port ?? configuration.port
        )
        logger.info("edge listens", metadata: ["address.bound": "\(address)"])
        bound.settle(.success(address))

        let isGraceful = await untilShutdown()
        try await listener.close()
        try await drain(loops, within: isGraceful ? configuration.limits.drainTimeout : .zero)
    }

    /// Whether the end was announced, rather than the task cancelled.
    private func untilShutdown() async -> Bool {
        do {
            try await gracefulShutdown()
            return true
        } catch {
            return false
        }
    }

    // MARK: Loops

    private typealias Loops = [ObjectIdentifier: NIOLoopBound<EdgeLoop>]

    private func makeLoops(_ group: MultiThreadedEventLoopGroup) async throws -> Loops {
        let metrics = EdgeMetrics()
        var loops: Loops = [:]
        let (source, limits, tls) = (source, configuration.limits, configuration.tls)
        let tiles = TileDesk()
        let maximum = OpenFiles.connectionsMaximum(limits.connectionsMaximum)
        let share = max(1, maximum / configuration.threads)
        logger.debug("edge admits", metadata: ["connections.maximum": "\(maximum)"])
        for (number, eventLoop) in group.makeIterator().enumerated() {
            loops[ObjectIdentifier(eventLoop)] = try await eventLoop.submit {
                let loop = EdgeLoop(
                    eventLoop,
                    source: source,
                    metrics: metrics,
                    limits: limits,
                    tiles: tiles,
                    connectionsMaximum: share
                )
                let bound = NIOLoopBound(loop, eventLoop: eventLoop)
                let interval = TimeAmount(limits.tickInterval)
                eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
                    bound.value.tick()
                    guard number == 0 else { return }
                    metrics.recordAges(source.table, at: .current)
                    if let tls { metrics.recordCertificate(until: tls.end, at: .current) }
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
        let tls = configuration.tls
        return try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Requests are small; what a client may have sent ahead is bounded by this.
            .serverChannelOption(.socketOption(.so_rcvbuf), value: Self.receiveBufferSize)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: Self.readSize)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let loop = loops[ObjectIdentifier(channel.eventLoop)]?.value else {
                        preconditionFailure("a connection belongs to a loop of its listener")
                    }
                    try Self.prepare(channel, loop, tls)
                }
            }
            .bind(host: configuration.host, port: configuration.port)
            .get()
    }

    private static func prepare(
        _ channel: any Channel,
        _ loop: EdgeLoop,
        _ tls: TLSSource?
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        guard let tls else {
            try pipeline.addHandler(EdgeConnection(loop))
            return
        }
        // Half-closed, swift-nio-ssl (2.37) would not see the client's goodbye and wait for it in
        // vain. TLS has no use for half a connection: nobody who speaks it asks for that.
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
        try pipeline.addHandler(NIOSSLServerHandler(context: tls.context))
        try pipeline.addHandler(TLSGreeting(loop))
    }

    private static let receiveBufferSize = 65_536
    /// Holds several of a phone's requests.
    private static let readSize = 2048
}
