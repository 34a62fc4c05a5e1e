import NIOCore
import NIOHPACK
import NIOHTTP2
import PlimsollLog

/// A client's connection over which several requests are asked at once (RFC 9113).
///
/// It looks after the connection's end; each request is a ``HTTP2Stream``'s.
final class HTTP2Connection: ChannelInboundHandler, LoopHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    let loop: EncryptedLoop
    var context: ChannelHandlerContext?
    /// In the order in which they were opened.
    private var openStreams: [HTTP2Stream] = []
    private var lastStream = HTTP2StreamID.rootStream
    /// A goodbye was said; when the open streams are answered, the connection is closed.
    private var isEnding = false

    var place: Int?
    private var idleDeadline: NIODeadline

    /// That of the oldest open stream: others that are finished meanwhile give it no more time.
    var deadline: NIODeadline { openStreams.first?.deadline ?? idleDeadline }

    private init(_ loop: EncryptedLoop) {
        self.loop = loop
        idleDeadline = loop.deadline(.idle)
    }

    /// Speaks HTTP/2 on a connection from now on.
    static func begin(
        on channel: any Channel,
        _ loop: EncryptedLoop
    ) throws -> HTTP2Connection {
        let connection = HTTP2Connection(loop)
        let bound = NIOLoopBound(connection, eventLoop: loop.eventLoop)
        let frames = NIOHTTP2Handler(
            mode: .server,
            eventLoop: loop.eventLoop,
            connectionConfiguration: HTTP2Limits.connection,
            streamConfiguration: HTTP2Limits.stream
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(HTTP2Stream(on: bound.value))
            }
        }
        try channel.pipeline.syncOperations.addHandlers([frames, connection])
        return connection
    }

    // MARK: Life

    func channelInactive(context: ChannelHandlerContext) {
        loop.remove(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The library has reset the stream, or has said goodbye to all of them.
        if !Self.concernsOneStream(error) { context.close(promise: nil) }
    }

    /// A cache in front asks for many clients on one connection; what one of them says wrong is
    /// no reason to cut off the others.
    private static func concernsOneStream(_ error: any Error) -> Bool {
        switch error {
        case is NIOHTTP2Errors.InvalidPseudoHeaders, is NIOHTTP2Errors.MissingPseudoHeader,
            is NIOHTTP2Errors.DuplicatePseudoHeader, is NIOHTTP2Errors.UnknownPseudoHeader,
            is NIOHTTP2Errors.UnsupportedPseudoHeader, is NIOHTTP2Errors.InvalidPseudoHeaderValue,
            is NIOHTTP2Errors.PseudoHeaderAfterRegularHeader, is NIOHTTP2Errors.EmptyPathHeader,
            is NIOHTTP2Errors.InvalidHTTP2HeaderFieldName,
            is NIOHTTP2Errors.InvalidHTTP2HeaderFieldValue, is NIOHTTP2Errors.ForbiddenHeaderField,
            is NIOHTTP2Errors.ContentLengthViolated,
            is NIOHTTP2Errors.ContentLengthHeadersMismatch,
            is NIOHTTP2Errors.ContentLengthHeaderNegative,
            is NIOHTTP2Errors.ContentLengthHeaderMalformedValue,
            is NIOHTTP2Errors.TrailersWithoutEndStream, is NIOHTTP2Errors.StreamError:
            true
        default: false
        }
    }

    // MARK: Streams

    func opened(_ stream: HTTP2Stream, id: HTTP2StreamID?) {
        openStreams.append(stream)
        if let id { lastStream = max(lastStream, id) }
    }

    func closed(_ stream: HTTP2Stream) {
        openStreams.removeAll { $0 === stream }
        renewDeadline()
        guard isEnding, openStreams.isEmpty else { return }
        // The frame that closed the stream is written after this, and flushed later still.
        let bound = NIOLoopBound(self, eventLoop: loop.eventLoop)
        loop.eventLoop.execute { bound.value.abort() }
    }

    private func renewDeadline() {
        idleDeadline = loop.deadline(.idle)
    }

    // MARK: Ending

    /// Who does not take an answer loses it; the other streams are answered, and then it is over.
    func expire() {
        end()
        for stream in openStreams where stream.deadline <= loop.now { stream.reset() }
    }

    func drain() {
        end()
    }

    private func end() {
        guard let context, !isEnding else { return }
        isEnding = true
        let goodbye = HTTP2Frame.FramePayload.goAway(
            lastStreamID: lastStream,
            errorCode: .noError,
            opaqueData: nil
        )
        let frame = HTTP2Frame(streamID: .rootStream, payload: goodbye)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        if openStreams.isEmpty { abort() }
    }
}

/// What one connection may ask of the library that reads its frames.
enum HTTP2Limits {
    static let streamsMaximum = 100

    /// Far above what a head may have, so that one in between is answered with 431.
    ///
    /// One beyond it ends the connection: the library gives up before there is a request to answer.
    /// The protocol counts 32 bytes more for each field. The library takes 16 KiB, and lets nobody
    /// say otherwise, until the client has acknowledged the settings.
    static let headerListSizeMaximum = 65_536

    /// In any half minute: requests taken back, streams that break the rules, pings and settings.
    private static let nuisancesMaximum = 100

    static var connection: NIOHTTP2Handler.ConnectionConfiguration {
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streamsMaximum),
            HTTP2Setting(parameter: .maxHeaderListSize, value: headerListSizeMaximum),
        ]
        configuration.maximumBufferedControlFrames = nuisancesMaximum
        configuration.maximumConnectionGlitches = nuisancesMaximum
        configuration.controlFrameRateLimit.maximumCount = nuisancesMaximum
        return configuration
    }

    static var stream: NIOHTTP2Handler.StreamConfiguration {
        var configuration = NIOHTTP2Handler.StreamConfiguration()
        configuration.streamResetFrameRateLimit.maximumCount = nuisancesMaximum
        configuration.streamErrorRateLimit.maximumCount = nuisancesMaximum
        return configuration
    }
}

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
        deadline = loop.deadline(.idle)
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
        loop.responder.catchUp()
        guard let bytes = StreamRequest.bytes(of: head.headers) else {
            send(loop.responder.refusal(.malformed))
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
        switch loop.responder.turn(bytes.span, from: &place, isDraining: false) {
        case .reply(let reply): send(reply)
        case .tile(let address, let tiles, let request): fetch(address, from: tiles, for: request)
        // What was written out is whole, so nothing more can be asked for.
        case .incomplete: send(loop.responder.refusal(.malformed))
        }
    }

    private func fetch(
        _ address: TileAddress,
        from tiles: PublishedTiles,
        for request: TileRequest
    ) {
        let isComing = loop.fetch(address, from: tiles) { [self] tile in
            send(loop.responder.reply(tile, to: request))
        }
        if !isComing { send(loop.responder.refusalOfTile(request)) }
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

    init(_ answer: PreparedAnswer, headOnly: Bool) {
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
            headOnly || bodyLength == 0
            ? nil : answer.bytes.getSlice(at: answer.headLength, length: bodyLength)
    }
}
