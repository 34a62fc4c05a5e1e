import PlimsollPostgres
import Synchronization

/// Passes statements on to a session, and remembers them while it is told to.
final class Recorder: Querying {
    private let session: Session
    private let recorded = Mutex<[Statement]?>(nil)

    init(_ session: Session) {
        self.session = session
    }

    /// What the body sent.
    func statements(of body: () async throws -> Void) async throws -> [Statement] {
        recorded.withLock { $0 = [] }
        try await body()
        return recorded.withLock { statements in
            defer { statements = nil }
            return statements ?? []
        }
    }

    func outcome(
        of statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> StatementOutcome {
        recorded.withLock { $0?.append(statement) }
        return try await session.outcome(of: statement, timeout: timeout)
    }
}
