import NIOCore
import PlimsollLog
import PlimsollMarketplace
import PlimsollSystem

/// What a connection does next with the bytes that have arrived on it.
enum Turn {
    case reply(Reply)
    /// Until the answer is there nothing else is answered, so that answers keep the order of
    /// requests.
    case later(DeferredWork, LateRequest)
    /// A head has begun that has not ended.
    case incomplete
    /// A head has ended, and its body has not.
    case withinBody(BodyNotes)
}

/// What has to be done for an answer that does not lie ready.
enum DeferredWork: Sendable {
    /// To read it from the disk.
    case tile(TileAddress, PublishedTiles)
    /// To make it.
    case post(DevicePost, any DeviceResponder)
    /// To open it.
    case package(PackageFileName, PackageLookup)
    case snapshot(SnapshotFileName, PublishedSnapshots)
}

/// What came of deferred work.
enum Delivery: Sendable {
    /// `nil` where there is no such tile.
    case tile(PreparedResource?)
    case device(DeviceReply)
    /// `nil` where there is no such file.
    case file(OpenFile?)
    /// Too many ask already, which this says.
    case busy(AnswerStatus)
}

extension EdgeParts {
    /// The answer, where it is there at once; `nil` where it is delivered later, from another thread.
    func run(
        _ work: DeferredWork,
        deliver: @escaping @Sendable (Delivery) -> Void
    ) -> Delivery? {
        switch work {
        case .tile(let address, let tiles):
            self.tiles.fetch(address, from: tiles) { deliver(.tile($0)) } ? nil : .busy(.tilesBusy)
        case .post(let post, let devices):
            devices.answer(post) { deliver(.device($0)) }.map(Delivery.device)
        case .package(let name, let lookup):
            lookup.open(name, deliver: deliver)
        case .snapshot(let name, let snapshots):
            snapshots.open(name, at: self.snapshots, deliver: deliver)
        }
    }
}

/// A request whose body is on its way.
struct BodyNotes {
    /// Of head and body together.
    let length: Int
    /// The client waits to be told that it may send it.
    let isInvited: Bool
    var place: BodyPlace?
}

/// One answer as one client gets it.
struct Reply {
    let answer: PreparedAnswer
    /// For `HEAD`.
    let headOnly: Bool
    /// The connection ends with it.
    let isLast: Bool
    /// The client reads alone, and has said that it asks for nothing more.
    var endsRequests = false
    /// What follows from a file; nothing else is sent before it is out.
    var file: FilePart?

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

/// What the answer to a request depends on that has to wait for it.
struct LateRequest {
    let headOnly: Bool
    let isLast: Bool
    /// Copies: the bytes of the request are gone when the answer comes.
    private let conditions: [[UInt8]]
    /// Which part is asked for; `nil` where it is the whole.
    let range: [UInt8]?
    /// What the part has to be of.
    let rangeCondition: [UInt8]?

    init(_ head: RequestHead, _ bytes: Span<UInt8>, isLast: Bool) {
        headOnly = head.method == .head
        conditions = head.conditions.map { Array(copying: bytes.extracting($0)) }
        // One that is said twice is none that is understood.
        let hasRange =
            head.method == .get && head.ranges.count == 1 && head.rangeConditions.count <= 1
        let (range, condition) = (head.ranges.first, head.rangeConditions.first)
        self.range = hasRange ? range.map { Array(copying: bytes.extracting($0)) } : nil
        rangeCondition = condition.map { Array(copying: bytes.extracting($0)) }
        self.isLast = isLast
    }

    /// One that was asked with a body.
    init(isLast: Bool) {
        (headOnly, conditions, range, rangeCondition) = (false, [], nil, nil)
        self.isLast = isLast
    }

    func isKnown(_ tag: EntityTag) -> Bool {
        conditions.contains { EntityTagCondition.matches($0.span, $0.indices, tag: tag) }
    }
}
