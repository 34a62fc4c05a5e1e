import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// HTTP/1.1 as Hummingbird serves it, where a connection that nobody serves is closed.
///
/// A listener that stops drops what it has accepted and not yet begun with, and NIO ends the whole
/// process over a connection that was dropped open (github.com/apple/swift-nio/issues/2813).
struct ClosingChannel: ServerChildChannel {
    let http: HTTP1Channel

    /// A connection until it is served.
    final class Accepted: ServerChildChannelValue {
        fileprivate let connection: HTTP1Channel.Value
        fileprivate let isServed = Atomic(false)

        fileprivate init(_ connection: HTTP1Channel.Value) { self.connection = connection }

        var channel: any Channel { connection.channel }

        deinit {
            guard !isServed.load(ordering: .relaxed) else { return }
            // Once it is closed it may go.
            channel.closeFuture.whenComplete { [connection] _ in
                withExtendedLifetime(connection) {}
            }
            channel.eventLoop.execute { [connection] in connection.channel.close(promise: nil) }
        }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Accepted> {
        http.setup(channel: channel, logger: logger).map { Accepted($0) }
    }

    func handle(value: Accepted, logger: Logger) async {
        value.isServed.store(true, ordering: .relaxed)
        await http.handle(value: value.connection, logger: logger)
    }
}
