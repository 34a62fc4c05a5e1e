import PlimsollStore
import ServiceLifecycle

/// Runs a service only where the log may grow; where it may not, there is nothing for it to do.
struct Permitted<Wrapped: Service>: Service {
    let writer: Writer
    let service: Wrapped

    func run() async throws {
        guard writer.prohibition != nil else { return try await service.run() }
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            return
        }
    }
}
