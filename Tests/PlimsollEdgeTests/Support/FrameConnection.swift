import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import Testing

@testable import PlimsollEdge

/// A connection of HTTP/2 that sends exactly the frames it is told to.
///
/// It gives the server no more room for answers than it was given, so it can be one that does not
/// read; and it can be one that has not read the server's settings.
struct FrameConnection {
    private let channel: any Channel
    private var iterator: AsyncThrowingStream<HTTP2Frame, any Error>.AsyncIterator
    private var replies: [HTTP2StreamID: StreamReply] = [:]
    private var nextStream: Int32 = 1
    /// The limits that the server has announced.
    private(set) var announced: [HTTP2SettingsParameter: Int] = [:]
    /// The last goodbye.
    private(set) var goodbye: HTTP2ErrorCode?

    static func with<Result: Sendable>(
        _ address: EdgeAddress,
        tls: NIOSSLContext,
        settings: HTTP2Settings = nioDefaultSettings,
        isAcknowledging: Bool = true,
        _ body: (inout FrameConnection) async throws -> Result
    ) async throws -> Result {
        let (stream, continuation) = AsyncThrowingStream<HTTP2Frame, any Error>.makeStream()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let host = TLSFixture.host
                    try pipeline.addHandler(
                        NIOSSLClientHandler(context: tls, serverHostname: host)
                    )
                    if !isAcknowledging { try pipeline.addHandler(AcknowledgementSink()) }
                    try pipeline.addHandler(
                        NIOHTTP2Handler(
                            mode: .client,
                            initialSettings: settings,
                            headerBlockValidation: .disabled,
                            contentLengthValidation: .disabled
                        )
                    )
                    try pipeline.addHandler(FrameInbox(continuation))
                }
            }
            .connect(host: address.host, port: address.port)
            .get()
        var connection = FrameConnection(channel, stream)
        do {
            let result = try await body(&connection)
            try? await channel.close().get()
            return result
        } catch {
            try? await channel.close().get()
            throw error
        }
    }

    private init(_ channel: any Channel, _ stream: AsyncThrowingStream<HTTP2Frame, any Error>) {
        self.channel = channel
        iterator = stream.makeAsyncIterator()
    }

    /// Returns when the system has taken the frames.
    func send(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID) async throws {
        try await channel.writeAndFlush(HTTP2Frame(streamID: stream, payload: payload)).get()
    }

    /// Leaves unread whatever comes from now on.
    func stopReading() async throws {
        try await channel.setOption(.autoRead, value: false).get()
    }

    /// Asks for something on a stream of its own; a body goes out with the head, in one piece.
    mutating func ask(
        _ method: String = "GET",
        _ path: String = EdgeFixture.path,
        authority: String? = "edge.example",
        fields: [(String, String)] = [],
        endStream: Bool = true,
        body: [UInt8]? = nil
    ) async throws -> HTTP2StreamID {
        var all = [(":method", method), (":scheme", "https"), (":path", path)]
        if let authority { all.append((":authority", authority)) }
        let stream = HTTP2StreamID(Int(nextStream))
        nextStream += 2
        let head = HTTP2Frame.FramePayload.Headers(
            headers: HPACKHeaders(all + fields),
            endStream: endStream && body == nil
        )
        guard let body else {
            try await send(.headers(head), on: stream)
            return stream
        }
        let data = IOData.byteBuffer(ByteBuffer(bytes: body))
        let last = HTTP2Frame.FramePayload.data(.init(data: data, endStream: endStream))
        // In one turn of the loop: between two the server may have answered and closed the stream.
        try await channel.eventLoop.flatSubmit { [channel] in
            channel.write(HTTP2Frame(streamID: stream, payload: .headers(head)), promise: nil)
            return channel.writeAndFlush(HTTP2Frame(streamID: stream, payload: last))
        }
        .get()
        return stream
    }

    /// The whole answer on a stream; nil when the connection ends before.
    mutating func answer(on stream: HTTP2StreamID) async throws -> StreamReply? {
        while replies[stream]?.isComplete != true {
            guard let frame = try await iterator.next(isolation: #isolation) else { return nil }
            note(frame)
        }
        return replies[stream]
    }

    mutating func get(_ path: String = EdgeFixture.path) async throws -> StreamReply? {
        try await answer(on: ask("GET", path))
    }

    /// Waits for the first frame of an answer.
    mutating func headArrives(on stream: HTTP2StreamID) async throws {
        try await read { $0.replies[stream] != nil }
    }

    /// Waits for the server to want no more of a request; nil when the connection ends before.
    mutating func reset(of stream: HTTP2StreamID) async throws -> HTTP2ErrorCode? {
        try await read { $0.replies[stream]?.reset != nil }
        return replies[stream]?.reset
    }

    mutating func goodbyeArrives() async throws {
        try await read { $0.goodbye != nil }
    }

    private mutating func read(until isDone: (Self) -> Bool) async throws {
        while !isDone(self), let frame = try await iterator.next(isolation: #isolation) {
            note(frame)
        }
    }

    /// Reads to the end of the connection; what breaks it counts as the end.
    mutating func end() async {
        do {
            while let frame = try await iterator.next(isolation: #isolation) { note(frame) }
        } catch {}
    }

    private mutating func note(_ frame: HTTP2Frame) {
        switch frame.payload {
        case .headers(let head):
            replies[frame.streamID, default: StreamReply()].fields = head.headers
            replies[frame.streamID]?.isComplete = head.endStream
        case .data(let data):
            guard case .byteBuffer(let bytes) = data.data else { return }
            replies[frame.streamID, default: StreamReply()].body += bytes.readableBytesView
            replies[frame.streamID]?.isComplete = data.endStream
        case .rstStream(let code):
            replies[frame.streamID, default: StreamReply()].reset = code
            replies[frame.streamID]?.isComplete = true
        case .settings(.settings(let settings)):
            for setting in settings { announced[setting.parameter] = setting.value }
        case .goAway(_, let code, _): goodbye = code
        default: break
        }
    }
}

/// What came on one stream.
struct StreamReply {
    fileprivate(set) var fields = HPACKHeaders()
    fileprivate(set) var body: [UInt8] = []
    fileprivate(set) var reset: HTTP2ErrorCode?
    fileprivate(set) var isComplete = false

    var status: String? { fields.first(name: ":status") }

    /// As ``Answer/timeless``.
    var timeless: [String] {
        fields.filter { $0.name != "date" && $0.name != ":status" }
            .map { "\($0.name): \($0.value)" }
    }

    subscript(_ name: String) -> String? { fields.first(name: name) }
}

private final class FrameInbox: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private let continuation: AsyncThrowingStream<HTTP2Frame, any Error>.Continuation

    init(_ continuation: AsyncThrowingStream<HTTP2Frame, any Error>.Continuation) {
        self.continuation = continuation
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        continuation.yield(unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Whoever asked behind a goodbye is told; what the server still sends is read.
        guard !(error is NIOHTTP2Errors.CreatedStreamAfterGoaway) else { return }
        continuation.finish(throwing: error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        continuation.finish()
    }
}

/// Keeps from the server that its settings were read; each frame comes here in a piece of its own.
private final class AcknowledgementSink: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    private static let acknowledgement: [UInt8] = [0, 0, 0, 4, 1, 0, 0, 0, 0]

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let frame) = unwrapOutboundIn(data),
            frame.readableBytesView.elementsEqual(Self.acknowledgement)
        {
            promise?.succeed()
        } else {
            context.write(data, promise: promise)
        }
    }
}
