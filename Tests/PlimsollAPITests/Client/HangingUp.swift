import NIOCore
import NIOPosix
import PlimsollAPI
import Synchronization
import Testing

/// A server on a port of its own that ends some connections before it answers, and remembers the
/// heads of all requests.
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
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Request(server: server))
                }
            }
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

/// One connection: its request comes in as many pieces as it likes, and is taken when its head is
/// there.
private final class Request: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let server: HangingUp
    private var text = ""
    private var isTaken = false

    init(server: HangingUp) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += String(buffer: unwrapInboundIn(data))
        guard !isTaken, let end = text.firstRange(of: "\r\n\r\n") else { return }
        isTaken = true
        guard let answer = server.take(String(text[..<end.lowerBound])) else {
            context.close(promise: nil)
            return
        }
        context.writeAndFlush(NIOAny(ByteBuffer(string: answer)), promise: nil)
    }
}
