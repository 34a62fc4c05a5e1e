import Glibc
import NIOCore
import NIOPosix

/// Many who connect from several addresses of this machine, and leave in some way.
struct Crowd: Sendable {
    enum Leaving: CaseIterable {
        case atOnce, byReset, withinHead, beforeAnswer, halfClosed

        fileprivate var words: String {
            switch self {
            case .atOnce, .byReset: ""
            case .withinHead: "GET /distribution/availa"
            case .beforeAnswer, .halfClosed:
                "GET /distribution/availability-ios HTTP/1.1\r\nHost: a\r\n\r\n"
            }
        }
    }

    let port: Int

    private static let togetherMaximum = 100
    private static let addressCount = 8

    /// Returns when the last one has left.
    func come(_ count: Int) async throws {
        try await withThrowingDiscardingTaskGroup { tasks in
            for lane in 0..<Self.togetherMaximum {
                tasks.addTask(name: "lane") {
                    for number in stride(from: lane, to: count, by: Self.togetherMaximum) {
                        try await visit(number)
                    }
                }
            }
        }
    }

    private func visit(_ number: Int) async throws {
        let leaving = Leaving.allCases[number % Leaving.allCases.count]
        let source = try SocketAddress(
            ipAddress: "127.0.0.\(1 + number % Self.addressCount)",
            port: 0
        )
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .bind(to: source)
            .connect(host: "127.0.0.1", port: port)
            .get()
        // Whoever leaves does not care whether it was heard.
        if !leaving.words.isEmpty {
            try? await channel.writeAndFlush(ByteBuffer(string: leaving.words)).get()
        }
        if leaving == .byReset, let socket = channel as? any SocketOptionProvider {
            try? await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        if leaving == .halfClosed { try? await channel.close(mode: .output).get() }
        try? await channel.close().get()
    }
}
