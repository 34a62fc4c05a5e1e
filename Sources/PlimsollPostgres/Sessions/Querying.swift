/// What statements can be sent to: a session, a transaction, or a pool that picks a session.
package protocol Querying: Sendable {
    /// Answers all rows.
    ///
    /// A `nil` time-out stands for the session's own.
    @discardableResult
    func query(
        _ statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> [Row]

    /// Answers how many rows were touched.
    @discardableResult
    func execute(
        _ statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> Int
}

extension Querying {
    @discardableResult
    package func query(_ statement: Statement) async throws(PostgresError) -> [Row] {
        try await query(statement, timeout: nil)
    }

    @discardableResult
    package func execute(_ statement: Statement) async throws(PostgresError) -> Int {
        try await execute(statement, timeout: nil)
    }

    /// Answers the only row, or nothing when there is none.
    package func first(
        _ statement: Statement,
        timeout: Duration? = nil
    ) async throws(PostgresError) -> Row? {
        try await query(statement, timeout: timeout).first
    }
}
