import NIOCore
import NIOHPACK
import NIOHTTP2

/// One request of HTTP/2, and its answer.
///
/// A body is waited for only where somebody reads it. While the client does not take what it was sent, its further answers
/// are not written: what a connection can hold is bounded.
final class HTTP2Stream: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let connection: HTTP2Connection
    /// Until when the client has to have taken the answer.
    private(set) var deadline = NIODeadline.distantFuture
    /// Nothing but a reset is to go out.
    private(set) var isGivenUp = false
    private var context: ChannelHandlerContext?
    private var isOpen = false
    /// Its place among those of all connections; the first of a connection has the connection's.
    private var place: BodyPlace?
    /// There was no such place.
    private var isRefused = false
    private var isAsked = false
    private var isBodyExpected = false
    /// What has come of a request whose body is read.
    private var body: StreamBody?
    private var waiting: StreamAnswer?
    /// What sends the file of the answer.
    private var pump: FilePump?
    private var takenCount = 0

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
        deadline = loop.deadline(.idle)
        if connection.isBusy {
            place = loop.placeForStream()
            isRefused = place == nil
        }
        let option = HTTP2StreamChannelOptions.streamID
        connection.opened(self, id: try? context.channel.syncOptions?.getOption(option))
    }

    func channelInactive(context: ChannelHandlerContext) {
        pump?.stop()
        (waiting, body, pump, place) = (nil, nil, nil, nil)
        guard isOpen else { return }
        isOpen = false
        connection.closed(self)
    }

    /// The answer is given up, and what was kept of it for the client.
    func reset() {
        isGivenUp = true
        deadline = loop.deadline(.idle)
        context?.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let head) where !isAsked: ask(head, context)
        // The fields behind a body are thrown away, and so is a body that nobody reads.
        case .headers(let fields): if fields.endStream { endBody() }
        case .data(let data): take(data)
        default: break
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard context.channel.isWritable else { return }
        if let answer = waiting {
            waiting = nil
            write(answer, context)
        }
        pump?.pump()
    }

    // MARK: Asking

    private func ask(
        _ head: HTTP2Frame.FramePayload.Headers,
        _ context: ChannelHandlerContext
    ) {
        isAsked = true
        guard !isRefused else { return refuse(context) }
        isBodyExpected = !head.endStream
        loop.responder.catchUp()
        guard let bytes = StreamRequest.bytes(of: head.headers) else {
            send(loop.responder.refusal(.malformed))
            return
        }
        guard isBodyExpected, let parsed = loop.responder.awaitsBody(of: bytes.span) else {
            answer(bytes)
            return
        }
        body = StreamBody(behind: bytes, hasLength: head.headers.contains(name: "content-length"))
        deadline = loop.deadline(.head)
        if parsed.expectsInvitation { invite(context) }
    }

    /// RFC 9113, section 8.7: the client knows that nothing was done, and may ask again.
    ///
    /// An answer would wait for the client's room, and hold what there is no place for. Counted is
    /// what stands for it over HTTP/1.1, where each request of a crowd has a connection.
    private func refuse(_ context: ChannelHandlerContext) {
        _ = loop.responder.refusal(.tooManyConnections)
        isGivenUp = true
        context.writeAndFlush(wrapOutboundOut(.rstStream(.refusedStream)), promise: nil)
    }

    private func invite(_ context: ChannelHandlerContext) {
        let fields = HPACKHeaders([(":status", String(AnswerStatus.goAhead.code))])
        context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: fields))), promise: nil)
    }

    private func take(_ data: HTTP2Frame.FramePayload.Data) {
        guard body != nil, case .byteBuffer(let bytes) = data.data else { return }
        body?.append(bytes)
        if let status = body?.grow(loop.responder) {
            body = nil
            send(loop.responder.refusal(with: status))
        } else if data.endStream {
            endBody()
        }
    }

    private func endBody() {
        guard let request = body?.request else { return }
        body = nil
        isBodyExpected = false
        deadline = loop.deadline(.idle)
        loop.responder.catchUp()
        answer(request)
    }

    /// Whether it was the client's body that took too long.
    func refuseSlowBody() -> Bool {
        guard body != nil else { return false }
        body = nil
        deadline = loop.deadline(.idle)
        send(loop.responder.refusal(.tooSlow))
        return true
    }

    // MARK: Answering

    private func answer(_ bytes: [UInt8]) {
        var place = 0
        switch loop.responder.turn(bytes.span, from: &place, isDraining: false) {
        case .reply(let reply): send(reply)
        case .later(let work, let request): run(work, for: request)
        // What was written out is whole, so nothing more can be asked for.
        case .incomplete, .withinBody: send(loop.responder.refusal(.malformed))
        }
    }

    private func run(_ work: DeferredWork, for request: LateRequest) {
        let delivery = loop.run(work) { [self] delivery in
            send(loop.responder.reply(delivery, to: request))
        }
        if let delivery { send(loop.responder.reply(delivery, to: request)) }
    }

    private func send(_ reply: Reply) {
        guard let context else { return }
        let answer = StreamAnswer(reply)
        if context.channel.isWritable {
            write(answer, context)
        } else {
            waiting = answer
        }
    }

    private func write(_ answer: StreamAnswer, _ context: ChannelHandlerContext) {
        let head = HTTP2Frame.FramePayload.Headers(
            headers: answer.fields,
            endStream: answer.isEmpty
        )
        context.write(
            wrapOutboundOut(.headers(head)),
            promise: answer.isEmpty ? end(context) : nil
        )
        if let body = answer.body { write(body, isLast: true, context) }
        context.flush()
        if let file = answer.file {
            pump = FilePump(file, to: self, on: loop)
            pump?.pump()
        }
    }

    private func write(_ piece: ByteBuffer, isLast: Bool, _ context: ChannelHandlerContext) {
        let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(piece), endStream: isLast)
        context.write(wrapOutboundOut(.data(data)), promise: isLast ? end(context) : nil)
    }

    private func end(_ context: ChannelHandlerContext) -> EventLoopPromise<Void>? {
        isBodyExpected ? refusalOfBody(context) : nil
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

extension HTTP2Stream: FileTaker {
    var takesMore: Bool { context?.channel.isWritable ?? false }

    func take(_ piece: ByteBuffer, isLast: Bool) {
        guard let context else { return }
        takenCount += piece.readableBytes
        if takenCount >= EdgeConnection.takenMinimum {
            takenCount = 0
            deadline = loop.deadline(.idle)
        }
        write(piece, isLast: isLast, context)
        context.flush()
    }

    func giveUp() {
        reset()
    }
}

/// A request of HTTP/2 whose body is on its way.
struct StreamBody {
    private let head: [UInt8]
    private let hasLength: Bool
    private var bytes: [UInt8] = []
    private var place: BodyPlace?

    init(behind head: [UInt8], hasLength: Bool) {
        (self.head, self.hasLength) = (head, hasLength)
    }

    mutating func append(_ more: ByteBuffer) {
        bytes += more.readableBytesView
    }

    /// Why it may not be as long as it is by now; `nil` where it may.
    mutating func grow(_ responder: Responder) -> AnswerStatus? {
        if responder.isTooLarge(bodyOf: bytes.count) { return .postTooLarge }
        guard bytes.count > BodyPlace.smallMaximum, place == nil else { return nil }
        place = responder.placeForBody()
        return place == nil ? .postsBusy : nil
    }

    /// Head and body, as one that says how long it is; the protocol holds who says it to that.
    var request: [UInt8] {
        if hasLength { return head + bytes }
        return Array(head.dropLast(2))
            + Array("content-length: \(bytes.count)\r\n\r\n".utf8) + bytes
    }
}

/// A request of HTTP/2, written as HTTP/1.1 would have it.
///
/// So one parser judges both, and nothing is answered in one of them that is refused in the other.
enum StreamRequest {
    /// Nil where a part could not stand in the bytes as what it is: a line break in it would
    /// begin another field, a blank another part of the line.
    static func bytes(of fields: HPACKHeaders) -> [UInt8]? {
        guard
            let method = fields.first(name: ":method"), !method.isEmpty,
            method.utf8.allSatisfy(ByteClass.token.contains),
            let target = target(of: fields),
            target.utf8.allSatisfy(ByteClass.target.contains)
        else { return nil }
        var bytes = Array("\(method) \(target) HTTP/1.1\r\n".utf8)
        let authority = fields.first(name: ":authority")
        if let authority {
            guard append("host", authority, to: &bytes) else { return nil }
        }
        for (name, value, _) in fields where !name.hasPrefix(":") {
            if name == "host", value == authority { continue }
            guard append(name, value, to: &bytes) else { return nil }
        }
        return bytes + Array("\r\n".utf8)
    }

    /// What would stand in the request line; only `OPTIONS` and `CONNECT` ask for no path.
    private static func target(of fields: HPACKHeaders) -> String? {
        guard let path = fields.first(name: ":path") else {
            return fields.first(name: ":method") == "CONNECT"
                ? fields.first(name: ":authority") : nil
        }
        return path.hasPrefix("/") || path == "*" ? path : nil
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) -> Bool {
        guard
            !name.isEmpty, name.utf8.allSatisfy(ByteClass.token.contains),
            value.utf8.allSatisfy(\.isFieldContent)
        else { return false }
        bytes += name.utf8
        bytes += [.colon, .space]
        bytes += value.utf8
        bytes += [.carriageReturn, .lineFeed]
        return true
    }
}

/// An answer as HTTP/2 sends it: the very fields and the body that were prepared for HTTP/1.1.
struct StreamAnswer {
    let fields: HPACKHeaders
    /// Nil where there is none, or none that was asked for.
    let body: ByteBuffer?
    let file: FilePart?

    var isEmpty: Bool { body == nil && file == nil }

    init(_ reply: Reply) {
        let answer = reply.answer
        let length = answer.headLength - answer.statusLineLength
        let head = answer.bytes.getString(at: answer.statusLineLength, length: length) ?? ""
        var fields = HPACKHeaders([(":status", String(answer.status.code))])
        for line in head.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields.add(
                name: line[..<colon].lowercased(),
                value: String(line[colon...].dropFirst(2))
            )
        }
        self.fields = fields
        let bodyLength = answer.bytes.readableBytes - answer.headLength
        body =
            reply.headOnly || bodyLength == 0
            ? nil : answer.bytes.getSlice(at: answer.headLength, length: bodyLength)
        file = reply.file
    }
}
