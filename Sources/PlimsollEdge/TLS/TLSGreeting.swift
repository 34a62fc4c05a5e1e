import NIOCore
import NIOSSL
import NIOTLS

/// A connection until its handshake is over; then it makes room for what was agreed on.
///
/// It counts as a connection from its first byte, and has as long for the handshake as others
/// have for a head.
final class TLSGreeting: ChannelInboundHandler, RemovableChannelHandler, LoopHandler {
    typealias InboundIn = ByteBuffer

    private let loop: EncryptedLoop
    var context: ChannelHandlerContext?
    var place: Int?
    private(set) var deadline = NIODeadline.distantFuture

    init(_ loop: EncryptedLoop) {
        self.loop = loop
    }

    func channelActive(context: ChannelHandlerContext) {
        deadline = loop.deadline(in: loop.patience.head)
        if !loop.add(self) { abort() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        loop.remove(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Whoever speaks something else, or trusts somebody else, is no event for anybody.
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent else { return }
        do {
            try hand(context, to: negotiated)
        } catch {
            abort()
        }
    }

    private func hand(_ context: ChannelHandlerContext, to negotiated: String?) throws {
        let pipeline = context.pipeline.syncOperations
        if negotiated == TLSIdentity.httpTwo {
            loop.replace(self, by: try HTTP2Connection.begin(on: context.channel, loop))
        } else {
            let connection = EncryptedConnection(loop)
            try pipeline.addHandler(connection)
            loop.replace(self, by: connection)
        }
        pipeline.removeHandler(context: context, promise: nil)
    }

    func expire() {
        abort()
    }

    func drain() {
        abort()
    }

    /// Without a goodbye: who has not greeted needs none, and would not wait for it.
    func abort() {
        let pipeline = context?.pipeline.syncOperations
        guard let tls = try? pipeline?.context(handlerType: NIOSSLServerHandler.self) else {
            context?.close(promise: nil)
            return
        }
        tls.close(promise: nil)
    }
}
