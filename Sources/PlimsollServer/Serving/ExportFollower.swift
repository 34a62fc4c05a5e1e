import Logging
import PlimsollDomain
import PlimsollEdge
import PlimsollFiles
import PlimsollStore
import ServiceLifecycle

/// Keeps phones of this process at what another process on the same folder publishes.
///
/// Only one process exports, and tells its own edge at once; the others look once a second.
struct ExportFollower: Service {
    let front: Front
    let writer: Writer
    let logger: Logger

    private static let interval = Duration.seconds(1)

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await follow() }
        } catch is CancellationError {
            return
        }
    }

    private func follow() async throws {
        var keyring: Keyring?
        var complaint = ""
        while true {
            if writer.isOpen, case let known = writer.world.keyring, known != keyring {
                await front.trust(known)
                keyring = known
            }
            do throws(FileError) {
                try await front.loader.loadAll()
                complaint = ""
            } catch {
                if complaint != "\(error)" {
                    logger.error(
                        "the export folder cannot be read",
                        metadata: ["error": "\(error)"]
                    )
                }
                complaint = "\(error)"
            }
            try await Task.sleep(for: Self.interval)
        }
    }
}
