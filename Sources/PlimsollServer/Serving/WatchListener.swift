import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PlimsollHTTP
import ServiceLifecycle

/// Answers those who watch over the process, at an address that phones do not reach: what an edge
/// of its own has counted, or how the service does.
struct WatchListener: Service {
    private let address: ListenAddress
    private let router: @Sendable () -> Router<PlimsollContext>
    private let name: String
    private let logger: Logger

    /// Those who look are few, and each takes a file that a phone may need.
    private static let places = Places.Limits(strangers: 16, known: 0)

    /// - Parameters:
    ///   - address: Where it listens.
    ///   - name: What is shown there, as the log says it.
    ///   - logger: Where it writes that it listens.
    ///   - router: What it answers; nobody has to say who they are.
    init(
        _ address: ListenAddress,
        showing name: String,
        logger: Logger,
        router: @escaping @Sendable () -> Router<PlimsollContext>
    ) {
        self.address = address
        self.router = router
        self.name = name
        self.logger = logger
    }

    /// What an edge has counted.
    static func stats(
        _ address: ListenAddress,
        _ metrics: MetricsRegistry,
        logger: Logger
    ) -> WatchListener {
        WatchListener(address, showing: "stats", logger: logger) {
            let router = Router(context: PlimsollContext.self, options: .autoGenerateHeadEndpoints)
            router.get("metrics") { _, _ in metrics.response }
            return router
        }
    }

    func run() async throws {
        let (address, name, logger) = (address, name, logger)
        let application = Application(
            router: router(),
            server: .administration(Places(Self.places)),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    Self.places.connections
                )
            ),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? address.port
                let bound = ListenAddress(host: address.host, port: port)
                logger.info("shown to those who watch", metadata: ["\(name).bound": "\(bound)"])
            },
            logger: logger
        )
        try await application.run()
    }
}
