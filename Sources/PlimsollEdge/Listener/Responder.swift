import Metrics
import NIOCore
import PlimsollDomain
import PlimsollLog
import Synchronization

/// What the thread of some connections answers with, and counts; no other thread touches it.
struct Responder {
    private let source: TableSource
    private let limits: EdgeLimits
    private let metrics: EdgeMetrics
    private var answers: LoopAnswers
    private var generation = -1
    private var counts = [Int](repeating: 0, count: AnswerStatus.allCases.count)
    private var reportedConnections = 0

    private static let notFound = LoopAnswers.number(of: .notFound)

    init(_ parts: EdgeParts) {
        source = parts.source
        limits = parts.limits
        metrics = parts.metrics
        answers = LoopAnswers(source.table)
        setDate()
    }

    /// Goes over to the newest table; called before a batch of requests, never within one.
    @inline(__always)
    mutating func catchUp() {
        if let table = source.tableNewer(than: &generation) { answers.replace(table) }
    }

    /// What the bytes from a place on ask for; moves the place behind it.
    @inline(__always)
    mutating func turn(
        _ bytes: Span<UInt8>,
        from place: inout Int,
        isDraining: Bool
    ) -> Turn {
        do {
            let head = try RequestParser.parse(bytes, from: place, limits: limits)
            place = head.end
            let number = answers.number(for: head, in: bytes)
            let isLast = !head.keepsConnection || isDraining
            if number == Self.notFound, let (tiles, address) = answers.tile(for: head, in: bytes) {
                return .tile(address, tiles, TileRequest(head, bytes, isLast: isLast))
            }
            let headOnly = head.method == .head
            return .reply(Reply(answer: answer(number), headOnly: headOnly, isLast: isLast))
        } catch {
            guard case .refused(let refusal) = error else { return .incomplete }
            return .reply(self.refusal(refusal))
        }
    }

    mutating func refusal(_ refusal: RequestRefusal) -> Reply {
        Reply(answer: answer(refusal.status), headOnly: false, isLast: true)
    }

    private mutating func answer(_ status: AnswerStatus) -> PreparedAnswer {
        answer(LoopAnswers.number(of: status))
    }

    @inline(__always)
    private mutating func answer(_ number: Int) -> PreparedAnswer {
        let answer = answers.answer(number)
        counts[answer.status.rawValue] += 1
        return answer
    }

    /// The answer to who asked for a tile, now that it is there or known not to be.
    mutating func reply(_ resource: PreparedResource?, to request: TileRequest) -> Reply {
        let answer =
            resource.map { dated($0, isKnown: request.isKnown($0.tag)) } ?? answer(.notFound)
        return Reply(answer: answer, headOnly: request.headOnly, isLast: request.isLast)
    }

    /// Too many wait for tiles already.
    mutating func refusalOfTile(_ request: TileRequest) -> Reply {
        Reply(answer: answer(.tilesBusy), headOnly: request.headOnly, isLast: request.isLast)
    }

    /// The answer of a resource that no table has: the head alone to who has it already.
    private mutating func dated(_ resource: PreparedResource, isKnown: Bool) -> PreparedAnswer {
        let number = PreparedResource.answerNumber(gzip: false, notModified: isKnown)
        let answer = answers.dated(resource.answers[number])
        counts[answer.status.rawValue] += 1
        return answer
    }

    // MARK: Time

    mutating func setDate() {
        let instant = Instant.current
        answers.setDate(HTTPDate.text(instant), second: instant.millisecondsSince1970 / 1000)
    }

    mutating func report(connections: Int) {
        for status in AnswerStatus.allCases where counts[status.rawValue] > 0 {
            metrics.countAnswers(status, counts[status.rawValue])
            counts[status.rawValue] = 0
        }
        metrics.countConnections(connections - reportedConnections)
        reportedConnections = connections
    }
}

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

/// One event loop's own copies of all answers, with the date of this second in those it uses.
///
/// A copy shares its bytes with the table until it gets its first date, and gets a new one only
/// when it is asked for. So a second costs a loop as many small writes as it serves different
/// answers, not as many as there are.
struct LoopAnswers {
    private struct Dated {
        var answer: PreparedAnswer
        /// The second whose date is in it.
        var second: Int64
    }

    private var table: EdgeTable
    private var answers: [Dated]
    private var second: Int64 = 0
    private var date = ByteBuffer(string: HTTPDate.placeholder)

    init(_ table: EdgeTable) {
        self.table = table
        answers = Self.copies(table)
    }

    mutating func replace(_ table: EdgeTable) {
        self.table = table
        answers = Self.copies(table)
    }

    mutating func setDate(_ text: @autoclosure () -> String, second: Int64) {
        guard second != self.second else { return }
        self.second = second
        date = ByteBuffer(string: text())
    }

