import NIOCore
import PlimsollLog
import Synchronization

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
        guard head.method == .get || head.method == .head else {
            return Self.number(of: .methodNotAllowed)
        }
        guard !head.isBodyTooLarge else { return Self.number(of: .bodyTooLarge) }
        guard let resource = table.number(of: head.target, at: head.host, in: bytes) else {
            return Self.number(of: .notFound)
        }
        return number(of: resource, for: head, in: bytes)
    }

    /// The same of what is found on the domains of a marketplace alone.
    func wellKnown(_ head: RequestHead, in bytes: Span<UInt8>) -> Int? {
        table.marketplaces.document(at: head.target, head.host, in: bytes)
            .map { number(of: $0, for: head, in: bytes) }
    }

    @inline(__always)
    private func number(
        of resource: Int,
        for head: RequestHead,
        in bytes: Span<UInt8>
    ) -> Int {
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

    /// The file of an older snapshot that a request is for, and who has it; nobody where none are kept.
    func snapshot(
        for head: RequestHead,
        in bytes: Span<UInt8>
    ) -> (name: SnapshotFileName, snapshots: PublishedSnapshots?)? {
        SnapshotFileName(at: head.target, in: bytes).map { ($0, table.snapshots) }
    }

    /// Whether a request that leads nowhere may be for an app that is not loaded.
    func isUnloaded(_ head: RequestHead, in bytes: Span<UInt8>) -> Bool {
        table.isUnloaded(head.target, at: head.host, in: bytes)
    }

    /// Whether a device may ask for a marketplace that is not loaded.
    func isOfUnloadedMarketplace(_ head: RequestHead, in bytes: Span<UInt8>) -> Bool {
        table.isOfUnloadedMarketplace(head.target, at: head.host, in: bytes)
    }

    /// What devices ask at the address of a request.
    func route(for head: RequestHead, in bytes: Span<UInt8>) -> DeviceRoute? {
        table.marketplaces.route(at: head.target, head.host, in: bytes)
    }

    /// An answer that is made for one request, with the date of this second.
    func dated(_ answer: consuming PreparedAnswer) -> PreparedAnswer {
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
