import Logging
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollSystem

/// A database that runs already, worked with from beside the service.
package struct RunningDatabase: Sendable {
    let connection: ConnectionString

    /// Takes a libpq connection string or URI.
    package init(url: String) {
        self.init(ConnectionString(url))
    }

    /// Takes the absolute path of a data folder with a private server, and the service's own login.
    package init(data: String) {
        let cluster = PrivateCluster(
            configuration: PrivateCluster.Configuration(stateDirectory: Path(data)),
            logger: Logger(label: "running database") { _ in SwiftLogNoOpLogHandler() }
        )
        self.init(cluster.workingConnection)
    }

    /// Starts the private server of a data folder for as long as the body runs, and logs in as its
    /// owner.
    package static func started<Answer: Sendable>(
        in data: String,
        _ body: @escaping @Sendable (RunningDatabase) async throws -> Answer
    ) async throws -> Answer {
        let cluster = PrivateCluster(
            configuration: PrivateCluster.Configuration(stateDirectory: Path(data)),
            logger: Logger(label: "started database") { _ in SwiftLogNoOpLogHandler() }
        )
        do {
            return try await cluster.withServer { connection in
                try await body(RunningDatabase(url: connection))
            }
        } catch let error as ClusterError {
            throw BackupFailure(
                description: "The private PostgreSQL in \(data) cannot be started. \(error)",
                cause: .place
            )
        }
    }

    init(_ connection: ConnectionString) {
        self.connection = connection
    }

    /// Lends sessions with the service's own role, at most so many.
    func withPool<Answer: Sendable, Failure: Error>(
        sessionsMaximum: Int,
        _ body: (SessionPool) async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        var limits = PoolLimits()
        (limits.sessionsMinimum, limits.sessionsMaximum) = (0, sessionsMaximum)
        let pool = SessionPool(connection, settings: .service, limits: limits)
        let outcome: Result<Answer, Failure>
        do throws(Failure) {
            outcome = .success(try await body(pool))
        } catch {
            outcome = .failure(error)
        }
        await pool.close()
        return try outcome.get()
    }
}

extension RunningDatabase {
    /// What the login could do beyond appending and reading, as sentences.
    package func loginFaults() async throws(LogCheckFailure) -> [String] {
        do {
            return try await LoginPower.read(connection)
        } catch {
            throw unreadable(error)
        }
    }

    /// Everything that makes the server unsafe for the log now, as sentences.
    package func settingFaults() async throws(LogCheckFailure) -> [String] {
        try await withPool(sessionsMaximum: 1) { pool throws(LogCheckFailure) in
            do {
                try await ServerSafety.check(pool)
                return []
            } catch let fault as UnsafeServer {
                return [fault.description]
            } catch {
                throw unreadable(error)
            }
        }
    }

    private func unreadable(_ error: any Error) -> LogCheckFailure {
        LogCheckFailure(description: "The database at \(connection) cannot be read: \(error)")
    }
}

/// Why something could not be done with a database.
package struct DatabaseFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
}
