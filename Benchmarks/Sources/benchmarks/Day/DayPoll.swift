import NIOCore
import Synchronization

/// What stands in the answer to a phone.
struct PollAnswer: Sendable {
    let status: Int
    let tag: String?

    private static let headEnd: [UInt8] = Array("\r\n\r\n".utf8)

    /// Reads the answer to one request; `nil` until it is whole.
    init?(_ bytes: ByteBufferView) {
        guard let end = bytes.firstRange(of: Self.headEnd) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        func field(_ name: String) -> String? {
            lines.dropFirst().first { $0.lowercased().hasPrefix("\(name):") }
                .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
        }
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        let length = status == 304 ? 0 : field("content-length").flatMap { Int($0) } ?? 0
        guard bytes[end.upperBound...].count >= length else { return nil }
        (self.status, tag) = (status, field("etag"))
    }
}

/// One look of a phone; told once how it ended.
final class Poll: Sendable {
    let request: String
    let bytes: Counter
    private let told: Mutex<(@Sendable (PollAnswer?) -> Void)?>

    init(
        _ request: String,
        counting bytes: Counter,
        _ tell: @escaping @Sendable (PollAnswer?) -> Void
    ) {
        (self.request, self.bytes) = (request, bytes)
        told = Mutex(tell)
    }

    func end(_ answer: PollAnswer?) {
        told.withLock { told in
            defer { told = nil }
            return told
        }?(answer)
    }
}

/// How many bytes have gone either way.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add(_ number: Int) { count.add(number, ordering: .relaxed) }
}

/// Asks as soon as the connection is there, and ends it with the answer.
final class PollHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let poll: Poll
    private var received = ByteBuffer()

    init(_ poll: Poll) { self.poll = poll }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: poll.request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.writeImmutableBuffer(unwrapInboundIn(data))
        guard let answer = PollAnswer(received.readableBytesView) else { return }
        poll.end(answer)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { poll.end(nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        poll.end(nil)
        context.close(promise: nil)
    }
}

/// Counts what goes over the wire, encrypted as it is.
final class ByteCounter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let bytes: Counter

    init(_ bytes: Counter) { self.bytes = bytes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes.add(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        bytes.add(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }
}
