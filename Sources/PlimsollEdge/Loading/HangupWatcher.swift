package import Logging
import ServiceLifecycle
import UnixSignals

/// Keeps `SIGHUP` from ending the process: what a hangup asks for, files read again, happens by
/// itself.
package struct HangupWatcher: Service {
    private let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
    }

    /// Takes hangups until graceful shutdown.
    package func run() async throws {
        try await watchUntilShutdown { [logger] in
            for await _ in await UnixSignalsSequence(trapping: .sighup) {
                logger.notice("hangup: keys and certificates are read again whenever they change")
            }
        }
    }
}
