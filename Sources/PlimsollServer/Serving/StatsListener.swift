import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PlimsollHTTP
import ServiceLifecycle

/// Shows an operator what an edge of its own has counted, at an address that phones do not reach.
struct StatsListener: Service {
    private let address: ListenAddress
    private let metrics: MetricsRegistry
    private let logger: Logger

    private static let idleTimeout = TimeAmount.seconds(60)
    private static let stallTimeout = TimeAmount.seconds(30)
    /// Those who look are few, and each takes a file that a phone may need.
    private static let connectionsMaximum = 16

    init(_ address: ListenAddress, metrics: MetricsRegistry, logger: Logger) {
        self.address = address
        self.metrics = metrics
        self.logger = logger
    }

    func run() async throws {
        let (address, logger) = (address, logger)
        let application = Application(
            router: router,
            server: .administration(
                idleTimeout: Self.idleTimeout,
                stallTimeout: Self.stallTimeout
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    Self.connectionsMaximum
                )
            ),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? address.port
                logger.info(
                    "stats are shown",
                    metadata: ["stats.bound": "\(ListenAddress(host: address.host, port: port))"]
                )
            },
            logger: logger
        )
        try await application.run()
    }

    private var router: Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.get("metrics") { [metrics] _, _ in metrics.response }
        return router
    }
}
