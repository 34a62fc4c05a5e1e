import NIOCore

/// Where frames of HTTP/2 begin and end, whatever they say (RFC 9113, section 4.1).
///
/// The library keeps a frame until all of it is there, and a head until its last frame is; of data
/// alone it hands on what has come. It does not say that it waits.
struct FrameBounds {
    /// What is missing of the frame, or of the greeting before the first one.
    private var missingCount = FrameBounds.greetingLength
    /// What has come of the field before a frame.
    private var field: [UInt8] = []
    private var isData = false
    /// Another frame goes on with the head.
    private var isHeadOpen = false
    private var hasBegun = false

    private static let greetingLength = 24
    private static let fieldLength = 9

    private enum Kind {
        static let data: UInt8 = 0
        static let head: UInt8 = 1
        static let continuation: UInt8 = 9
    }

    private static let endOfHead: UInt8 = 4

    /// Whether something has come whose rest is waited for.
    var isWithin: Bool {
        isHeadOpen || !field.isEmpty || hasBegun && missingCount > 0 && !isData
    }

    /// Says whether anything came to its end.
    mutating func take(_ bytes: Span<UInt8>) -> Bool {
        var (place, hasEnded) = (0, false)
        hasBegun = hasBegun || !bytes.isEmpty
        while place < bytes.count {
            if missingCount > 0 {
                let count = min(missingCount, bytes.count - place)
                missingCount -= count
                place += count
            } else {
                field.append(bytes[place])
                place += 1
                if field.count == Self.fieldLength { begin() }
            }
            if missingCount == 0, field.isEmpty, !isHeadOpen { hasEnded = true }
        }
        return hasEnded
    }

    private mutating func begin() {
        let kind = field[3]
        missingCount = field[..<3].reduce(0) { $0 << 8 | Int($1) }
        isData = kind == Kind.data
        if kind == Kind.head || kind == Kind.continuation {
            isHeadOpen = field[4] & Self.endOfHead == 0
        }
        field.removeAll(keepingCapacity: true)
    }
}

/// Tells a connection what comes, before the library that reads its frames.
final class FrameWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: HTTP2Connection

    init(_ connection: HTTP2Connection) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        connection.receive(buffer.readableBytesUInt8Span)
        context.fireChannelRead(data)
    }
}
