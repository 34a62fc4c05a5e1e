import Logging
import NIOCore
import NIOPosix
import NIOSSL
import PlimsollLog

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
        let listener = try await bind(group, loops, at: configuration.port)
        let port = listener.localAddress?.port ?? configuration.port
        announce(port)
        let patience =
            if let end = try await patienceAtEnd(of: listener) { end } else {
                await listenAnew(group, loops, at: port)
            }
        try await drain(loops, within: patience)
    }

    /// Listens until the end at a port where the system ended the socket; whoever is connected notices
    /// nothing, however often that fails.
    private func listenAnew(
        _ group: MultiThreadedEventLoopGroup,
        _ loops: Loops,
        at port: Int
    ) async -> Duration {
        var pause = Duration.zero
        while true {
            Logger.current.error("edge listens anew: its socket failed")
            if let end = await patienceAtEnd(within: pause) { return end }
            let start = ContinuousClock.now
            do {
                let listener = try await bind(group, loops, at: port)
                if let end = try await patienceAtEnd(of: listener) { return end }
            } catch {
                Logger.current.error("edge cannot listen", metadata: ["error": "\(error)"])
            }
            let hasHeld = start.duration(to: .now) > .seconds(60)
            pause = hasHeld ? .zero : min(max(pause * 2, .milliseconds(100)), .seconds(5))
        }
    }

    /// Waits for the end, but no longer than for a pause; `nil` where it did not come.
    private func patienceAtEnd(within pause: Duration) async -> Duration? {
        await withTaskGroup(of: Duration?.self) { [parts] tasks in
            tasks.addTask(name: "edge end") { await parts.patienceAtEnd() }
            tasks.addTask(name: "edge pause") {
                try? await Task.sleep(for: pause)
                return nil
            }
            defer { tasks.cancelAll() }
            return await tasks.next() ?? nil
        }
    }

    /// Waits for the end and closes the listener; `nil` where it closed by itself.
    ///
    /// swift-nio (2.101) closes one for most of what accept(2) says of a single connection.
    private func patienceAtEnd(of listener: any Channel) async throws -> Duration? {
        try await withThrowingTaskGroup(of: Duration?.self) { [parts] tasks in
            tasks.addTask(name: "edge end") { await parts.patienceAtEnd() }
            tasks.addTask(name: "edge listener") {
                try await listener.closeFuture.get()
                return nil
            }
            let patience = try await tasks.next() ?? nil
            if patience == nil { tasks.cancelAll() } else { listener.close(promise: nil) }
            try await tasks.waitForAll()
            return patience
        }
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
        _ loops: Loops,
        at port: Int
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
            .bind(host: configuration.host, port: port)
            .get()
    }

    /// Holds several of a phone's requests.
    private static let readSize = 2048
}

/// What the encrypted connections of one event loop share; only that loop's thread touches it.
final class EncryptedLoop {
    let eventLoop: any EventLoop
    var responder: Responder
    private let timeouts: Timeouts
    private let parts: EdgeParts

    private var connections: [any LoopMember] = []
    private var drained: EventLoopPromise<Void>?
    private var drainDeadline = NIODeadline.distantFuture

    /// The time of the last tick: exact enough for deadlines of seconds, and free.
    private(set) var now = NIODeadline.now()

    init(_ eventLoop: any EventLoop, _ parts: EdgeParts) {
        self.eventLoop = eventLoop
        self.parts = parts
        timeouts = Timeouts(parts.limits)
        responder = Responder(parts)
    }

    var isDraining: Bool { drained != nil }

    func deadline(_ deadline: EdgeConnection.Deadline) -> NIODeadline { now + timeouts[deadline] }

    /// The answer, where it is there at once; `nil` where it is delivered later, on this loop.
    func run(_ work: DeferredWork, deliver: @escaping (Delivery) -> Void) -> Delivery? {
        let promise = eventLoop.makePromise(of: Delivery.self)
        if let delivery = parts.run(work, deliver: { promise.succeed($0) }) {
            // A promise has to be kept.
            promise.succeed(delivery)
            return delivery
        }
        promise.futureResult.assumeIsolated().whenSuccess(deliver)
        return nil
    }

    /// Brings a part of a file into memory; `nil` where it cannot be read.
    func read(_ part: FilePart, upTo count: Int, deliver: @escaping ([UInt8]?) -> Void) {
        let promise = eventLoop.makePromise(of: [UInt8]?.self)
        part.read(upTo: count) { promise.succeed($0) }
        promise.futureResult.assumeIsolated().whenSuccess(deliver)
    }

    /// A place for a request beside another of its connection; `nil` where there is none.
    func placeForStream() -> BodyPlace? { BodyPlace(among: parts.streams) }

    // MARK: Connections

    /// Says whether there was room.
    func add(_ connection: any LoopMember) -> Bool {
        guard !isDraining, parts.admission.enter() else { return false }
        connection.place = connections.count
        connections.append(connection)
        return true
    }

    /// Gives the place of one to another that goes on with the same client.
    func replace(_ connection: any LoopMember, by successor: any LoopMember) {
        guard let place = connection.place else { return }
        connection.place = nil
        connections[place] = successor
        successor.place = place
    }

    func remove(_ connection: any LoopMember) {
        guard let place = connection.place else { return }
        connection.place = nil
        parts.admission.leave()
        let last = connections.removeLast()
        if last !== connection {
            connections[place] = last
            last.place = place
        }
        if connections.isEmpty { settleDrain() }
    }

    // MARK: Time

    func tick() {
        now = .now()
        responder.setDate()
        // A copy: an expiring connection may take itself off the list.
        for connection in connections where connection.deadline <= now { connection.expire() }
        if now >= drainDeadline {
            for connection in connections { connection.abort() }
        }
        report()
    }

    /// Lets every connection finish what it is doing; done when none is left.
    func drain(within duration: Duration) -> EventLoopFuture<Void> {
        let promise = drained ?? eventLoop.makePromise()
        drained = promise
        drainDeadline = .now() + TimeAmount(duration)
        for connection in connections { connection.drain() }
        if connections.isEmpty { settleDrain() }
        return promise.futureResult
    }

    private func settleDrain() {
        drained?.succeed()
    }

    func report() {
        responder.report(connections: connections.count)
    }
}

/// A connection as its loop sees it, whatever is spoken on it: something that comes to an end.
protocol LoopMember: AnyObject {
    /// Where the loop keeps it; nil when it does not.
    var place: Int? { get set }
    var deadline: NIODeadline { get }

    /// The deadline has passed.
    func expire()

    /// Answers what has begun to arrive, and then no more.
    func drain()

    func abort()
}

/// A member in a channel's pipeline, which knows its place there for as long as it has one.
protocol LoopHandler: LoopMember, ChannelHandler {
    var context: ChannelHandlerContext? { get set }
}

extension LoopHandler {
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func abort() {
        context?.close(promise: nil)
    }
}
