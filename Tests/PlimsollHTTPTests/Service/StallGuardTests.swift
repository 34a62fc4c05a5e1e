import NIOCore
import NIOEmbedded
import Testing

@testable import PlimsollHTTP

@Suite struct StallGuardTests {
    @Test func `who does not read is hung up on`() throws {
        let channel = try open()
        channel.stall(true)
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `who reads slowly is waited for`() throws {
        let channel = try open()
        for _ in 1...10 {
            channel.stall(true)
            channel.embeddedEventLoop.advanceTime(by: .seconds(29))
            channel.stall(false)
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(3600))
        #expect(channel.isActive)
    }

    @Test func `a connection that ends by itself is left alone`() throws {
        let channel = try open()
        channel.stall(true)
        let leftovers = try channel.finish()
        #expect(leftovers.isClean)
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    }

    private func open() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: StallGuard(patience: .seconds(30)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }
}

extension EmbeddedChannel {
    /// Has its reader stop, or go on.
    fileprivate func stall(_ isStalled: Bool) {
        isWritable = !isStalled
        pipeline.fireChannelWritabilityChanged()
    }
}
