import NIOCore
import NIOPosix
import Synchronization
import Testing

/// A wire between two programs that a test can cut while bytes are on it.
struct Wire: Sendable {
    enum Direction: Sendable {
        case request
        case answer
    }

    /// Who is at the far end.
    enum Target: Sendable {
        case port(Int)
        case socket(String)
    }

    /// Where the near end listens, on the loopback address.
    let port: Int
    private let shears = Shears()

    /// Carries connections for as long as the body runs.
    static func with(
        to target: Target,
        _ body: @Sendable (Wire) async throws -> Void
    ) async throws {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try Ends(wrappingChannelSynchronously: channel)
                }
            }
        let wire = Wire(port: try #require(listener.channel.localAddress?.port))
        try await listener.executeThenClose { connections in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask(name: "wire") {
                    try await withThrowingDiscardingTaskGroup { carriers in
                        for try await near in connections {
                            carriers.addTask(name: "connection") {
                                await wire.carry(near, to: target)
                            }
                        }
                    }
                }
                try await body(wire)
                group.cancelAll()
            }
        }
    }

    /// Cuts the connection that carries the n-th piece from now on, in the middle of that piece.
    ///
    /// Whoever waits for the rest of a request never gets it; where it was an answer, the request
    /// was carried out. The blow falls just before.
    func cut(
        _ direction: Direction? = nil,
        atPiece number: Int = 1,
        _ blow: @escaping @Sendable () -> Void = {}
    ) {
        shears.open(direction, number, blow)
    }

    /// Whether the wire was cut since it was told to be.
    var isCut: Bool { shears.isClosed }

    private typealias Ends = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private func carry(_ near: Ends, to target: Target) async {
        // A connection that breaks is what a wire is for.
        try? await near.executeThenClose { requests, toNear in
            try await connect(to: target).executeThenClose { answers, toFar in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask(name: "requests") {
                        try await pass(requests, .request, to: toFar)
                    }
                    group.addTask(name: "answers") {
                        try await pass(answers, .answer, to: toNear)
                    }
                    // An end that hangs up takes the other one along.
                    try await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    private func pass(
        _ pieces: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ direction: Direction,
        to end: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws {
        for try await piece in pieces {
            guard shears.spare(direction) else {
                try await end.write(piece.getSlice(at: 0, length: piece.readableBytes / 2) ?? piece)
                throw WireCut()
            }
            try await end.write(piece)
        }
    }

    private func connect(to target: Target) async throws -> Ends {
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        let ends: @Sendable (any Channel) -> EventLoopFuture<Ends> = { channel in
            channel.eventLoop.makeCompletedFuture {
                try Ends(wrappingChannelSynchronously: channel)
            }
        }
        return switch target {
        case .port(let port):
            try await bootstrap.connect(host: "127.0.0.1", port: port, channelInitializer: ends)
        case .socket(let path):
            try await bootstrap.connect(unixDomainSocketPath: path, channelInitializer: ends)
        }
    }
}

private struct WireCut: Error {}

/// Counts the pieces that still pass.
private final class Shears: Sendable {
    private struct State {
        var direction: Wire.Direction?
        var piecesLeft = 0
        var blow: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    var isClosed: Bool { state.withLock { $0.piecesLeft == 0 } }

    func open(
        _ direction: Wire.Direction?,
        _ number: Int,
        _ blow: @escaping @Sendable () -> Void
    ) {
        state.withLock { $0 = State(direction: direction, piecesLeft: number, blow: blow) }
    }

    /// Whether a piece passes whole.
    func spare(_ direction: Wire.Direction) -> Bool {
        let blow = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.piecesLeft > 0, state.direction ?? direction == direction else {
                return nil
            }
            state.piecesLeft -= 1
            return state.piecesLeft == 0 ? state.blow : nil
        }
        blow?()
        return blow == nil
    }
}
