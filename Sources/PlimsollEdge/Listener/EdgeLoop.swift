import NIOCore
import PlimsollDomain

/// What the connections of one event loop share; only that loop's thread touches it.
final class EdgeLoop {
    let eventLoop: any EventLoop
    let limits: EdgeLimits
    let tiles: TileDesk
    private let source: TableSource
    private let metrics: EdgeMetrics
    private let connectionsMaximum: Int

    private(set) var answers: LoopAnswers
    private var generation = -1
    private var connections: [any LoopMember] = []
    private var counts = [Int](repeating: 0, count: AnswerStatus.allCases.count)
    private var reportedConnections = 0
    private var drained: EventLoopPromise<Void>?
    private var drainDeadline = NIODeadline.distantFuture

    /// The time of the last tick: exact enough for deadlines of seconds, and free.
    private(set) var now = NIODeadline.now()

    init(
        _ eventLoop: any EventLoop,
        source: TableSource,
        metrics: EdgeMetrics,
        limits: EdgeLimits,
        tiles: TileDesk,
        connectionsMaximum: Int
    ) {
        self.eventLoop = eventLoop
        self.source = source
        self.metrics = metrics
        self.limits = limits
        self.tiles = tiles
        self.connectionsMaximum = connectionsMaximum
        answers = LoopAnswers(source.table)
        tick()
    }

    var isDraining: Bool { drained != nil }

    // MARK: Requests

    /// Goes over to the newest table; called before a batch of requests, never within one.
    @inline(__always)
    func catchUp() {
        if let table = source.tableNewer(than: &generation) { answers.replace(table) }
    }

    func answer(_ number: Int) -> PreparedAnswer {
        let answer = answers.answer(number)
        counts[answer.status.rawValue] += 1
        return answer
    }

    func answer(_ status: AnswerStatus) -> PreparedAnswer {
        answer(LoopAnswers.number(of: status))
    }

    /// The answer of a resource that no table has: the head alone to who has it already.
    func dated(_ resource: PreparedResource, isKnown: Bool) -> PreparedAnswer {
        let number = PreparedResource.answerNumber(gzip: false, notModified: isKnown)
        let answer = answers.dated(resource.answers[number])
        counts[answer.status.rawValue] += 1
        return answer
    }

    /// Never earlier than the duration says, although ``now`` may be a tick old.
    func deadline(in duration: Duration) -> NIODeadline {
        now + TimeAmount(duration) + TimeAmount(limits.tickInterval)
    }

    // MARK: Connections

    /// Says whether there was room.
    func add(_ connection: any LoopMember) -> Bool {
        guard connections.count < connectionsMaximum, !isDraining else { return false }
        connection.place = connections.count
        connections.append(connection)
        return true
    }

    func remove(_ connection: any LoopMember) {
        guard let place = connection.place else { return }
        connection.place = nil
        let last = connections.removeLast()
        if last !== connection {
            connections[place] = last
            last.place = place
        }
        if connections.isEmpty { settleDrain() }
    }

    // MARK: Time

    func tick() {
        now = .now()
        let instant = Instant.current
        answers.setDate(HTTPDate.text(instant), second: instant.millisecondsSince1970 / 1000)
        // A copy: an expiring connection may take itself off the list.
        for connection in connections where connection.deadline <= now { connection.expire() }
        if now >= drainDeadline {
            for connection in connections { connection.abort() }
        }
        report()
    }

    /// Lets every connection finish what it is doing; done when none is left.
    func drain(within duration: Duration) -> EventLoopFuture<Void> {
        let promise = drained ?? eventLoop.makePromise()
        drained = promise
        drainDeadline = .now() + TimeAmount(duration)
        for connection in connections { connection.drain() }
        if connections.isEmpty { settleDrain() }
        return promise.futureResult
    }

    private func settleDrain() {
        drained?.succeed()
    }

    func report() {
        for status in AnswerStatus.allCases where counts[status.rawValue] > 0 {
            metrics.countAnswers(status, counts[status.rawValue])
            counts[status.rawValue] = 0
        }
        metrics.countConnections(connections.count - reportedConnections)
        reportedConnections = connections.count
    }
}
