package import PlimsollDomain
import PlimsollPostgres

extension EventLog {
    /// Folds the events behind a position, up to another or to the end, in order: the fastest way
    /// to read many.
    ///
    /// The log is read as it is at the beginning, or up to a position. Like every reader it stops
    /// at a hole.
    package func replay<Value: Sendable>(
        after position: Position = .start,
        upTo last: Position? = nil,
        into initial: Value,
        _ fold: @Sendable (inout Value, RecordedEvent) throws -> Void
    ) async throws(LogError) -> Value {
        let statement: Statement = """
            COPY (
                SELECT position, entry FROM log.event
                WHERE position > \(literal: position.rawValue)
                    AND position <= \(literal: last?.rawValue ?? Int64.max)
                ORDER BY position
            ) TO STDOUT (FORMAT binary)
            """
        return try await copying { session in
            try await session.copyOut(
                statement,
                into: (value: initial, reader: LogReader(after: position)),
                timeout: Self.scanTimeout
            ) { state, row in
                let position = try Position(row: row.int64())
                // Read where it lies; the error is carried past the one that a row may throw.
                let event = try row.withBytes { entry in
                    Result { () throws(LogError) in try state.reader.read(entry, at: position) }
                }
                guard let event else {
                    throw PostgresError(.decoding, "an event has an entry")
                }
                try fold(&state.value, try event.get())
            }.value
        }
    }

    /// How long a scan of the whole log may take.
    static let scanTimeout = Duration.seconds(3600)

    /// Runs the body on a session of its own, for what only a session can do.
    func copying<Answer>(
        _ body: (Session) async throws -> Answer
    ) async throws(LogError) -> Answer {
        guard let database = database as? any Transacting else {
            preconditionFailure("a transaction's log cannot begin another one")
        }
        do {
            return try await database.withTransaction(
                isolation: .readCommitted,
                access: .readOnly,
                attempts: 1
            ) { transaction in try await body(transaction.session) }
        } catch let error as LogError {
            throw error
        } catch let error as PostgresError {
            throw .database(error)
        } catch {
            throw .interrupted("\(error)")
        }
    }
}
