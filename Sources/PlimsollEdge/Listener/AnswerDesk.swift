import PlimsollDomain

/// What the thread of some connections answers with, and counts; no other thread touches it.
struct AnswerDesk {
    private let source: TableSource
    private let metrics: EdgeMetrics
    private var answers: LoopAnswers
    private var generation = -1
    private var counts = [Int](repeating: 0, count: AnswerStatus.allCases.count)
    private var reportedConnections = 0

    private static let notFound = LoopAnswers.number(of: .notFound)

    init(_ source: TableSource, _ metrics: EdgeMetrics) {
        self.source = source
        self.metrics = metrics
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
        limits: EdgeLimits,
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
