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
