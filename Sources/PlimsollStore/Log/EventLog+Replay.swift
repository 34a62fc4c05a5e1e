package import PlimsollDomain
import PlimsollPostgres

extension EventLog {
    /// Folds all events behind a position, in order: the fastest way to read many.
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
                try fold(&state.value, try state.reader.read(row.bytes(), at: position))
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
