package import Logging
import PlimsollDomain
import ServiceLifecycle

/// Keeps an edge at what an origin has, of the apps whose keys are trusted.
///
/// An origin that is away, or has something that may not be served, changes nothing: phones are
/// served what was good last.
package struct OriginWatcher: Service {
    private let origin: any SnapshotOrigin
    private let loader: SnapshotLoader
    private let interval: Duration
    private let logger: Logger

    /// An answer that nothing is new costs little, and nobody has to wait long.
    package static let defaultInterval: Duration = .seconds(5)

    private static let pause: Duration = .milliseconds(100)

    package init(
        _ origin: any SnapshotOrigin,
        _ loader: SnapshotLoader,
        interval: Duration = defaultInterval,
        logger: Logger
    ) {
        self.origin = origin
        self.loader = loader
        self.interval = interval
        self.logger = logger
    }

    /// Looks again and again until graceful shutdown.
    package func run() async throws {
        try await watchUntilShutdown { try await watch() }
    }

    private func watch() async throws {
        var views: [AppSlug: View] = [:]
        while true {
            let apps = await loader.trustedApps
            for app in apps { await look(at: app, &views[app, default: View()]) }
            // The keys come from elsewhere, and nobody should wait for a whole round without them.
            try await Task.sleep(for: apps.isEmpty ? min(interval, Self.pause) : interval)
        }
    }

    /// What is known of an app at the origin.
    private struct View {
        /// Of what is served; what was refused is fetched again.
        var mark: OriginMark?
        var complaint = Complaint()
    }

    private func look(at app: AppSlug, _ view: inout View) async {
        do {
            if case .found(let fetched, let mark) = try await origin.current(
                of: app,
                unless: view.mark
            ) {
                let outcome = await loader.load(fetched)
                view.mark = outcome.isServed ? mark : nil
            }
            view.complaint.clear()
        } catch {
            guard !Task.isCancelled else { return }
            view.complaint.make("origin not readable", error, ["app.slug": "\(app)"], to: logger)
        }
    }
}
