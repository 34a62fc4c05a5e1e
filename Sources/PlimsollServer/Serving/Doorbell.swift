import PlimsollPostgres
import PlimsollStore
import ServiceLifecycle

/// Rings the writer when another process has appended to the log.
///
/// A notification only wakes; the writer looks by itself once a second, so nothing depends on it.
struct Doorbell: Service {
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
