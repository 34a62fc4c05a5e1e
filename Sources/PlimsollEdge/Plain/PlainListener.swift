import NIOCore
import NIOPosix
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
                        let door =
                            number == 0 ? PlainDoor(socket, to: mailboxes, onTick: onTick) : nil
                        try PlainLoop(parts, mailbox, door: door).run()
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
final class PlainDoor {
    /// So many are let in before others are answered again.
    static let batch = 8

    private let socket: ListeningSocket
    /// In turn; the first is the loop that keeps the door.
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

    /// Who gets the next one; `nil` for the loop that keeps the door.
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
        /// What came of fetching a tile for the connection of a key.
        case tile(PreparedResource?, key: UInt64)
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
