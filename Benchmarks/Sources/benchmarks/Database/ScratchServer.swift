import Logging
import PlimsollPostgres
import PlimsollSystem
import PlimsollStore

/// A PostgreSQL as the service runs its private one, in a folder of the benchmark's own.
struct ScratchServer: Sendable {
    /// As libpq reads it, for other programs too.
    let connection: String

    /// Runs the body while the server is up, with the service's schema in its database.
    static func with<Answer: Sendable>(
        in folder: Path,
        _ body: @escaping @Sendable (ScratchServer) async throws -> Answer
    ) async throws -> Answer {
        let cluster = PrivateCluster(
            configuration: PrivateCluster.Configuration(stateDirectory: folder),
            logger: .quiet("postgres")
        )
        return try await cluster.withServer { connection in
            // Refuses a server that could lose what it acknowledged.
            try await StoreSchema.prepare(ConnectionString(connection))
            return try await body(ScratchServer(connection: connection))
        }
    }

    /// A session of the account that owns the database.
    func withSession<Answer>(_ body: (Session) async throws -> Answer) async throws -> Answer {
        try await Session.with(ConnectionString(connection), body)
    }
}

extension Logger {
    static func quiet(_ label: String) -> Logger {
        var logger = Logger(label: label)
        logger.logLevel = .warning
        return logger
    }
}
