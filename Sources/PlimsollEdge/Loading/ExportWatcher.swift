package import Logging
import ServiceLifecycle

/// Keeps an edge at what the export folder has, whoever publishes there.
///
/// It polls: a link that is switched costs two `readlink` a second and app to see, on every kind
/// of file system, over a network too.
package struct ExportWatcher: Service {
    private let loader: SnapshotLoader
    private let interval: Duration
    private let logger: Logger
    private let prepare: @Sendable () async -> Void

    /// A key that is compromised is to be gone within a second, the time that signing and loading
    /// take included.
    package static let defaultInterval: Duration = .milliseconds(500)

    /// Takes what else has to be seen to before each look.
    package init(
        _ loader: SnapshotLoader,
        interval: Duration = defaultInterval,
        logger: Logger,
        prepare: @escaping @Sendable () async -> Void = {}
    ) {
        self.loader = loader
        self.interval = interval
        self.logger = logger
        self.prepare = prepare
    }

    /// Looks again and again until graceful shutdown.
    package func run() async throws {
        try await watchUntilShutdown { try await watch() }
    }

    private func watch() async throws {
        var complaint = Complaint()
        while !Task.isCancelled {
            await prepare()
            do {
                try await loader.loadAll()
                complaint.clear()
            } catch {
                complaint.make("export folder not readable", error, to: logger)
            }
            try await Task.sleep(for: interval)
        }
    }
}
