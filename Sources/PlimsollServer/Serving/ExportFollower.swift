import Logging
import PlimsollDomain
import PlimsollEdge
import PlimsollStore
import ServiceLifecycle
import Synchronization

/// Keeps phones of this process at what another process on the same folder publishes.
///
/// Only one process exports, and tells its own edge at once; the others look as an edge does that
/// stands alone, and trust the keys that the log knows.
struct ExportFollower: Service {
    let front: Front
    let writer: Writer
    let logger: Logger

    func run() async throws {
        let trusted = Mutex<Keyring?>(nil)
        try await ExportWatcher(front.loader, logger: logger) { [front, writer] in
            guard writer.isOpen else { return }
            let known = writer.world.keyring
            guard trusted.withLock({ $0 != known }) else { return }
            await front.trust(known)
            trusted.withLock { $0 = known }
        }.run()
    }
}
