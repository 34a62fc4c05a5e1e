import NIOCore
import NIOPosix
import PlimsollAdmin
import Synchronization
import Testing

/// A server on a port of its own that ends some connections before it answers, and remembers all
/// requests.
final class HangingUp: Sendable {
    private struct State {
        var hangUps: Int
        var requests: [String] = []
    }

    private let state: Mutex<State>
    private let answer: String

    private init(_ hangUps: Int, _ answer: String) {
        state = Mutex(State(hangUps: hangUps))
        self.answer = "HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)"
    }

    var requests: [String] { state.withLock { $0.requests } }

    static func with(
        _ hangUps: Int,
        answer: String,
        _ body: (AdminClient, HangingUp) async throws -> Void
    ) async throws {
        let server = HangingUp(hangUps, answer)
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { $0.pipeline.addHandler(Request(server: server)) }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(channel.localAddress?.port)
        let address = try #require(ServiceAddress("http://127.0.0.1:\(port)"))
        try await Transport.with { transport in
            try await body(AdminClient(at: address, token: "plm_test", over: transport), server)
        }
        try await channel.close()
    }

    /// The answer, or `nil` to hang up.
    fileprivate func take(_ request: String) -> String? {
        state.withLock { state in
            state.requests.append(request)
            state.hangUps -= 1
            return state.hangUps < 0 ? answer : nil
        }
    }
}

private final class Request: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    private let server: HangingUp

    init(server: HangingUp) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let answer = server.take(String(buffer: unwrapInboundIn(data))) else {
            context.close(promise: nil)
            return
        }
        context.writeAndFlush(NIOAny(ByteBuffer(string: answer)), promise: nil)
    }
}
