import Logging
import PlimsollEdge
import PlimsollPostgres
import PlimsollStore
import ServiceLifecycle

/// Where the database comes from: a given one, or a private server that runs with the service.
struct DatabaseSource {
    /// How the service logs in.
    let connection: ConnectionString
    /// How the one logs in that owns the database, while the schema changes.
    let migration: ConnectionString?
    /// Returns once a private server takes connections; of a given one nobody knows.
    let whenStarted: @Sendable () async throws -> Void
    let services: [any Service]
    /// Whether nobody but this process can use it.
    let isPrivate: Bool

    /// A server that dies again and again is started again and again: phones go on with what
    /// they have, and an operator sees the alarms.
    private static let restartsMaximum = Int.max

    init(_ configuration: ServerConfiguration, front: EdgeStack, logger: Logger) {
        if let given = configuration.databaseURL {
            connection = given
            migration = configuration.migrationURL
            whenStarted = {}
            services = []
            isPrivate = false
        } else {
            let cluster = PrivateCluster(
                configuration: PrivateCluster.Configuration(
                    stateDirectory: configuration.data,
                    restartsMaximum: Self.restartsMaximum,
                    otherRoles: [StoreSchema.serviceRole]
                ),
                logger: logger
            )
            connection = cluster.workingConnection
            migration = ConnectionString(cluster.connection)
            whenStarted = {
                do {
                    try await cluster.whenReady()
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    throw PrivateServerAway()
                }
            }
            isPrivate = true
            services = [RestartedCluster(cluster: cluster, front: front, logger: logger)]
        }
    }
}

/// The private server is not there yet; whoever starts it says why.
struct PrivateServerAway: Error {}

extension PrivateCluster {
    /// How the service logs in, and whoever works beside it: as a role that owns nothing.
    var workingConnection: ConnectionString {
        ConnectionString(connection).replacing(["user": StoreSchema.serviceRole])
    }
}

/// A private server whose failure does not take the edge down with it.
///
/// Where phones have nothing to lose, as at a first start, the failure ends the service, so that
/// its reason is seen at once.
private struct RestartedCluster: Service {
    let cluster: PrivateCluster
    let front: EdgeStack
    let logger: Logger

    private static let retryDelay = Duration.seconds(5)

    func run() async throws {
        // An error would have the edge cut off whom it still serves.
        try await watchUntilShutdown {
            while true {
                do {
                    return try await cluster.run()
                } catch  where front.servesDocuments && !Task.isCancelled {
                    logger.critical(
                        "the private PostgreSQL cannot be started; phones are served what they had",
                        metadata: ["error": "\(error)"]
                    )
                }
                try await Task.sleep(for: Self.retryDelay)
            }
        }
    }
}

/// Rings the writer when another process has appended to the log.
///
/// A notification only wakes; the writer looks by itself once a second, so nothing depends on it.
struct LogNotificationListener: Service {
    let connection: ConnectionString
    let writer: Writer

    /// What `log.append` notifies.
    private static let channel = "plimsoll_log"

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in Notifications(connection, channels: [Self.channel]) { writer.ring() }
        }
    }
}
