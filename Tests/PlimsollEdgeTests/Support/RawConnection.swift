import NIOCore
import NIOPosix
import NIOSSL

@testable import PlimsollEdge

/// A TCP connection that sends exactly the bytes it is told to, and shows what comes back.
///
/// It knows no HTTP beyond where an answer ends, so it can say what no HTTP client would. It
/// reads only when asked for an answer: a client that does not read is one that does not ask.
struct RawConnection {
    private let channel: any Channel
    private var iterator: AsyncThrowingStream<ByteBuffer, any Error>.AsyncIterator
    private var received = ByteBuffer()

    /// The connection is closed when `body` ends; with a context it speaks TLS.
    static func with<Result: Sendable>(
        _ address: EdgeAddress,
        tls: NIOSSLContext? = nil,
        _ body: (inout RawConnection) async throws -> Result
    ) async throws -> Result {
        let (stream, continuation) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls {
                        let host = TLSFixture.host
                        try pipeline.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: host)
                        )
                    }
                    try pipeline.addHandler(Inbox(continuation))
                }
            }
            .connect(host: address.host, port: address.port)
            .get()
        var connection = RawConnection(channel, stream)
        // A handshake is read before anybody asks for an answer.
        if tls != nil { channel.read() }
        do {
            let result = try await body(&connection)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    private init(_ channel: any Channel, _ stream: AsyncThrowingStream<ByteBuffer, any Error>) {
        self.channel = channel
        iterator = stream.makeAsyncIterator()
    }

    /// Returns when the system has taken the bytes.
    func send(_ text: String) async throws {
        try await send(bytes: Array(text.utf8))
    }

    func send(bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// Asks again and again without reading an answer; answers how many times a thousand requests
    /// were taken before the connection ended.
    func askWithoutReading(batchesMaximum: Int = 2000) async -> Int {
        let batch = String(repeating: EdgeFixture.request, count: 1000)
        var batches = 0
        do {
            while batches < batchesMaximum {
                try await send(batch)
                batches += 1
            }
        } catch {}
        return batches
    }

    /// Says that no more will be sent; answers can still be read.
    func finishSending() async throws {
        try await channel.close(mode: .output).get()
    }

    /// The next answer, or nil when the server has closed; `headOnly` for those to `HEAD`.
    mutating func answer(headOnly: Bool = false) async throws -> Answer? {
        while true {
            if let answer = Answer(reading: &received, headOnly: headOnly) { return answer }
            guard let more = try await more() else { return nil }
            received.writeImmutableBuffer(more)
        }
    }

    /// Everything up to the end of the connection; a reset counts as an end.
    mutating func rest() async throws -> String {
        do {
            while let more = try await more() { received.writeImmutableBuffer(more) }
        } catch is IOError {}
        return received.readString(length: received.readableBytes) ?? ""
    }

    /// What comes first, whatever it is.
    mutating func beginning() async throws -> [UInt8] {
        while received.readableBytes < 16, let more = try await more() {
            received.writeImmutableBuffer(more)
        }
        return Array(received.readableBytesView)
    }

    private mutating func more() async throws -> ByteBuffer? {
        channel.read()
        return try await iterator.next(isolation: #isolation)
    }

    private func close() async {
        // It may be closed already, which is what is wanted.
        try? await channel.close().get()
    }
}

/// Hands what arrives to whoever waits for it.
private final class Inbox: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let continuation: AsyncThrowingStream<ByteBuffer, any Error>.Continuation

    init(_ continuation: AsyncThrowingStream<ByteBuffer, any Error>.Continuation) {
        self.continuation = continuation
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        continuation.yield(unwrapInboundIn(data))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { continuation.finish() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        continuation.finish(throwing: error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        continuation.finish()
    }
}
