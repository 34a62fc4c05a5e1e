import NIOCore
import NIOPosix
import PlimsollLog
import PlimsollSystem
import Synchronization

/// The listener for clients without encryption: a thread for each loop, straight on the system.
struct PlainListener {
    let configuration: EdgeConfiguration
    let parts: EdgeParts

    /// Answers until the end is announced and every connection is at its own, or the time for
    /// that is over.
    ///
    /// `announce` is told the port as soon as clients are heard there; `onTick` is called from one
    /// of the threads, once a tick. Throws what the system refuses, in ``SocketFailure``'s words.
    func run(
        announce: (Int) -> Void,
        onTick: @escaping @Sendable () -> Void
    ) async throws {
        let mailboxes = try (0..<configuration.threads).map { _ in try LoopMailbox() }
        let socket = try ListeningSocket(
            host: configuration.host,
            port: configuration.port,
            backlog: EdgeParts.backlog,
            receiveBuffer: EdgeParts.receiveBufferSize
        )
        announce(socket.port)
        let threads = NIOThreadPool(numberOfThreads: mailboxes.count)
        threads.start()
        try await closing {
            try await threads.shutdownGracefully()
        } after: {
            try await serve(socket, mailboxes, threads, onTick)
        }
    }

    private func serve(
        _ socket: ListeningSocket,
        _ mailboxes: [LoopMailbox],
        _ threads: NIOThreadPool,
        _ onTick: @escaping @Sendable () -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (number, mailbox) in mailboxes.enumerated() {
                tasks.addTask(name: "edge loop") { [parts] in
                    try await Self.onThread(of: threads) {
                        defer { Self.turnAway(mailbox.close(), parts) }
                        let acceptor =
                            number == 0 ? PlainAcceptor(socket, to: mailboxes, onTick: onTick) : nil
                        try PlainLoop(parts, mailbox, acceptor: acceptor).run()
                    }
                }
            }
            tasks.addTask(name: "edge drain") { [parts] in
                let patience = await parts.patienceAtEnd()
                let deadline = NIODeadline.now() + TimeAmount(patience)
                for mailbox in mailboxes { mailbox.post(.drain(until: deadline)) }
            }
            // A loop that cannot begin throws here, which cancels the wait and drains the others.
            for try await _ in tasks {}
        }
    }

    /// Unlike the pool's own way, also where the task was cancelled: a loop drains, and who was
    /// given to it is not forgotten.
    private static func onThread(
        of threads: NIOThreadPool,
        _ body: @escaping @Sendable () throws -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { (end: CheckedContinuation<Void, any Error>) in
            threads.submit { _ in end.resume(with: Result { try body() }) }
        }
    }

    /// Clients that were given to a loop and that it will not come to any more.
    private static func turnAway(_ messages: [LoopMailbox.Message], _ parts: EdgeParts) {
        for case .connection(let socket) in messages {
            parts.admission.leave()
            socket.close()
        }
    }
}

/// Where clients come in, kept by one loop, which gives every loop its turn.
final class PlainAcceptor {
    /// So many are let in before others are answered again.
    static let batch = 8

    private let socket: ListeningSocket
    /// In turn; the first is the loop that keeps the acceptor.
    private let loops: [LoopMailbox]
    private var turn = 0
    /// There was no room for whoever stands outside.
    var isShut = false
    let onTick: () -> Void

    init(_ socket: ListeningSocket, to loops: [LoopMailbox], onTick: @escaping () -> Void) {
        precondition(!loops.isEmpty, "somebody has to answer")
        self.socket = socket
        self.loops = loops
        self.onTick = onTick
    }

    var number: CInt { socket.number }

    func accept() -> ListeningSocket.Accepted { socket.accept() }

    /// Who gets the next one; `nil` for the loop that keeps the acceptor.
    func nextLoop() -> LoopMailbox? {
        turn = (turn + 1) % loops.count
        return turn == 0 ? nil : loops[turn]
    }

    func close() {
        socket.close()
    }
}

/// What other threads tell a loop.
final class LoopMailbox: Sendable {
    enum Message: Sendable {
        case connection(Socket)
        /// What came of deferred work for the connection of a key.
        case delivery(Delivery, key: UInt64)
        /// What the connection of a key sends next has come into memory.
        case broughtIn(key: UInt64)
        /// To let every connection finish what it is doing, and to end when none is left or the
        /// time has come.
        case drain(until: NIODeadline)
    }

    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    let waker: Waker
    private let state = Mutex(State())

    init() throws(SocketFailure) {
        waker = try Waker()
    }

    /// Whether the loop will read it.
    @discardableResult
    func post(_ message: Message) -> Bool {
        let isFirst = state.withLock { state -> Bool? in
            guard !state.isClosed else { return nil }
            state.messages.append(message)
            return state.messages.count == 1
        }
        if isFirst == true { waker.wake() }
        return isFirst != nil
    }

    func take() -> [Message] {
        waker.calm()
        return state.withLock { state in
            let messages = state.messages
            state.messages = []
            return messages
        }
    }

    /// The loop ends: what it did not read, and will never be told.
    func close() -> [Message] {
        state.withLock { state in
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
    }
}

/// One thread that answers its connections without encryption; nobody else touches them.
final class PlainLoop {
    private final class Member {
        let key: UInt64
        var connection: PlainConnection

