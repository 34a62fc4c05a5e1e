import NIOCore
import NIOPosix
import PlimsollSystem

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
