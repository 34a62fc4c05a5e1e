import NIOCore
import NIOPosix
import Synchronization

/// Many without a token who connect to the administration, keep what they can get, and come back
/// as soon as they are sent away.
final class Strangers: Sendable {
    private let port: Int
    private let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let state = Mutex((isOver: false, arrivals: 0))

    init(at port: Int) { self.port = port }

    /// How often one of them was let in.
    var arrivals: Int { state.withLock { $0.arrivals } }

    func come(_ count: Int) {
        for number in 0..<count { come(as: number) }
    }

    func leave() async throws {
        state.withLock { $0.isOver = true }
        try await loops.shutdownGracefully()
    }

    private func come(as number: Int) {
        let isOver = state.withLock { $0.isOver }
        guard !isOver else { return }
        ClientBootstrap(group: loops)
            .connect(host: "127.0.0.1", port: port)
            .whenComplete { result in
                switch result {
                case .success(let channel):
                    self.state.withLock { $0.arrivals += 1 }
                    channel.closeFuture.whenComplete { _ in self.come(as: number) }
                    // Every third says nothing, every third drips a body, every third a head.
                    switch number % 3 {
                    case 0: break
                    case 1: self.drip(channel, Self.head + "\r\n")
                    default: self.drip(channel, Self.head)
                    }
                case .failure:
                    self.loops.next().scheduleTask(in: .milliseconds(50)) {
                        self.come(as: number)
                    }
                }
            }
    }

    private static let head = "POST /v1/freeze HTTP/1.1\r\nHost: here\r\nContent-Length: 200000\r\n"

    /// A byte every 50 ms.
    private func drip(_ channel: any Channel, _ words: String) {
        channel.writeAndFlush(ByteBuffer(string: words), promise: nil)
        let byte = ByteBuffer(string: "x")
        let task = channel.eventLoop.scheduleRepeatedTask(
            initialDelay: .milliseconds(50),
            delay: .milliseconds(50)
        ) { _ in channel.writeAndFlush(byte, promise: nil) }
        channel.closeFuture.whenComplete { _ in task.cancel() }
    }
}