        init(_ socket: Socket, key: UInt64) {
            self.key = key
            connection = PlainConnection(socket, key: key)
        }
    }

    private struct Slot {
        var member: Member?
        var deadline = NIODeadline.distantFuture
    }

    var responder: Responder
    /// What was read last, of whichever connection: between two of them it holds nothing.
    var buffer = [UInt8](repeating: 0, count: PlainLoop.readSize)

    private let timeouts: Timeouts
    private let parts: EdgeParts
    private let mailbox: LoopMailbox
    private let poll: Poll
    private var acceptor: PlainAcceptor?
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
    private static let acceptorKey: UInt64 = 1

    /// The one loop that lets clients in has an acceptor.
    init(_ parts: EdgeParts, _ mailbox: LoopMailbox, acceptor: PlainAcceptor?) throws(SocketFailure)
    {
        self.parts = parts
        self.mailbox = mailbox
        self.acceptor = acceptor
        timeouts = Timeouts(parts.limits)
        responder = Responder(parts)
        poll = try Poll()
        try poll.watchReading(mailbox.waker.number, key: Self.mailboxKey)
        if let acceptor { try poll.watchReading(acceptor.number, key: Self.acceptorKey) }
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
        case Self.acceptorKey: letIn()
        default: member(of: event.key)?.connection.proceed(event, self)
        }
    }

    private func follow(_ message: LoopMailbox.Message) {
        switch message {
        case .connection(let socket): add(socket)
        case .delivery(let delivery, let key):
            member(of: key)?.connection.deliver(delivery, self)
        case .broughtIn(let key): member(of: key)?.connection.bringIn(self)
        case .drain(let deadline): drain(until: deadline)
        }
    }

    // MARK: Accepting

    private func letIn() {
        guard let acceptor else { return }
        for _ in 0..<PlainAcceptor.batch {
            switch acceptor.accept() {
            case .connection(let socket): welcome(socket, acceptor)
            case .nobody: return
            case .noRoom:
                // Whoever waits would wake the loop again at once; the next tick looks again.
                return shut(acceptor)
            }
        }
    }

    private func shut(_ acceptor: PlainAcceptor) {
        acceptor.isShut = (try? poll.forget(acceptor.number)) != nil
    }

    /// What the system refuses now it may grant at the next tick.
    private func open(_ acceptor: PlainAcceptor) {
        acceptor.isShut = (try? poll.watchReading(acceptor.number, key: Self.acceptorKey)) == nil
    }

    private func welcome(_ socket: Socket, _ acceptor: PlainAcceptor) {
        guard parts.admission.enter() else { return refuse(socket) }
        guard let other = acceptor.nextLoop() else { return add(socket) }
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
        let member = Member(socket, key: UInt64(lastKey) << 32 | UInt64(number))
        slots[number] = Slot(member: member, deadline: now + timeouts[.idle])
        connectionCount += 1
        do {
            try poll.watch(socket.number, key: member.key)
        } catch {
            member.connection.close(self)
        }
    }

    /// `nil` where it is closed by now.
    private func member(of key: UInt64) -> Member? {
        let number = Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: key))
        guard number < slots.count, let member = slots[number].member, member.key == key
        else { return nil }
        return member
    }

    func remove(_ socket: Socket) {
        slots[Int(socket.number)] = Slot()
        connectionCount -= 1
        parts.admission.leave()
    }

    func renew(_ deadline: EdgeConnection.Deadline, of socket: Socket) {
        slots[Int(socket.number)].deadline = now + timeouts[deadline]
    }

    /// Lets the connection proceed again after all others that are ready.
    func revisit(_ socket: Socket, key: UInt64) throws(SocketFailure) {
        try poll.rewatch(socket.number, key: key)
    }

    /// The answer, where it is there at once; `nil` where it is delivered to the connection later.
    func run(_ work: DeferredWork, for key: UInt64) -> Delivery? {
        let mailbox = mailbox
        return parts.run(work) { mailbox.post(.delivery($0, key: key)) }
    }

    /// Has a part of a file brought into memory, and the connection told.
    func bringIn(_ part: FilePart, upTo count: Int, for key: UInt64) {
        let mailbox = mailbox
        // A part that cannot be read shows itself when it is sent.
        part.read(upTo: count) { _ in mailbox.post(.broughtIn(key: key)) }
    }

    // MARK: Time

    private func tick() {
        now = .now()
        responder.setDate()
        for slot in slots where slot.deadline <= now { slot.member?.connection.expire(self) }
        if now >= drainDeadline { closeAll() }
        if let acceptor {
            if acceptor.isShut { open(acceptor) }
            acceptor.onTick()
        }
        responder.report(connections: connectionCount)
    }

    // MARK: Ending

    private func drain(until deadline: NIODeadline) {
        acceptor?.close()
        acceptor = nil
        isDraining = true
        drainDeadline = deadline
        for slot in slots { slot.member?.connection.drain(self) }
        if .now() >= deadline { closeAll() }
    }

    private func closeAll() {
        for slot in slots { slot.member?.connection.close(self) }
    }
}

extension TimeAmount {
    /// A wait of nothing for less than one would be asked for again and again.
    fileprivate var millisecondsRoundedUp: Int {
        Int(max(0, (nanoseconds + 999_999) / 1_000_000))
    }
}
