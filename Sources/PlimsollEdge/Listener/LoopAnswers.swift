import NIOCore
import PlimsollLog

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
