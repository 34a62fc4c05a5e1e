import Logging
import PlimsollCluster
package import PlimsollDomain
import PlimsollFiles
import PlimsollLog
import PlimsollPostgres
import PlimsollStore

/// Looks at every event of the log, in a database that runs already.
///
/// It changes nothing and needs no running service. A private server is found by its data folder.
package struct LogCheck: Sendable {
    private let connection: ConnectionString

    /// What the whole log came to.
    package enum Finding: Equatable, Sendable {
        /// Everything fits; the root stands for all of it.
        case sound(events: Int, root: String)
        /// The first event that does not fit, and how.
        case broken(Position, String)
    }

    package init(databaseURL: String) {
        connection = ConnectionString(databaseURL)
    }

    /// Takes the absolute path of a data folder with a private server.
    package init(data: String) {
        let cluster = PrivateCluster(
            configuration: PrivateCluster.Configuration(stateDirectory: Path(data)),
            logger: Logger(label: "log check") { _ in SwiftLogNoOpLogHandler() }
        )
        connection = ConnectionString(cluster.connection)
    }

    package func run() async throws(LogCheckFailure) -> Finding {
        var settings = SessionSettings()
        settings.role = "plimsoll_service"
        var limits = PoolLimits()
        (limits.sessionsMinimum, limits.sessionsMaximum) = (0, 1)
        let pool = SessionPool(connection, settings: settings, limits: limits)
        let outcome: Result<LogVerification, LogError>
        do throws(LogError) {
            outcome = .success(try await EventLog(pool).verify())
        } catch {
            outcome = .failure(error)
        }
        await pool.close()
        return try finding(outcome)
    }

    private func finding(
        _ outcome: Result<LogVerification, LogError>
    ) throws(LogCheckFailure) -> Finding {
        switch outcome {
        case .success(.sound(let root)):
            return .sound(events: root.size, root: root.hash.description)
        case .success(.broken(let position, let flaw)): return .broken(position, "\(flaw)")
        case .failure(.database(let error)):
            throw LogCheckFailure(
                description: "The log at \(connection) cannot be read: \(error.description)"
            )
        case .failure(let error): throw LogCheckFailure(description: error.description)
        }
    }
}

/// The log could not be looked at, which says nothing about what is in it.
package struct LogCheckFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
}
