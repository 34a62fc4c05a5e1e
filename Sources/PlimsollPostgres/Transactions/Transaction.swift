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

    @discardableResult
    package func query(
        _ statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> [Row] {
        try check(statement)
        return try await session.query(statement, timeout: timeout)
    }

    @discardableResult
    package func execute(
        _ statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> Int {
        try check(statement)
        return try await session.execute(statement, timeout: timeout)
    }

    private func check(_ statement: Statement) throws(PostgresError) {
        guard !isOver.load(ordering: .acquiring) else {
            throw PostgresError(.misuse, "the transaction is over", statement: statement.text)
        }
    }
}
