package import HTTPTypes
package import HummingbirdCore
package import NIOCore
package import PlimsollDomain

/// Hangs up on a reader who does not read.
///
/// As long as the bytes that wait for the reader are more than the channel likes, whoever writes
/// has to wait too. Time is taken from the moment when that begins; a slow reader who takes some
/// of them makes it begin anew.
package final class StallGuard: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = Never

    private let patience: TimeAmount
    private var hangUp: Scheduled<Void>?

    package init(patience: TimeAmount) {
        self.patience = patience
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        hangUp?.cancel()
        hangUp = nil
        if !context.channel.isWritable {
            let channel = context.channel
            hangUp = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        hangUp?.cancel()
        hangUp = nil
        context.fireChannelInactive()
    }
}

extension HTTPServerBuilder {
    /// HTTP/1.1 as the administration speaks it.
    package static func administration(
        _ places: Places,
        _ patience: Patience = Patience(),
        identify: @escaping @Sendable (HTTPFields) -> PrincipalID? = { _ in nil }
    ) -> HTTPServerBuilder {
        .http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    StallGuard(patience: patience.stall),
                    Doorkeeper(places, patience: patience, identify: identify),
                ],
                idleTimeout: patience.idle
            )
        )
    }
}
