import NIOCore
import NIOSSL
import NIOTLS
import PlimsollLog

/// One client's connection over TLS with HTTP/1.1: reads heads, sends ready answers.
///
/// All complete requests of one read are answered with one flush. While the client does not take
/// its answers, nothing more is read from it, so what a connection can hold is bounded by the
/// socket's own buffers.
final class EncryptedConnection: ChannelDuplexHandler, LoopHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    enum Stage {
        /// Requests are answered.
        case serving
        /// The last answer is on its way; what still comes is thrown away until the client
        /// closes. A close with unread bytes would reset the connection, and the client might
        /// lose the answer.
        case lingering
        case closed
    }

    let loop: EncryptedLoop
    var context: ChannelHandlerContext?
    private(set) var stage = Stage.serving
    private var input = ByteBuffer()
    private var isWritable = true
    /// The next answer comes from the disk.
    var isFetching = false
    private var isServing = false
    private var isReadOwed = false
    private var isHeadBegun = false

    var place: Int?
    private(set) var deadline: NIODeadline

    init(_ loop: EncryptedLoop) {
        self.loop = loop
        deadline = loop.deadline(in: loop.patience.idle)
    }

    // MARK: Life

    func channelInactive(context: ChannelHandlerContext) {
        stage = .closed
        input = ByteBuffer()
        loop.remove(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A client that vanished is no event for anybody.
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // TLS has no use for half a connection: a client's goodbye ends both directions.
        guard case .outputClosed? = event as? ChannelEvent else { return }
        deadline = loop.deadline(in: loop.patience.linger)
    }

    private var canAnswer: Bool { isWritable && !isFetching }

    // MARK: Reading

    func read(context: ChannelHandlerContext) {
        if stage == .serving, !canAnswer {
            isReadOwed = true
        } else {
            context.read()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard stage == .serving else { return }
        var bytes = unwrapInboundIn(data)
        if input.readableBytes == 0 {
            input = bytes
        } else {
            input.writeBuffer(&bytes)
        }
        if canAnswer { serve(context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        // Within `serve` the loop there sees the change.
        if !isServing { resume(context) }
    }

    /// Goes on where it had to wait.
    func resume(_ context: ChannelHandlerContext) {
        guard canAnswer, stage == .serving else { return }
        serve(context)
        guard canAnswer, stage == .serving else { return }
        if loop.isDraining, input.readableBytes == 0 {
            closeAfterLastAnswer(context)
        } else if isReadOwed {
            isReadOwed = false
            context.read()
        }
    }

    // MARK: Answering

    private func serve(_ context: ChannelHandlerContext) {
        isServing = true
        loop.desk.catchUp()
        var total = 0
        var answered = 0
        repeat {
            answered = answerBatch(context)
            total += answered
            // A flush that empties the queue makes the channel writable again at once.
            if answered > 0 { context.flush() }
        } while answered > 0 && stage == .serving && canAnswer && input.readableBytes > 0
        isServing = false
        if stage == .serving { noteDeadline(answered: total) }
    }

    /// Answers what is complete, as long as the client takes it; says how many.
    private func answerBatch(_ context: ChannelHandlerContext) -> Int {
        let buffer = input
        input = ByteBuffer()
        let bytes = buffer.readableBytesUInt8Span
        var consumed = 0
        var answered = 0
        requests: while consumed < bytes.count, canAnswer, stage == .serving {
            let turn = loop.desk.turn(
                bytes,
                from: &consumed,
                limits: loop.limits,
                isDraining: loop.isDraining
            )
            switch turn {
            case .reply(let reply): conclude(reply, context)
            case .tile(let address, let tiles, let request):
                fetch(address, from: tiles, for: request, context)
            case .incomplete: break requests
            }
            answered += 1
        }
        if stage == .serving, consumed < bytes.count {
            // Copied, so that what was read goes back to the channel's pool.
            input = ByteBuffer(bytes: buffer.readableBytesView.dropFirst(consumed))
        }
        return answered
    }

    /// Sends an answer, and ends the connection if it is the last.
    func conclude(_ reply: Reply, _ context: ChannelHandlerContext) {
        send(reply, context)
        if reply.isLast { closeAfterLastAnswer(context) }
    }

    private func send(_ reply: Reply, _ context: ChannelHandlerContext) {
        reply.forEachPiece { context.write(wrapOutboundOut($0), promise: nil) }
    }

    // MARK: Ending

    func closeAfterLastAnswer(_ context: ChannelHandlerContext) {
        stage = .lingering
        input = ByteBuffer()
        // The time to linger begins when the answers are out.
        deadline = loop.deadline(in: loop.patience.idle)
        context.flush()
        context.close(mode: .output, promise: nil)
    }

    private func noteDeadline(answered: Int) {
        if canAnswer, input.readableBytes > 0 {
            // However slowly a head drips in, its time began with its first byte.
            if isHeadBegun, answered == 0 { return }
            isHeadBegun = true
            deadline = loop.deadline(in: loop.patience.head)
        } else {
            isHeadBegun = false
            deadline = loop.deadline(in: loop.patience.idle)
        }
    }

    func expire() {
        guard let context else { return }
        if stage == .serving, isHeadBegun {
            conclude(loop.desk.refusal(.tooSlow), context)
        } else {
            abort()
        }
    }

    func drain() {
        guard let context, stage == .serving, canAnswer, input.readableBytes == 0 else { return }
        closeAfterLastAnswer(context)
    }

    func abort() {
        context?.close(promise: nil)
    }
}

extension EncryptedConnection {
    /// Begins to fetch a tile.
    func fetch(
        _ address: TileAddress,
        from tiles: PublishedTiles,
        for request: TileRequest,
        _ context: ChannelHandlerContext
    ) {
        guard let tile = loop.tiles.fetch(address, from: tiles, on: context.eventLoop) else {
            return conclude(loop.desk.refusalOfTile(request), context)
        }
        isFetching = true
        tile.assumeIsolated().whenSuccess { [self] resource in deliver(resource, request) }
    }

    private func deliver(_ resource: PreparedResource?, _ request: TileRequest) {
        guard let context, stage == .serving else { return }
        isFetching = false
        conclude(loop.desk.reply(resource, to: request), context)
        guard stage == .serving else { return }
        context.flush()
        resume(context)
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
