import Hummingbird
package import Logging
import Metrics
import PlimsollPostgres
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollPublishing
import PlimsollSystem
import PlimsollHTTP
import PlimsollStore
import PlimsollService
import ServiceLifecycle
import UnixSignals

/// One running Plimsoll: the edge that phones ask, and everything behind it.
///
/// The edge comes first and needs nothing of the rest: it serves the last snapshot from the disk
/// while the database is away, at a start and ever after.
package struct Instance: Sendable {
    private let configuration: ServerConfiguration
    private let logger: Logger
    private let showsToken: Bool
    private let show: @Sendable (String) -> Void

    /// - Parameters:
    ///   - configuration: How it is to run.
    ///   - logger: Where it writes what happens.
    ///   - showsToken: Whether a person reads along, who may see the administrator's token once.
    ///   - show: Takes what an operator is told once everything runs.
    package init(
        _ configuration: ServerConfiguration,
        logger: Logger,
        showsToken: Bool,
        show: @escaping @Sendable (String) -> Void
    ) {
        self.configuration = configuration
        self.logger = logger
        self.showsToken = showsToken
        self.show = show
    }

    /// Runs until it is told to stop, by a signal or by the task being cancelled; once a process,
    /// since the process has one metrics system.
    package func run() async throws {
        let metrics = MetricsRegistry()
        MetricsSystem.bootstrap(metrics)
        metrics.tellBuild()
        try configuration.data.createFolder()
        // A wrong name is told at once; what else is wrong with the key, the exporter tells.
        if configuration.logOrigin != nil { _ = try configuration.logKeyFile.signer() }
        let front = try await Front(configuration, logger: logger)
        let core = Core(configuration, front: front, logger: logger)
        let behind = core.services(metrics: metrics, showsToken: showsToken) {
            [show] announcement in
            show(announcement.description)
        }
        let hangup = HangupWatcher(logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: ([hangup] + front.services + behind).map {
                    ServiceGroupConfiguration.ServiceConfiguration(service: $0)
                },
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
        )
        // Rooms that have no logger of their own write to the current one.
        try await withLogger(logger) { _ in try await group.run() }
    }
}
