import CLibPQ
import Synchronization

/// A statement whose rows are being read; the last who lets go of it early stops it.
final class RowStream: Sendable {
    let box: CancelBox
    private let session: Session
    private let isOpen = Atomic(true)

    init(session: Session, box: CancelBox) {
        self.session = session
        self.box = box
    }

    deinit {
        if isOpen.load(ordering: .acquiring) { session.abandon(box) }
    }

    /// The session has cleared up after it.
    func hasEnded() { isOpen.store(false, ordering: .releasing) }
}

extension Session {
    /// Streams the rows in blocks of a few hundred.
    ///
    /// Without a time-out it may take for ever.
    package nonisolated func blocks(
        _ statement: Statement,
        timeout: Duration? = nil
    ) -> RowBlocks {
        RowBlocks(session: self, statement: statement, timeout: timeout)
    }

    /// Streams the rows one by one.
    ///
    /// Without a time-out it may take for ever.
    package nonisolated func rows(_ statement: Statement, timeout: Duration? = nil) -> Rows {
        Rows(blocks: blocks(statement, timeout: timeout))
    }

    func openStream(
        _ statement: Statement,
        _ timeout: Duration?
    ) async throws(PostgresError) -> CancelBox {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        try await turn.take(until: deadline)
        do throws(PostgresError) {
            try await drainLeftover()
            let box = try begin(statement.text, deadline: deadline)
            let result = await stopping(box) {
                () async throws(PostgresError) in
                try await self.extendServerTimeout(to: timeout)
                try await self.send(statement)
                _ = self.connection.enterSingleRowMode()
            }
            if case .failure = result { try await end(box, statement.text, result) }
            return box
        } catch {
            turn.give()
            throw error
        }
    }

    /// Answers `nil` when there are no more; then, or when it throws, the session is free.
    func nextBlock(
        of statement: Statement,
        _ box: CancelBox
    ) async throws(PostgresError) -> RowBlock? {
        let result = await stopping(box) {
            () async throws(PostgresError) in
            try await self.readBlock(statement)
        }
        if case .success(.some(let block)) = result { return block }
        defer { turn.give() }
        return try await end(box, statement.text, result)
    }

    private func readBlock(_ statement: Statement) async throws(PostgresError) -> RowBlock? {
        var builder: RowBlockBuilder?
        while true {
            // Not for each row: even an `await` that does not wait has its price.
            if connection.isBusy { try await awaitInput(.stream) }
            guard let result = connection.nextResult() else { break }
            switch result.status {
            case PGRES_SINGLE_TUPLE:
                if builder == nil {
                    builder = RowBlockBuilder(columns: columns(result, statement))
                }
                builder?.append(result, row: 0)
                if builder?.isFull == true { return builder?.finish() }
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                break
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                breakOff()
                throw PostgresError(.misuse, "COPY goes through copyIn and copyOut")
            default:
                let error = failure(result)
                while try await next() != nil {}
                throw error
            }
        }
        if connection.isBroken { throw lost(nil) }
        return builder?.finish()
    }

    // MARK: - Streams left early

    /// Stops a stream whose reader is gone, and lets the next one in.
    nonisolated func abandon(_ box: CancelBox) {
        leftover.withLock { $0 = box }
        box.request(.abandoned)
        turn.give()
    }

    /// Reads what is left of an abandoned stream.
    ///
    /// The caller has the turn.
    func drainLeftover() async throws(PostgresError) {
        guard let box = leftover.withLock({ $0.take() }) else { return }
        var result = Result<Void, PostgresError>.success(())
        do throws(PostgresError) {
            while try await next() != nil {}
        } catch {
            result = .failure(error)
        }
        // Its errors concern nobody any more, but a lost connection does.
        try? await end(box, nil, result)
        if descriptor == nil { throw PostgresError(.closed) }
    }
}

/// The rows of a statement in blocks, as they arrive.
///
/// Nobody asks, nobody reads: the server waits. The session is busy until the last block, or
/// until the loop is left, which stops the statement on the server. Rows are provisional until
/// the sequence ends without an error.
package struct RowBlocks: AsyncSequence, Sendable {
    package typealias Element = RowBlock

    let session: Session
    let statement: Statement
    let timeout: Duration?

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(sequence: self)
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case fresh
            case streaming(RowStream)
            case ended
        }

        private let sequence: RowBlocks
        private var state = State.fresh

        init(sequence: RowBlocks) { self.sequence = sequence }

        package mutating func next() async throws(PostgresError) -> RowBlock? {
            try await next(isolation: nil)
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(PostgresError) -> RowBlock? {
            let session = sequence.session
            let stream: RowStream
            switch state {
            case .ended:
                return nil
            case .streaming(let open):
                stream = open
            case .fresh:
                state = .ended
                let box = try await session.openStream(sequence.statement, sequence.timeout)
                stream = RowStream(session: session, box: box)
            }
            state = .ended
            guard let block = try await session.nextBlock(of: sequence.statement, stream.box)
            else {
                stream.hasEnded()
                return nil
            }
            state = .streaming(stream)
            return block
        }
    }
}

/// The rows of a statement one by one, as they arrive.
///
/// See ``RowBlocks``.
package struct Rows: AsyncSequence, Sendable {
    package typealias Element = Row

    let blocks: RowBlocks

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(blocks: blocks.makeAsyncIterator())
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        private var blocks: RowBlocks.AsyncIterator
        private var block: RowBlock?
        private var index = 0

        init(blocks: RowBlocks.AsyncIterator) { self.blocks = blocks }

        package mutating func next() async throws(PostgresError) -> Row? {
            try await next(isolation: nil)
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(PostgresError) -> Row? {
            while true {
                if let block, index < block.count {
                    defer { index += 1 }
                    return block[index]
                }
                block = try await blocks.next(isolation: actor)
                index = 0
                if block == nil { return nil }
            }
        }
    }
}
