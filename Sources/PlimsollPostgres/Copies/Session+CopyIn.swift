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
        format: CopyFormat = .binary,
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
                    try await self.sendCopy(format) { writer in try next(&state, &writer) }
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
        _ format: CopyFormat,
        _ next: (inout CopyWriter) throws -> CopyStep
    ) async throws {
        var writer = CopyWriter()
        if format == .binary { writer.appendHeader() }
        var step = CopyStep.more
        while step == .more, operation?.box.cause == nil {
            step = try next(&writer)
            if step == .end, format == .binary { writer.appendTrailer() }
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
