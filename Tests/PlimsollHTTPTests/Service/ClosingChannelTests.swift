import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import PlimsollHTTP

/// What becomes of a connection that a listener accepts while it stops; each in a process of its
/// own, since it is the process that may end.
@Suite(.timeLimit(.minutes(2))) struct ClosingChannelTests {
    @Test func `a connection that is dropped before it is served is closed, and ends nothing`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await acceptAndDrop(ClosingChannel(http: HTTP1Channel { _, _, _ in }))
        }
    }

    // The negative control: when this fails, look whether `ClosingChannel` is needed still.
    @Test func `what Hummingbird has for it ends the process`() async {
        await #expect(processExitsWith: .failure) {
            try? await acceptAndDrop(HTTP1Channel { _, _, _ in })
        }
    }
}

private func acceptAndDrop(_ child: some ServerChildChannel) async throws {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let loops = MultiThreadedEventLoopGroup.singleton
    let server = try await ServerBootstrap(group: loops)
        .childChannelInitializer { child.setup(channel: $0, logger: logger).map { _ in } }
        .bind(host: "127.0.0.1", port: 0).get()
    let address = try #require(server.localAddress)
    let client = try await ClientBootstrap(group: loops).connect(to: address).get()
    try await client.closeFuture.get()
}
