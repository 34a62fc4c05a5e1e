import NIOCore
import NIOSSL
import NIOTLS
import PlimsollLog

/// Carries one client's connection over TLS with HTTP/1.1.
final class EncryptedConnection: ChannelDuplexHandler, LoopHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private let loop: EncryptedLoop
    private var state = EdgeConnection()
    private var isAdvancing = false
    private var isReadOwed = false
    private var unflushedCount = 0
    /// What sends the file of the last answer.
    private var pump: FilePump?

    var context: ChannelHandlerContext?
    var place: Int?
    private(set) var deadline: NIODeadline

    /// TLS holds what is written until the flush, and the channel knows of it only then.
    private static let unflushedMaximum = 65_536

    init(_ loop: EncryptedLoop) {
        self.loop = loop
        deadline = loop.deadline(.idle)
    }

    // MARK: What happens

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        let bytes = buffer.readableBytesUInt8Span
        state.receive(bytes)
        advance(bytes, context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        pump?.pump()
        noteRoom(context)
        // Within `advance` the loop there sees the change.
        if !isAdvancing { resume(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // TLS has no use for half a connection: a client's goodbye ends both directions.
        guard case .outputClosed? = event as? ChannelEvent else { return }
        deadline = loop.deadline(.linger)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A client that vanished is no event for anybody.
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        state.close()
        pump?.stop()
        pump = nil
        loop.remove(self)
    }

    private func deliver(_ delivery: Delivery) {
        guard let context, let reply = state.deliver(delivery, &loop.responder) else { return }
        send(reply, context)
        resume(context)
    }

    func expire() {
        guard let context else { return }
        guard let reply = state.expire(&loop.responder) else { return abort() }
        send(reply, context)
        advance(Span(), context)
    }

    func drain() {
        guard let context else { return }
        state.drain()
        advance(Span(), context)
    }

    // MARK: What is next

    func read(context: ChannelHandlerContext) {
        isReadOwed = !state.canRead
        if !isReadOwed { context.read() }
    }

    /// Goes on where it had to wait.
    private func resume(_ context: ChannelHandlerContext) {
        state.resume()
        advance(Span(), context)
        if isReadOwed { read(context: context) }
    }

    private func advance(_ bytes: Span<UInt8>, _ context: ChannelHandlerContext) {
        isAdvancing = true
        loop.responder.catchUp()
        while let action = state.next(bytes, &loop.responder) {
            switch action {
            case .send(let reply): send(reply, context)
            case .fetch(let work): run(work, context)
            case .flush: flush(context)
            case .renewDeadline(let deadline): self.deadline = loop.deadline(deadline)
            case .endOutput: context.close(mode: .output, promise: nil)
            case .close: abort()
            }
        }
        isAdvancing = false
    }

    private func send(_ reply: Reply, _ context: ChannelHandlerContext) {
        reply.forEachPiece { piece in
            unflushedCount += piece.readableBytes
            context.write(wrapOutboundOut(piece), promise: nil)
        }
        if unflushedCount > Self.unflushedMaximum { state.isBlocked = true }
        if let file = reply.file { pump = FilePump(file, to: self, on: loop) }
    }

    private func flush(_ context: ChannelHandlerContext) {
        unflushedCount = 0
        context.flush()
        pump?.pump()
        noteRoom(context)
    }

    /// Whether the client takes more, and all of a file is out before anything else.
    private func noteRoom(_ context: ChannelHandlerContext) {
        if pump?.isOver == true { pump = nil }
        state.isBlocked = !context.channel.isWritable || pump != nil
    }

    private func run(_ work: DeferredWork, _ context: ChannelHandlerContext) {
        guard let delivery = loop.run(work, deliver: deliver) else { return }
        if let reply = state.deliver(delivery, &loop.responder) { send(reply, context) }
    }
}

extension EncryptedConnection: FileTaker {
    var takesMore: Bool { context?.channel.isWritable ?? false }

    func take(_ piece: ByteBuffer, isLast: Bool) {
        guard let context else { return }
        state.take(piece.readableBytes)
        context.writeAndFlush(wrapOutboundOut(piece), promise: nil)
        guard !isAdvancing else { return }
        noteRoom(context)
        resume(context)
    }

    func giveUp() {
        abort()
    }
}

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
        deadline = loop.deadline(.head)
        if !loop.add(self) { refuse() }
    }

    /// There is nothing to say before the handshake; counted is what stands for it without TLS.
    private func refuse() {
        _ = loop.responder.refusal(.tooManyConnections)
        abort()
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
