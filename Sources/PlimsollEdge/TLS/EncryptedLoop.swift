import NIOCore

/// What the encrypted connections of one event loop share; only that loop's thread touches it.
final class EncryptedLoop {
    let eventLoop: any EventLoop
    let limits: EdgeLimits
    let patience: Patience
    let tiles: TileDesk
    var desk: AnswerDesk
    private let admission: Admission

    private var connections: [any LoopMember] = []
    private var drained: EventLoopPromise<Void>?
    private var drainDeadline = NIODeadline.distantFuture

    /// The time of the last tick: exact enough for deadlines of seconds, and free.
    private(set) var now = NIODeadline.now()

    init(_ eventLoop: any EventLoop, _ parts: EdgeParts) {
        self.eventLoop = eventLoop
        limits = parts.limits
        patience = Patience(parts.limits)
        tiles = parts.tiles
        admission = parts.admission
        desk = AnswerDesk(parts.source, parts.metrics)
    }

    var isDraining: Bool { drained != nil }

    func deadline(in duration: TimeAmount) -> NIODeadline { now + duration }

    // MARK: Connections

    /// Says whether there was room.
    func add(_ connection: any LoopMember) -> Bool {
        guard !isDraining, admission.enter() else { return false }
        connection.place = connections.count
        connections.append(connection)
        return true
    }

    /// Gives the place of one to another that goes on with the same client.
    func replace(_ connection: any LoopMember, by successor: any LoopMember) {
        guard let place = connection.place else { return }
        connection.place = nil
        connections[place] = successor
        successor.place = place
    }

    func remove(_ connection: any LoopMember) {
        guard let place = connection.place else { return }
        connection.place = nil
        admission.leave()
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
        desk.setDate()
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
        desk.report(connections: connections.count)
    }
}
