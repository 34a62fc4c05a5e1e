import NIOCore
import NIOSSL
import NIOTLS

/// A connection until its handshake is over; then it makes room for what was agreed on.
///
/// It counts as a connection from its first byte, and has as long for the handshake as others
/// have for a head.
final class TLSGreeting: ChannelInboundHandler, RemovableChannelHandler, LoopMember {
    typealias InboundIn = ByteBuffer

    private let loop: EncryptedLoop
    private var context: ChannelHandlerContext?
    var place: Int?
    private(set) var deadline = NIODeadline.distantFuture

    init(_ loop: EncryptedLoop) {
        self.loop = loop
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        deadline = loop.deadline(in: loop.limits.headTimeout)
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
        loop.remove(self)
        do {
            try hand(context, to: negotiated)
        } catch {
            abort()
        }
    }

    private func hand(_ context: ChannelHandlerContext, to negotiated: String?) throws {
        let pipeline = context.pipeline.syncOperations
        if negotiated == TLSIdentity.httpTwo {
            try HTTP2Connection.begin(on: context.channel, loop)
        } else {
            try pipeline.addHandler(EncryptedConnection(loop))
            context.fireChannelActive()
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
