import CLibPQ

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
            throw transactionFailure
                ?? PostgresError(.aborted, "a statement of the transaction had failed")
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
