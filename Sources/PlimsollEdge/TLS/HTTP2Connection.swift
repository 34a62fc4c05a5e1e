import NIOCore
import NIOHTTP2

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
    private var bounds = FrameBounds()
    /// Until when what has begun to come has to be there.
    private var frameDeadline = NIODeadline.distantFuture

    /// The first of an open stream: others that are finished meanwhile give it no more time.
    var deadline: NIODeadline {
        min(openStreams.lazy.map(\.deadline).min() ?? idleDeadline, frameDeadline)
    }

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
        try channel.pipeline.syncOperations.addHandlers([
            FrameWatch(connection), frames, connection,
        ])
        return connection
    }

    // MARK: Life

    /// However slowly a head drips in, its time began with its first byte.
    func receive(_ bytes: Span<UInt8>) {
        let hasEnded = bounds.take(bytes)
        if !bounds.isWithin {
            frameDeadline = .distantFuture
        } else if hasEnded || frameDeadline == .distantFuture {
            frameDeadline = loop.deadline(.head)
        }
    }

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

    /// One that is opened now is not the only one.
    var isBusy: Bool { !openStreams.isEmpty }

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
    ///
    /// A body that takes too long is no reason for that: it is one client's, and told to that one.
    /// Who reads nothing at all does not take that news either, and is not waited for again.
    /// Nothing comes behind a frame that does not end, whoever asks for it.
    func expire() {
        guard frameDeadline > loop.now else {
            frameDeadline = .distantFuture
            _ = loop.responder.refusal(.tooSlow)
            end()
            return abort()
        }
        let late = openStreams.filter { $0.deadline <= loop.now }
        let stuck = late.filter { !$0.refuseSlowBody() }
        guard late.isEmpty || !stuck.isEmpty else { return }
        guard !stuck.contains(where: \.isGivenUp) else { return abort() }
        end()
        for stream in stuck { stream.reset() }
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
        // What is refused may have a body on its way, which ends the connection once it is forgotten.
        configuration.maximumRecentlyResetStreams = streamsMaximum
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
