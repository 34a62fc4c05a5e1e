import PlimsollLog
import Testing

@testable import PlimsollEdge

/// What a carrier was told to do.
enum Step: Equatable {
    case sent(Int, isLast: Bool = false)
    case fetched, flushed, endedOutput, closed
    case renewed(EdgeConnection.Deadline)

    var isLast: Bool {
        if case .sent(_, isLast: true) = self { true } else { false }
    }
}

/// Carries nothing, but does what the connection says and writes it down.
final class Carrier {
    enum Tile {
        case found, missing, refused
    }

    private var connection = EdgeConnection()
    var canRead: Bool { connection.canRead }
    /// Whether the client takes what it is sent.
    var isTaking = true
    /// With so many that were not taken yet, there is no room for more before a flush.
    var answersMaximum = Int.max
    /// Whether what waits goes out before more is sent, as where both together are too much.
    var flushesEarly = false
    var refusesTiles = false
    private(set) var isFetching = false
    private(set) var sent: [Step] = []
    private var steps: [Step] = []
    private var waiting = 0
    private var responder: Responder

    let parts: EdgeParts

    private static let tiles = PublishedTiles(size: 300) { address in
        [UInt8](repeating: 1, count: address.width * MerkleHash.byteCount)
    }

    init() throws {
        let table = EdgeTable(
            placing: try EdgeFixture.table().resources.map {
                EdgePlace($0, at: [EdgeFixture.path])
            },
            publications: [],
            tiles: Self.tiles,
            marketplaces: [DeviceFixture.marketplace()]
        )
        var parts = EdgeParts(
            source: TableSource(table),
            limits: EdgeLimits(),
            admission: Admission(maximum: 1),
            streams: Admission(maximum: 1),
            snapshots: PublishedSnapshots.workers(
                descriptors: Admission(maximum: 8),
                connectionsMaximum: 1024
            )
        )
        parts.devices = BothListeners.devices
        self.parts = parts
        responder = Responder(parts)
    }

    /// A connection of the same listener.
    init(sharing parts: EdgeParts) throws {
        self.parts = parts
        responder = Responder(parts)
    }

    @discardableResult
    func receive(_ text: String) -> [Step] {
        receive(Array(text.utf8))
    }

    @discardableResult
    func receive(_ bytes: [UInt8]) -> [Step] {
        connection.receive(bytes.span)
        return advance(bytes)
    }

    func resume() -> [Step] {
        connection.isBlocked = !isTaking
        connection.resume()
        return advance()
    }

    func endInput() -> [Step] {
        connection.endInput()
        return advance()
    }

    @discardableResult
    func drain() -> [Step] {
        connection.drain()
        return advance()
    }

    /// Nil where nobody waits for it.
    @discardableResult
    func deliver(_ tile: Tile) -> [Step]? {
        isFetching = false
        let address = TileAddress(path: "tile/0/000")
        let resource = tile == .found ? address.flatMap(Self.tiles.resource) : nil
        guard let reply = connection.deliver(.tile(resource), &responder) else { return nil }
        send(reply)
        return advance()
    }

    /// Nil where the connection is to be closed.
    func expire() -> [Step]? {
        guard let reply = connection.expire(&responder) else { return nil }
        send(reply)
        return advance()
    }

    func close() {
        connection.close()
    }

    private func advance(_ bytes: [UInt8] = []) -> [Step] {
        while let action = connection.next(bytes.span, &responder) {
            switch action {
            case .send(let reply): send(reply)
            case .fetch(.tile): fetch()
            case .fetch(let work): run(work)
            case .flush: flush()
            case .renewDeadline(let deadline): steps.append(.renewed(deadline))
            case .endOutput: steps.append(.endedOutput)
            case .close: steps.append(.closed)
            }
        }
        defer { steps = [] }
        return steps
    }

    private func send(_ reply: Reply) {
        if flushesEarly { connection.isBlocked = !isTaking }
        sent.append(.sent(reply.answer.status.code, isLast: reply.isLast))
        steps += sent.suffix(1)
        waiting += 1
        if waiting >= answersMaximum { connection.isBlocked = true }
    }

    private func fetch() {
        steps.append(.fetched)
        isFetching = !refusesTiles
        guard refusesTiles else { return }
        if let reply = connection.deliver(.busy(.tilesBusy), &responder) { send(reply) }
    }

    /// What comes later comes when the test delivers it.
    private func run(_ work: DeferredWork) {
        let delivery = parts.run(work) { _ in }
        guard let delivery else { return steps.append(.fetched) }
        if let reply = connection.deliver(delivery, &responder) { send(reply) }
    }

    func deliver(_ reply: DeviceReply) -> [Step]? {
        guard let reply = connection.deliver(.device(reply), &responder) else { return nil }
        send(reply)
        return advance()
    }

    func deliver(_ file: OpenFile) -> [Step]? {
        guard let reply = connection.deliver(.file(file), &responder) else { return nil }
        send(reply)
        return advance()
    }

    private func flush() {
        steps.append(.flushed)
        connection.isBlocked = !isTaking
        if isTaking { waiting = 0 }
    }
}
