package import Logging
import ServiceLifecycle

/// Looks again and again until graceful shutdown, which is no error.
package func watchUntilShutdown(_ watch: @escaping @Sendable () async throws -> Void) async throws {
    do {
        try await cancelWhenGracefulShutdown(watch)
    } catch is CancellationError {
        return
    }
}

/// What a look found wrong; the log is told of it once, however often it is found again.
package struct Complaint {
    private var last: String?

    package init() {}

    package mutating func clear() { last = nil }

    package mutating func make(
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
