import Logging
import PlimsollHTTP
import ServiceLifecycle

/// Lets connections end by themselves before the listeners close.
///
/// It is the first to be told that the service stops. For a while readiness is off, each answer is
/// the last of its connection, and whoever still comes is let in: a load balancer takes as long to
/// notice. Then the others are told.
struct ConnectionDrain: Service {
    let stopSignal: StopSignal
    let grace: Duration
    let logger: Logger

    func run() async throws {
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            return
        }
        stopSignal.raise()
        logger.info("taking leave", metadata: ["stop.grace": "\(grace)"])
        // Whoever is cancelled has no time left.
        try? await Task.sleep(for: grace)
    }
}
