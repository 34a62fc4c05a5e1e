import CLibPQ

extension Session {
    /// How many reads in a row may succeed before others get a turn on the thread.
    private static let readsMaximum = 64

    /// Streams `COPY … TO STDOUT (FORMAT binary)`, folding each row into a value.
    ///
    /// ```swift
    /// let sum = try await session.copyOut(statement, into: Int64(0)) { sum, row in
    ///     sum += try row.int64()
    /// }
    /// ```
    ///
    /// The fastest way to read many rows. When the closure throws, the statement is stopped on
    /// the server. Without a time-out it may take for ever.
    package func copyOut<Value: Sendable>(
        _ statement: Statement,
        into initial: Value,
        timeout: Duration? = nil,
        _ fold: @Sendable (inout Value, inout CopiedRow) throws -> Void
    ) async throws -> Value {
        var value = initial
        var parser = CopyParser()
        try await unsafe copyOut(statement, timeout) { message in
            try unsafe parser.parse(message) { row in try fold(&value, &row) }
        }
        guard parser.isComplete else {
            throw PostgresError(.decoding, "COPY ended early", statement: statement.text)
        }
        return value
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
        }
        return value
    }

    private func copyOut(
        _ statement: Statement,
        _ timeout: Duration?,
        _ consume: (UnsafeRawBufferPointer) throws -> Void
    ) async throws {
        var refusal: (any Error)?
        do throws(PostgresError) {
            try await perform(statement.text, timeout: timeout) {
                () async throws(PostgresError) in
                try await self.dispatch { $0.send(statement) }
                try await self.beginCopy(PGRES_COPY_OUT)
                try await unsafe self.receiveCopy { message in
                    guard refusal == nil else { return }
                    do {
                        try unsafe consume(message)
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

    private func receiveCopy(
        _ consume: (UnsafeRawBufferPointer) -> Void
    ) async throws(PostgresError) {
        var reads = 0
        while true {
            switch unsafe connection.nextCopyData(consume) {
            case .data:
                continue
            case .ended:
                return
            case .nothingYet:
                reads += 1
            }
            // Often the next bytes are there already; to ask costs less than to wait.
            guard connection.consumeInput() else { return }
            if case .data = unsafe connection.nextCopyData(consume) {
                guard reads % Self.readsMaximum == 0 else { continue }
                heedClock()
                await Task.yield()
                continue
            }
            try await wait(for: .reading)
            guard connection.consumeInput() else { return }
        }
    }
}
