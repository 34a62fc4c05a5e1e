import NIOCore
import PlimsollLog
import PlimsollSystem

/// One thread that answers its connections without encryption; nobody else touches them.
final class PlainLoop {
    private struct Slot {
        var connection: PlainConnection?
        var deadline = NIODeadline.distantFuture
    }

    var responder: Responder
    /// What was read last, of whichever connection: between two of them it holds nothing.
    var buffer = [UInt8](repeating: 0, count: PlainLoop.readSize)

    private let timeouts: Timeouts
    private let parts: EdgeParts
    private let mailbox: LoopMailbox
    private let poll: Poll
    private var door: PlainDoor?
    /// By the system's number of the socket.
    private var slots: [Slot] = []
    private var connectionCount = 0
    private var isDraining = false
    /// Tells a connection from others that had its number before.
    private var lastKey: UInt32 = 0
    private var drainDeadline = NIODeadline.distantFuture
    /// The time of the last tick: exact enough for deadlines of seconds, and free.
    private var now = NIODeadline.now()

    /// Holds several of a phone's requests.
    private static let readSize = 4096
    // Keys of connections are greater than 32 bits.
    private static let mailboxKey: UInt64 = 0
    private static let doorKey: UInt64 = 1

    /// The one loop that lets clients in has a door.
    init(_ parts: EdgeParts, _ mailbox: LoopMailbox, door: PlainDoor?) throws(SocketFailure) {
        self.parts = parts
        self.mailbox = mailbox
        self.door = door
        timeouts = Timeouts(parts.limits)
        responder = Responder(parts)
        poll = try Poll()
        try poll.watchReading(mailbox.waker.number, key: Self.mailboxKey)
        if let door { try poll.watchReading(door.number, key: Self.doorKey) }
    }

    /// Answers until it was told to drain and nobody is left.
    func run() {
        var nextTick = now + timeouts.tick
        while !isDraining || connectionCount > 0 {
            let count = poll.wait(milliseconds: (nextTick - .now()).millisecondsRoundedUp)
            for place in 0..<count { proceed(poll.event(at: place)) }
            guard NIODeadline.now() >= nextTick else { continue }
            tick()
            nextTick = now + timeouts.tick
        }
        responder.report(connections: 0)
    }

    private func proceed(_ event: Poll.Event) {
        switch event.key {
        case Self.mailboxKey: for message in mailbox.take() { follow(message) }
        case Self.doorKey: letIn()
        default: connection(of: event.key)?.proceed(event, self)
        }
    }

    private func follow(_ message: LoopMailbox.Message) {
        switch message {
        case .connection(let socket): add(socket)
        case .tile(let resource, let key): connection(of: key)?.deliver(resource, self)
        case .drain(let deadline): drain(until: deadline)
        }
    }

    // MARK: Door

    private func letIn() {
        guard let door else { return }
        for _ in 0..<PlainDoor.batch {
            switch door.accept() {
            case .connection(let socket): welcome(socket, door)
            case .nobody: return
            case .noRoom:
                // Whoever waits would wake the loop again at once; the next tick looks again.
                return shut(door)
            }
        }
    }

    private func shut(_ door: PlainDoor) {
        door.isShut = (try? poll.forget(door.number)) != nil
    }

    /// What the system refuses now it may grant at the next tick.
    private func open(_ door: PlainDoor) {
        door.isShut = (try? poll.watchReading(door.number, key: Self.doorKey)) == nil
    }

    private func welcome(_ socket: Socket, _ door: PlainDoor) {
        guard parts.admission.enter() else { return refuse(socket) }
        guard let other = door.nextLoop() else { return add(socket) }
        if !other.post(.connection(socket)) { turnAway(socket) }
    }

    /// One that was admitted, and comes too late.
    private func turnAway(_ socket: Socket) {
        parts.admission.leave()
        refuse(socket)
    }

    private func refuse(_ socket: Socket) {
        responder.refusal(.tooManyConnections).forEachPiece { piece in
            _ = socket.send(piece.readableBytesUInt8Span)
        }
        socket.close()
    }

    // MARK: Connections

    private func add(_ socket: Socket) {
        guard !isDraining else { return turnAway(socket) }
        let number = Int(socket.number)
        while slots.count <= number { slots.append(Slot()) }
        lastKey = lastKey == .max ? 1 : lastKey + 1
        let connection = PlainConnection(socket, key: UInt64(lastKey) << 32 | UInt64(number))
        slots[number] = Slot(connection: connection, deadline: now + timeouts[.idle])
        connectionCount += 1
        do {
            try poll.watch(socket.number, key: connection.key)
        } catch {
            connection.close(self)
        }
    }

    /// `nil` where it is closed by now.
    private func connection(of key: UInt64) -> PlainConnection? {
        let number = Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: key))
        guard number < slots.count, let connection = slots[number].connection,
            connection.key == key
        else { return nil }
        return connection
    }

    func remove(_ connection: PlainConnection) {
        slots[Int(connection.socket.number)] = Slot()
        connectionCount -= 1
        parts.admission.leave()
    }

    func renew(_ deadline: EdgeConnection.Deadline, of connection: PlainConnection) {
        slots[Int(connection.socket.number)].deadline = now + timeouts[deadline]
    }

    /// Lets the connection proceed again after all others that are ready.
    func revisit(_ connection: PlainConnection) throws(SocketFailure) {
        try poll.rewatch(connection.socket.number, key: connection.key)
    }

    /// Whether the tile will be delivered to the connection.
    func fetch(
        _ address: TileAddress,
        from tiles: PublishedTiles,
        for connection: PlainConnection
    ) -> Bool {
        let (mailbox, key) = (mailbox, connection.key)
        return parts.tiles.fetch(address, from: tiles) { mailbox.post(.tile($0, key: key)) }
    }

    // MARK: Time

    private func tick() {
        now = .now()
        responder.setDate()
        for slot in slots where slot.deadline <= now { slot.connection?.expire(self) }
        if now >= drainDeadline { closeAll() }
        if let door {
            if door.isShut { open(door) }
            door.onTick()
        }
        responder.report(connections: connectionCount)
    }

    // MARK: Ending

    private func drain(until deadline: NIODeadline) {
        door?.close()
        door = nil
        isDraining = true
        drainDeadline = deadline
        for slot in slots { slot.connection?.drain(self) }
        if .now() >= deadline { closeAll() }
    }

    private func closeAll() {
        for slot in slots { slot.connection?.close(self) }
    }
}

extension TimeAmount {
    /// A wait of nothing for less than one would be asked for again and again.
    fileprivate var millisecondsRoundedUp: Int {
        Int(max(0, (nanoseconds + 999_999) / 1_000_000))
    }
}
