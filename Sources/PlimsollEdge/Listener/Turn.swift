import NIOCore
import PlimsollLog

/// What a connection does next with the bytes that have arrived on it.
enum Turn {
    case reply(Reply)
    /// The answer comes from the disk, and until it is there nothing else is answered, so that
    /// answers keep the order of requests.
    case tile(TileAddress, PublishedTiles, TileRequest)
    /// A head has begun that has not ended.
    case incomplete
}

/// One answer as one client gets it.
struct Reply {
    let answer: PreparedAnswer
    /// For `HEAD`.
    let headOnly: Bool
    /// The connection ends with it.
    let isLast: Bool

    /// What is sent, in order; most often one piece.
    @inline(__always)
    func forEachPiece(_ body: (ByteBuffer) -> Void) {
        if isLast {
            answer.closingContent(headOnly: headOnly).forEach(body)
        } else {
            body(answer.content(headOnly: headOnly))
        }
    }
}

/// What is asked of a tile that is on its way from the disk.
struct TileRequest {
    let headOnly: Bool
    let isLast: Bool
    /// Copies: the bytes of the request are gone when the tile comes.
    private let conditions: [[UInt8]]

    init(_ head: RequestHead, _ bytes: Span<UInt8>, isLast: Bool) {
        headOnly = head.method == .head
        var conditions: [[UInt8]] = []
        for range in head.conditions {
            var value: [UInt8] = []
            for index in range { value.append(bytes[index]) }
            conditions.append(value)
        }
        self.conditions = conditions
        self.isLast = isLast
    }

    func isKnown(_ tag: EntityTag) -> Bool {
        conditions.contains { EntityTagCondition.matches($0.span, $0.indices, tag: tag) }
    }
}