    /// The number of the answer to a well-formed request.
    func number(for head: RequestHead, in bytes: Span<UInt8>) -> Int {
        guard head.method != .other else { return Self.number(of: .methodNotAllowed) }
        guard !head.isBodyTooLarge else { return Self.number(of: .bodyTooLarge) }
        guard let resource = table.number(of: head.target, at: head.host, in: bytes) else {
            return Self.number(of: .notFound)
        }
        var notModified = false
        for condition in head.conditions where !notModified {
            let tag = table.resources[resource].tag
            notModified = EntityTagCondition.matches(bytes, condition, tag: tag)
        }
        let variant = PreparedResource.answerNumber(
            gzip: head.encodings.prefersGzip,
            notModified: notModified
        )
        return StandardAnswers.all.count + resource * PreparedResource.answerCount + variant
    }

    /// The tile of the transparency log that a request is for.
    func tile(
        for head: RequestHead,
        in bytes: Span<UInt8>
    ) -> (tiles: PublishedTiles, address: TileAddress)? {
        guard
            let tiles = table.tiles, let address = tiles.address(at: head.target, in: bytes)
        else { return nil }
        return (tiles, address)
    }

    /// An answer that is made for one request, with the date of this second.
    func dated(_ answer: PreparedAnswer) -> PreparedAnswer {
        var answer = answer
        answer.setDate(date)
        return answer
    }

    static func number(of status: AnswerStatus) -> Int { StandardAnswers.number(of: status) }

    /// The answer itself, with the date of this second.
    mutating func answer(_ number: Int) -> PreparedAnswer {
        if answers[number].second != second {
            answers[number].answer.setDate(date)
            answers[number].second = second
        }
        return answers[number].answer
    }

    private static func copies(_ table: EdgeTable) -> [Dated] {
        // No second is negative, so each copy is dated before its first use.
        (StandardAnswers.all + table.resources.flatMap(\.answers))
            .map { Dated(answer: $0, second: -1) }
    }
}

/// Where the event loops find the newest table.
///
/// They ask before every batch of requests. Asking is one atomic load; only after a change is
/// the lock taken, once by each loop. Once ``publish(_:)`` has returned, no request that arrives
/// is answered from an older table.
final class TableSource: Sendable {
    private let generation = Atomic<Int>(0)
    private let current: Mutex<EdgeTable>

    init(_ table: EdgeTable) {
        current = Mutex(table)
    }

    var table: EdgeTable { current.withLock { $0 } }

    func publish(_ table: EdgeTable) {
        current.withLock { current in
            current = table
            generation.add(1, ordering: .releasing)
        }
    }

    /// The newest table, if it is newer than the one a loop already has.
    @inline(__always)
    func tableNewer(than known: inout Int) -> EdgeTable? {
        guard generation.load(ordering: .acquiring) != known else { return nil }
        return current.withLock { current in
            known = generation.load(ordering: .relaxed)
            return current
        }
    }
}

/// What the listener reports, gathered by each loop and handed over once a tick.
final class EdgeMetrics: Sendable {
    private struct Gauges {
        let age: Gauge
        let sequence: Gauge
    }

    private let answers: [Counter]
    private let openConnections = Gauge(label: "plimsoll.connections.open")
    private let connections = Mutex(0)
    private let gauges = Mutex<[AppSlug: Gauges]>([:])

    /// Taken once: event loops have no task, and so no factory of their own.
    private let factory = MetricsSystem.factory

    init() {
        answers = AnswerStatus.allCases.map { status in
            Counter(
                label: "plimsoll.requests.answered",
                dimensions: [("status", String(status.code))]
            )
        }
    }

    func countAnswers(_ status: AnswerStatus, _ count: Int) {
        answers[status.rawValue].increment(by: count)
    }

    func countConnections(_ change: Int) {
        guard change != 0 else { return }
        connections.withLock { count in
            count += change
            openConnections.record(count)
        }
    }

    /// Of each app, the seconds since what is served was ordered, and its number.
    func recordAges(_ table: EdgeTable, at now: Instant) {
        gauges.withLock { gauges in
            for publication in table.publications {
                let app = publication.app
                let pair = gauges[app] ?? makeGauges(app)
                gauges[app] = pair
                let age = now.millisecondsSince1970 - publication.issuedAt.millisecondsSince1970
                pair.age.record(Double(age) / 1000)
                pair.sequence.record(publication.sequence.rawValue)
            }
        }
    }

    /// How long clients will take the certificate; below zero they no longer do.
    func recordCertificate(until end: Instant, at now: Instant) {
        let left = end.millisecondsSince1970 - now.millisecondsSince1970
        // Made here: without a certificate there is no such series, rather than one that is 0.
        Gauge(label: "plimsoll.certificate.remaining.seconds", factory: factory)
            .record(Double(left) / 1000)
    }

    private func makeGauges(_ app: AppSlug) -> Gauges {
        let dimensions = [("app", app.text)]
        return Gauges(
            age: Gauge(
                label: "plimsoll.snapshot.age.seconds",
                dimensions: dimensions,
                factory: factory
            ),
            sequence: Gauge(
                label: "plimsoll.snapshot.sequence",
                dimensions: dimensions,
                factory: factory
            )
        )
    }
}
