import Logging
import PlimsollHTTP
import ServiceLifecycle

/// Takes leave before the door is closed.
///
/// It is the first to be told that the service stops. For a while readiness is off, each answer is
/// the last of its connection, and whoever still comes is let in: a load balancer takes as long to
/// notice. Then the others are told.
struct ConnectionDrain: Service {
    let sign: StopSignal
    let grace: Duration
    let logger: Logger

    func run() async throws {
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            return
        }
        sign.raise()
        logger.info("taking leave", metadata: ["stop.grace": "\(grace)"])
        // Whoever is cancelled has no time left.
        try? await Task.sleep(for: grace)
    }
}
