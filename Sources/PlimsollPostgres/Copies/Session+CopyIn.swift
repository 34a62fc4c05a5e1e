import CLibPQ

extension Session {
    /// libpq is given pieces of this size: bigger ones can keep it busy for ever.
    private static let pieceSize = 32 * 1024

    /// Streams rows into `COPY … FROM STDIN (FORMAT binary)`; answers how many there were.
    ///
    /// The closure is asked again and again until it says ``CopyStep/end``, and may append any
    /// number of rows each time. When it throws, nothing of the `COPY` stays.
    @discardableResult
    package func copyIn<State: Sendable>(
        _ statement: Statement,
        from initial: State,
        timeout: Duration? = nil,
        _ next: @Sendable (inout State, inout CopyWriter) throws -> CopyStep
    ) async throws -> Int {
        var state = initial
        var refusal: (any Error)?
        do throws(PostgresError) {
            return try await perform(statement.text, timeout: timeout) {
                () async throws(PostgresError) in
                try await self.dispatch { $0.send(statement) }
                try await self.beginCopy(PGRES_COPY_IN)
                do {
                    try await self.sendCopy { writer in try next(&state, &writer) }
                } catch let error as PostgresError {
                    throw error
                } catch {
                    refusal = error
                }
                try await self.endCopy(refusal == nil ? nil : "the source of the rows gave up")
                return try await self.receiveOutcome(of: statement).affected
            }
        } catch {
            throw refusal ?? error
        }
    }

    private func sendCopy(
        _ next: (inout CopyWriter) throws -> CopyStep
    ) async throws {
        var writer = CopyWriter()
        writer.appendHeader()
        var step = CopyStep.more
        while step == .more, operation?.box.cause == nil {
            step = try next(&writer)
            if step == .end { writer.appendTrailer() }
            guard step == .end || writer.byteCount >= Self.pieceSize else { continue }
            try await send(writer.takeBytes())
        }
    }

    private func send(_ bytes: [UInt8]) async throws(PostgresError) {
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.pieceSize, bytes.count)
            switch connection.putCopyData(bytes[start..<end]) {
            case 1: start = end
            case 0: break
            default: throw lost(nil)
            }
            try await flush()
            // The server heeds a cancel only when it has all the data, or the end of it.
            guard operation?.box.cause == nil else { return }
        }
    }

    private func endCopy(_ reason: String?) async throws(PostgresError) {
        let reason = operation?.box.cause == nil ? reason : "the statement was stopped"
        while true {
            switch connection.endCopy(reason) {
            case 1:
                try await flush()
                return
            case 0:
                try await wait(for: .both)
                _ = connection.consumeInput()
            default:
                throw lost(nil)
            }
        }
    }
}

extension Session {
    /// How many reads in a row may succeed before others get a turn on the thread.
    private static let readsMaximum = 64

    /// How many bytes are collected before they are handed on, and how often that may be done
    /// before the first of them are used.
    private static let batchSize = 64 * 1024
    private static let batchesMaximum = 4

    /// Streams `COPY … TO STDOUT (FORMAT binary)`, folding each row into a value.
    ///
    /// ```swift
    /// let sum = try await session.copyOut(statement, into: Int64(0)) { sum, row in
    ///     sum += try row.int64()
    /// }
    /// ```
    ///
    /// The fastest way to read many rows: while some are folded, in their order, the next are
    /// received. When folding takes longer, the server has to wait. When the closure throws, the
    /// statement is stopped on the server. Without a time-out it may take for ever.
    package nonisolated func copyOut<Value: Sendable>(
        _ statement: Statement,
        into initial: Value,
        timeout: Duration? = nil,
        _ fold: @Sendable (inout Value, inout CopiedRow) throws -> Void
    ) async throws -> Value {
        let channel = BoundedChannel<[UInt8]>(piecesMaximum: Self.batchesMaximum)
        async let reception: Void = receive(statement, timeout, into: channel)
        var value = initial
        var parser = CopyParser()
        while let batch = await channel.next() {
            do {
                try unsafe batch.withUnsafeBytes { batch in
                    try unsafe parser.parse(batch) { row in try fold(&value, &row) }
                }
            } catch {
                // Leaving cancels the reception, and with it the statement.
                channel.forsake()
                throw error
            }
        }
        try await reception
        guard parser.isComplete else {
            throw PostgresError(.decoding, "COPY ended early", statement: statement.text)
        }
        return value
    }

    /// The same in two steps that overlap: while the items of some rows are folded, the next rows
    /// are read into items, in their order.
    ///
    /// For a fold that takes as long as the reading. The reader appends the items itself, since its
    /// room knows their type and this one does not. Answers what is left of both.
    package nonisolated func copyOut<Reader: Sendable, Item: Sendable, Value: Sendable>(
        _ statement: Statement,
        reading reader: Reader,
        into initial: Value,
        timeout: Duration? = nil,
        read: @escaping @Sendable (inout Reader, inout [Item], inout CopiedRow) throws -> Void,
        fold: @Sendable (inout Value, [Item]) throws -> Void
    ) async throws -> (reader: Reader, value: Value) {
        let channel = BoundedChannel<[Item]>(piecesMaximum: Self.batchesMaximum)
        let folded = FoldedItems<Item>()
        async let reading = items(of: statement, reader, timeout, into: channel, folded, read)
        var value = initial
        while let items = await channel.next() {
            do {
                try fold(&value, items)
            } catch {
                channel.forsake()
                throw error
            }
            folded.give(consume items)
        }
        return (try await reading, value)
    }

