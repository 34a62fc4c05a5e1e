import CLibPQ
import Synchronization

/// An open transaction, for as long as the body it was given to runs.
package final class Transaction: Querying {
    /// For what only a session can do, such as `COPY`.
    package let session: Session
    private let isOver = Atomic(false)

    init(_ session: Session) {
        self.session = session
    }

    func end() { isOver.store(true, ordering: .releasing) }

    package func outcome(
        of statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> StatementOutcome {
        guard !isOver.load(ordering: .acquiring) else {
            throw PostgresError(.misuse, "the transaction is over", statement: statement.text)
        }
        return try await session.outcome(of: statement, timeout: timeout)
    }
}

/// How far transactions are kept apart.
package enum Isolation: Sendable {
    case readCommitted, repeatableRead, serializable
}

/// What a transaction may do.
package enum TransactionAccess: Sendable {
    case readWrite, readOnly
}

extension Statement {
    static func begin(_ isolation: Isolation, _ access: TransactionAccess) -> Statement {
        switch (isolation, access) {
        case (.readCommitted, .readWrite): "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
        case (.readCommitted, .readOnly): "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY"
        case (.repeatableRead, .readWrite): "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE"
        case (.repeatableRead, .readOnly): "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        case (.serializable, .readWrite): "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
        case (.serializable, .readOnly): "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY"
        }
    }
}

extension Session {
    /// Runs the body in a transaction: committed when it returns, rolled back when it throws.
    ///
    /// What PostgreSQL says may succeed when done again (40001, 40P01) is done again, the whole
    /// body, up to `attempts` times; so the body must have no effects but in the transaction.
    /// The body's error passes through unchanged. ``PostgresError/Kind/commitUnknown`` means
    /// just that: only a look at the data tells.
    package nonisolated func withTransaction<Value>(
        isolation: Isolation = .readCommitted,
        access: TransactionAccess = .readWrite,
        attempts: Int = TransactionRetry.attemptsDefault,
        _ body: (Transaction) async throws -> Value
    ) async throws -> Value {
        var retry = TransactionRetry(attempts: attempts)
        while true {
            try await begin(isolation, access)
            let transaction = Transaction(self)
            do {
                let value = try await body(transaction)
                transaction.end()
                try await commit()
                return value
            } catch {
                transaction.end()
                let failure = await abandon(because: error)
                guard let pause = retry.pause(after: failure) else { throw error }
                await nap(until: .now + pause)
                guard !Task.isCancelled else { throw error }
            }
        }
    }

    private func begin(
        _ isolation: Isolation,
        _ access: TransactionAccess
    ) async throws(PostgresError) {
        guard connection.transaction == PQTRANS_IDLE || descriptor == nil else {
            throw PostgresError(.misuse, "the session is in a transaction already")
        }
        transactionFailure = nil
        try await execute(.begin(isolation, access), timeout: nil)
    }

    /// Rolls back what is still open; answers the failure that counts for doing it again.
    private func abandon(because error: any Error) async -> PostgresError? {
        // A body may have translated the error that PostgreSQL gave it.
        let failure = error as? PostgresError ?? transactionFailure
        guard descriptor != nil, connection.transaction != PQTRANS_IDLE else { return failure }
        do throws(PostgresError) {
            try await rollBack()
        } catch {
            // The server rolls back when the connection ends.
            breakOff()
        }
        return failure
    }

    private func commit() async throws(PostgresError) {
        // COMMIT would answer "ROLLBACK" and no error.
        guard connection.transaction != PQTRANS_INERROR else {
            throw transactionFailure ?? PostgresError(.aborted)
        }
        do throws(PostgresError) {
            try await execute("COMMIT", timeout: nil)
        } catch {
            guard descriptor == nil, error.kind != .closed else { throw error }
            throw PostgresError(.commitUnknown, server: error.server, statement: "COMMIT")
        }
    }

    func rollBack() async throws(PostgresError) {
        transactionFailure = nil
        let statement: Statement = "ROLLBACK"
        try await perform(statement.text, timeout: Self.rollbackTimeout, .ignored) {
            () async throws(PostgresError) in
            try await self.dispatch { $0.send(statement) }
            _ = try await self.receiveOutcome(of: statement)
        }
    }
}

extension SessionPool {
    /// Runs the body in a transaction on one session of the pool.
    ///
    /// See ``Session/withTransaction(isolation:access:attempts:_:)``.
    package func withTransaction<Value>(
        isolation: Isolation = .readCommitted,
        access: TransactionAccess = .readWrite,
        attempts: Int = TransactionRetry.attemptsDefault,
        _ body: (Transaction) async throws -> Value
    ) async throws -> Value {
        try await withSession { session in
            try await session.withTransaction(
                isolation: isolation,
                access: access,
                attempts: attempts,
                body
            )
        }
    }
}

/// Decides whether and when a transaction is done again.
package struct TransactionRetry: Sendable {
    package static let attemptsDefault = 5
    static let pauseMinimum: Duration = .milliseconds(20)
    static let pauseMaximum: Duration = .seconds(1)

    private let attempts: Int
    private var failures = 0

    init(attempts: Int) {
        self.attempts = attempts
    }

    /// Answers how long to wait, or `nil` when that was the end.
    ///
    /// The pause is anything from nothing to a limit that doubles: whoever collided once must
    /// not meet again in step.
    mutating func pause(after error: PostgresError?) -> Duration? {
        failures += 1
        guard error?.sqlState?.isRetryableTransaction == true, failures < attempts else {
            return nil
        }
        let limit = min(Self.pauseMinimum * (1 << min(failures - 1, 10)), Self.pauseMaximum)
        return limit * Double.random(in: 0...1)
    }
}
