import NIOCore
import NIOPosix
import Synchronization

/// A network between a service and its database, with its bad days: a proxy that loses or delays
/// what goes through, and closes nothing.
package final class FaultProxy: Sendable {
    private struct State {
        var target: SocketAddress
        var delay = TimeAmount.zero
        var next = 0
        /// What goes over connections with lower numbers is lost, in both directions.
        var firstWhole = 0
        var hold = Hold.nothing
    }

    private enum Hold {
        case nothing
        case from(mark: [UInt8])
        case replacing(mark: [UInt8], by: [UInt8])
        case held([(peer: any Channel, bytes: ByteBuffer)])
    }

    private let state: Mutex<State>

    private init(to target: SocketAddress) { state = Mutex(State(target: target)) }

    /// New connections lead to another port of this machine.
    package func turn(toPort port: Int) {
        guard let target = try? SocketAddress(ipAddress: "127.0.0.1", port: port) else { return }
        state.withLock { $0.target = target }
    }

    /// Whoever is connected, and whoever connects from now on, hears and reaches nobody.
    package func cut() { state.withLock { $0.firstWhole = .max } }

    /// Whoever is connected hears and reaches nobody any more; new connections work.
    package func abandon() { state.withLock { $0.firstWhole = $0.next } }

    /// Everything takes so much longer, in each direction.
    package func slow(by delay: Duration) {
        state.withLock { $0.delay = TimeAmount(delay) }
    }

    /// New connections work; those that lost something never do again.
    package func heal() {
        state.withLock { state in
            state.delay = .zero
            if state.firstWhole == .max { state.firstWhole = state.next }
        }
    }

    /// Keeps back what comes from these bytes on, in both directions.
    package func hold(from mark: [UInt8]) { state.withLock { $0.hold = .from(mark: mark) } }

    /// Has others of their number arrive in the place of these bytes, in both directions.
    package func replace(_ mark: [UInt8], by others: [UInt8]) {
        precondition(mark.count == others.count, "messages say how long they are")
        state.withLock { $0.hold = .replacing(mark: mark, by: others) }
    }

    /// Lets go of what is kept back; returns when the system has all of it, and whether there was any.
    package func release() throws -> Bool {
        let writes = state.withLock { state in
            defer { state.hold = .nothing }
            guard case .held(let held) = state.hold else { return [EventLoopFuture<Void>]() }
            // Handed over before anything else may pass.
            return held.map { peer, bytes in peer.writeAndFlush(bytes) }
        }
        for write in writes { try write.wait() }
        return !writes.isEmpty
    }

    /// What of it goes on at once; the rest is kept.
    fileprivate func passing(_ bytes: ByteBuffer, to peer: any Channel) -> ByteBuffer {
        state.withLock { state in
            switch state.hold {
            case .nothing: return bytes
            case .held(let held):
                state.hold = .held(held + [(peer, bytes)])
                return ByteBuffer()
            case .replacing(let mark, let others):
                var all = Array(bytes.readableBytesView)
                all.replace(mark, with: others)
                return ByteBuffer(bytes: all)
            case .from(let mark):
                let view = bytes.readableBytesView
                guard let place = view.firstRange(of: mark)?.lowerBound else { return bytes }
                state.hold = .held([(peer, ByteBuffer(view[place...]))])
                return ByteBuffer(view[..<place])
            }
        }
    }

    /// Stands before a socket in the file system for as long as the body runs, which gets the port.
    package static func with<Result>(
        to target: String,
        _ body: (FaultProxy, _ port: Int) async throws -> Result
    ) async throws -> Result {
        try await with(to: SocketAddress(unixDomainSocketPath: target), body)
    }

    /// Stands before a port of this machine.
    package static func with<Result>(
        toPort port: Int,
        _ body: (FaultProxy, _ port: Int) async throws -> Result
    ) async throws -> Result {
        try await with(to: SocketAddress(ipAddress: "127.0.0.1", port: port), body)
    }

    private static func with<Result>(
        to target: SocketAddress,
        _ body: (FaultProxy, _ port: Int) async throws -> Result
    ) async throws -> Result {
        let proxy = FaultProxy(to: target)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { front in proxy.connect(front) }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body(proxy, channel.localAddress?.port ?? 0)
            try await channel.close()
            return result
        } catch {
            try await channel.close()
            throw error
        }
    }

    private func connect(_ front: any Channel) -> EventLoopFuture<Void> {
        let (number, target) = state.withLock { state in
            defer { state.next += 1 }
            return (state.next, state.target)
        }
        return ClientBootstrap(group: front.eventLoop)
            .connect(to: target)
            .flatMapThrowing { back in
                try front.pipeline.syncOperations.addHandler(Passage(number, to: back, self))
                try back.pipeline.syncOperations.addHandler(Passage(number, to: front, self))
            }
    }

    /// How long something takes; `nil` where it never arrives.
    fileprivate func delay(of number: Int) -> TimeAmount? {
        state.withLock { number < $0.firstWhole ? nil : $0.delay }
    }
}

/// One direction of a connection.
private final class Passage: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let number: Int
    private let peer: any Channel
    private let proxy: FaultProxy
    private var last = NIODeadline.now()

    init(_ number: Int, to peer: any Channel, _ proxy: FaultProxy) {
        (self.number, self.peer, self.proxy) = (number, peer, proxy)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = proxy.passing(unwrapInboundIn(data), to: peer)
        pass { $0.writeAndFlush(bytes, promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        pass { $0.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Nothing overtakes what came before, whatever becomes of the delay.
    private func pass(_ step: @escaping @Sendable (any Channel) -> Void) {
        guard let delay = proxy.delay(of: number) else { return }
        last = max(last, .now() + delay)
        let (peer, number, proxy) = (peer, number, proxy)
        peer.eventLoop.scheduleTask(deadline: last) {
            if proxy.delay(of: number) != nil { step(peer) }
        }
    }
}