    private nonisolated func items<Reader: Sendable, Item: Sendable>(
        of statement: Statement,
        _ initial: Reader,
        _ timeout: Duration?,
        into items: BoundedChannel<[Item]>,
        _ folded: FoldedItems<Item>,
        _ take: @Sendable (inout Reader, inout [Item], inout CopiedRow) throws -> Void
    ) async throws -> Reader {
        defer { items.end() }
        let channel = BoundedChannel<[UInt8]>(piecesMaximum: Self.batchesMaximum)
        async let reception: Void = receive(statement, timeout, into: channel)
        var reader = initial
        var parser = CopyParser()
        var count = 0
        while let batch = await channel.next() {
            folded.free()
            var read: [Item] = []
            read.reserveCapacity(count)
            do {
                try unsafe batch.withUnsafeBytes { batch in
                    try unsafe parser.parse(batch) { row in try take(&reader, &read, &row) }
                }
                count = max(count, read.count)
                guard await items.send(read) else { throw CancellationError() }
            } catch {
                channel.forsake()
                // What was read before it is folded first, and may be what is wrong.
                _ = await items.send(read)
                throw error
            }
        }
        try await reception
        guard parser.isComplete else {
            throw PostgresError(.decoding, "COPY ended early", statement: statement.text)
        }
        return reader
    }

    private func receive(
        _ statement: Statement,
        _ timeout: Duration?,
        into channel: BoundedChannel<[UInt8]>
    ) async throws {
        defer { channel.end() }
        var batch: [UInt8] = []
        try await unsafe copyOut(statement, timeout) { message in
            if batch.isEmpty { batch.reserveCapacity(Self.batchSize + message.count) }
            unsafe batch.append(contentsOf: message)
            return batch.count < Self.batchSize ? .goOn : .pause
        } pause: {
            guard await channel.send(batch) else { throw CancellationError() }
            batch = []
        }
        _ = await channel.send(batch)
    }

    /// Streams `COPY … TO STDOUT` in whatever form the statement names, in pieces as they come.
    package func copyOutRaw<Value: Sendable>(
        _ statement: Statement,
        into initial: Value,
        timeout: Duration? = nil,
        _ fold: @Sendable (inout Value, Span<UInt8>) throws -> Void
    ) async throws -> Value {
        var value = initial
        try await unsafe copyOut(statement, timeout) { message in
            try fold(&value, unsafe message.assumingMemoryBound(to: UInt8.self).span)
            return .goOn
        } pause: {
        }
        return value
    }

    /// What a reader says after each message.
    private enum Pace {
        case goOn
        /// Something else has to be done before the next message is read.
        case pause
    }

    private func copyOut(
        _ statement: Statement,
        _ timeout: Duration?,
        _ consume: (UnsafeRawBufferPointer) throws -> Pace,
        pause: () async throws -> Void
    ) async throws {
        var refusal: (any Error)?
        do throws(PostgresError) {
            try await perform(statement.text, timeout: timeout) {
                () async throws(PostgresError) in
                try await self.dispatch { $0.send(statement) }
                try await self.beginCopy(PGRES_COPY_OUT)
                while try await unsafe self.receiveCopy({ message in
                    guard refusal == nil else { return .goOn }
                    do {
                        return try unsafe consume(message)
                    } catch {
                        refusal = error
                        self.operation?.box.request(.abandoned)
                        return .goOn
                    }
                }) == .pause {
                    do {
                        try await pause()
                    } catch {
                        refusal = error
                        self.operation?.box.request(.abandoned)
                    }
                }
                _ = try await self.receiveOutcome(of: statement)
            }
        } catch {
            throw refusal ?? error
        }
        if let refusal { throw refusal }
    }

    /// Waits for the server to begin; what else it may answer is an error.
    func beginCopy(_ expected: ExecStatusType) async throws(PostgresError) {
        guard let result = try await next() else { throw lost(nil) }
        guard result.status != expected else { return }
        let isError =
            result.status == PGRES_FATAL_ERROR || result.status == PGRES_BAD_RESPONSE
        let error =
            isError ? failure(result) : PostgresError(.misuse, "the statement is no such COPY")
        if result.status == PGRES_COPY_IN || result.status == PGRES_COPY_OUT {
            breakOff()
        } else {
            while try await next() != nil {}
        }
        throw error
    }

    /// Reads until the reader wants to pause, or until all is read.
    private func receiveCopy(
        _ consume: (UnsafeRawBufferPointer) -> Pace
    ) async throws(PostgresError) -> Pace {
        var reads = 0
        var pace = Pace.goOn
        var isAsked = false
        while true {
            switch unsafe connection.nextCopyData({ pace = unsafe consume($0) }) {
            case .data:
                guard pace == .goOn else { return pace }
                isAsked = false
            case .ended:
                return .goOn
            case .nothingYet where isAsked:
                try await wait(for: .reading)
                isAsked = false
            case .nothingYet:
                // Often the next bytes are there already; to ask costs less than to wait.
                guard connection.consumeInput() else { return .goOn }
                isAsked = true
                reads += 1
                guard reads % Self.readsMaximum == 0 else { continue }
                heedClock()
                await Task.yield()
            }
        }
    }
}
