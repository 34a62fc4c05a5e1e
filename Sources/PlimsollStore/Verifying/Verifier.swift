package import Logging
import Metrics
import ServiceLifecycle

/// Looks at the whole log and at the read models, slowly, again and again.
package struct Verifier: Service {
    private let check: IntegrityCheck
    private let whenReady: @Sendable () async throws -> Void
    private let logger: Logger

    /// How many events a second are looked at, unless an operator wants another pace.
    package static let rateUsual = 2000
    /// A short log is not looked at more often than that.
    private static let interval = Duration.seconds(30)

    /// Begins once the service is ready, which it must not keep from that.
    package init(
        _ check: IntegrityCheck,
        logger: Logger,
        whenReady: @escaping @Sendable () async throws -> Void
    ) {
        self.check = check
        self.logger = logger
        self.whenReady = whenReady
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            // Only a cancelled task does not become ready.
            guard (try? await whenReady()) != nil else { return }
            var check = check
            var complaint = ""
            while !Task.isCancelled {
                let start = ContinuousClock.now
                do {
                    try await check.round()
                    show(isFailing: false)
                    complaint = ""
                } catch is CancellationError {
                    return
                } catch {
                    if complaint != "\(error)", !Task.isCancelled {
                        logger.error("the verifier is held up", metadata: ["error": "\(error)"])
                    }
                    show(isFailing: true)
                    complaint = "\(error)"
                }
                // A cancelled sleep ends the loop, which is all there is to do about it.
                try? await Task.sleep(until: start + Self.interval)
            }
        }
    }

    /// What an operator is to be woken for: 1 while the log and the read models cannot be looked at.
    private func show(isFailing: Bool) {
        Gauge(label: "plimsoll.verifier.failing").record(isFailing ? 1 : 0)
    }

    /// Rests so long that no more events are looked at in a second than so many.
    package static func pace(_ rate: Int) -> @Sendable (Int, Duration) async throws -> Void {
        { events, took in
            try await Task.sleep(for: .seconds(Double(events) / Double(rate)) - took)
        }
    }
}
