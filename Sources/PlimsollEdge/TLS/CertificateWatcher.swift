package import Logging
import ServiceLifecycle
import UnixSignals

/// Keeps a listener at the certificate that lies in its files.
///
/// It looks once a second, and at once when the process is sent `SIGHUP`. No connection is closed
/// for it, and whatever is wrong with the new files, the certificate in use stays in use.
package struct CertificateWatcher: Service {
    private let desk: CertificateDesk
    private let interval: Duration

    package static let defaultInterval: Duration = .seconds(1)

    package init(
        _ source: TLSSource,
        interval: Duration = defaultInterval,
        logger: Logger
    ) {
        desk = CertificateDesk(source, logger: logger)
        self.interval = interval
    }

    /// Looks again and again until graceful shutdown.
    package func run() async throws {
        try await watchUntilShutdown {
            try await withThrowingDiscardingTaskGroup { tasks in
                tasks.addTask(name: "certificate files") { try await look() }
                tasks.addTask(name: "certificate signal") { await listen() }
            }
        }
    }

    private func look() async throws {
        while true {
            desk.look()
            try await Task.sleep(for: interval)
        }
    }

    private func listen() async {
        for await _ in await UnixSignalsSequence(trapping: .sighup) { desk.answer() }
    }
}
