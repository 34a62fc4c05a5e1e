import Logging
import ServiceLifecycle

/// Looks again and again until graceful shutdown, which is no error.
func watchUntilShutdown(_ watch: @escaping @Sendable () async throws -> Void) async throws {
    do {
        try await cancelWhenGracefulShutdown(watch)
    } catch is CancellationError {
        return
    }
}

/// What a look found wrong; the log is told of it once, however often it is found again.
struct Complaint {
    private var last: String?

    mutating func clear() { last = nil }

    mutating func make(
        _ message: Logger.Message,
        _ error: any Error,
        _ metadata: Logger.Metadata = [:],
        to logger: Logger
    ) {
        let reason = "\(error)"
        guard reason != last else { return }
        last = reason
        logger.error(message, metadata: metadata.merging(["error.reason": "\(reason)"]) { $1 })
    }
}
