import PlimsollPostgres

/// What can begin a transaction: a session, or a pool that picks one.
protocol Transacting: Querying {
    func withTransaction<Value>(
        isolation: Isolation,
        access: TransactionAccess,
        attempts: Int,
        _ body: (Transaction) async throws -> Value
    ) async throws -> Value
}

extension LoneSession: Transacting {}
extension Session: Transacting {}
extension SessionPool: Transacting {}

extension EventLog {
    /// Lends the log on a session that nobody else uses, where it is read through a pool.
    ///
    /// The session ends with the body.
    func onOwnSession(_ body: (EventLog) async throws -> Void) async throws {
        guard let pool = database as? SessionPool else { return try await body(self) }
        let session = LoneSession(pool.connection, settings: pool.settings)
        do {
            try await body(EventLog(session))
            await session.close()
        } catch {
            await session.close()
            throw error
        }
    }

    /// Keeps everybody else from appending while the body runs, and commits what it did.
    ///
    /// The body gets the log as the transaction sees it: what is read there cannot be overtaken
    /// before something is appended there.
    func holdingAppends<Answer>(
        _ body: (EventLog) async throws(LogError) -> Answer
    ) async throws(LogError) -> Answer {
        guard let database = database as? any Transacting else {
            preconditionFailure("a transaction's log cannot begin another one")
        }
        do {
            return try await database.withTransaction(
                isolation: .readCommitted,
                access: .readWrite,
                attempts: 1
            ) { transaction in
                try await transaction.execute(
                    "SELECT log.hold_appends()",
                    timeout: Self.appendTimeout
                )
                return try await body(EventLog(transaction))
            }
        } catch let error as LogError {
            throw error
        } catch let error as PostgresError {
            throw .database(error)
        } catch {
            throw .database(PostgresError(.misuse, "\(type(of: error))"))
        }
    }
}
