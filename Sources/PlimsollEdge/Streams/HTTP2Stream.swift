import NIOCore
import NIOHTTP2
import PlimsollLog

/// One request of HTTP/2, and its answer.
///
/// A body is not waited for. While the client does not take what it was sent, its further answers
/// are not written: what a connection can hold is bounded.
final class HTTP2Stream: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let connection: HTTP2Connection
    /// Until when the client has to have taken the answer.
    private(set) var deadline = NIODeadline.distantFuture
    private var context: ChannelHandlerContext?
    private var isOpen = false
    private var isAsked = false
    private var isBodyExpected = false
    private var waiting: StreamAnswer?

    init(on connection: HTTP2Connection) {
        self.connection = connection
    }

    private var loop: EncryptedLoop { connection.loop }

    // MARK: Life

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        isOpen = true
        deadline = loop.deadline(in: loop.patience.idle)
        let option = HTTP2StreamChannelOptions.streamID
        connection.opened(self, id: try? context.channel.syncOptions?.getOption(option))
    }

    func channelInactive(context: ChannelHandlerContext) {
        waiting = nil
        guard isOpen else { return }
        isOpen = false
        connection.closed(self)
    }

    /// The answer is given up, and what was kept of it for the client.
    func reset() {
        context?.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A body is thrown away, and so are the fields behind it.
        guard case .headers(let head) = unwrapInboundIn(data), !isAsked else { return }
        isAsked = true
        isBodyExpected = !head.endStream
        loop.desk.catchUp()
        guard let bytes = StreamRequest.bytes(of: head.headers) else {
            send(loop.desk.refusal(.malformed))
            return
        }
        answer(bytes)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard context.channel.isWritable, let answer = waiting else { return }
        waiting = nil
        write(answer, context)
    }

    // MARK: Answering

    private func answer(_ bytes: [UInt8]) {
        var place = 0
        let turn = loop.desk.turn(
            bytes.span,
            from: &place,
            limits: loop.limits,
            isDraining: false
        )
        switch turn {
        case .reply(let reply): send(reply)
        case .tile(let address, let tiles, let request): fetch(address, from: tiles, for: request)
        // What was written out is whole, so nothing more can be asked for.
        case .incomplete: send(loop.desk.refusal(.malformed))
        }
    }

    private func fetch(
        _ address: TileAddress,
        from tiles: PublishedTiles,
        for request: TileRequest
    ) {
        guard let tile = loop.tiles.fetch(address, from: tiles, on: loop.eventLoop) else {
            return send(loop.desk.refusalOfTile(request))
        }
        tile.assumeIsolated().whenSuccess { [self] resource in
            send(loop.desk.reply(resource, to: request))
        }
    }

    private func send(_ reply: Reply) {
        guard let context else { return }
        let answer = StreamAnswer(reply.answer, headOnly: reply.headOnly)
        if context.channel.isWritable {
            write(answer, context)
        } else {
            waiting = answer
        }
    }

    private func write(_ answer: StreamAnswer, _ context: ChannelHandlerContext) {
        let written = isBodyExpected ? refusalOfBody(context) : nil
        let head = HTTP2Frame.FramePayload.Headers(
            headers: answer.fields,
            endStream: answer.body == nil
        )
        context.write(
            wrapOutboundOut(.headers(head)),
            promise: answer.body == nil ? written : nil
        )
        if let body = answer.body {
            let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(body), endStream: true)
            context.write(wrapOutboundOut(.data(data)), promise: written)
        }
        context.flush()
    }

    /// RFC 9113, section 8.1: when the answer is whole, the client need not send its body.
    ///
    /// Not before: a reset throws away what still waits for the client's room, and without a flush
    /// all of it does. Where the client's body has ended meanwhile, the stream has as well.
    private func refusalOfBody(_ context: ChannelHandlerContext) -> EventLoopPromise<Void> {
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { [self] in
            guard isOpen, let context = self.context else { return }
            context.writeAndFlush(wrapOutboundOut(.rstStream(.noError)), promise: nil)
        }
        return written
    }
}
