import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PlimsollHTTP
import ServiceLifecycle

/// What the administration grants strangers.
struct RESTLimits {
    /// How long a connection may say nothing, between two requests or within one.
    var idleTimeout = Duration.seconds(60)
    /// How long a reader may take nothing of what waits for it.
    var stallTimeout = Duration.seconds(30)
    /// Each takes a file that the edge may need, and phones come before administrators; still,
    /// whoever follows the record keeps one.
    var connectionsMaximum = 512
}

/// The listener of the administration.
struct RESTListener: Service {
    private let address: ListenAddress
    private let dependencies: Dependencies
    private let limits: RESTLimits
    private let logger: Logger
    private let bound = Promise<ListenAddress>()

    init(
        _ address: ListenAddress,
        dependencies: Dependencies,
        limits: RESTLimits = RESTLimits(),
        logger: Logger
    ) {
        self.address = address
        self.dependencies = dependencies
        self.limits = limits
        self.logger = logger
    }

    /// Where it listens, once it does.
    func boundAddress() async throws -> ListenAddress {
        try await bound.wait()
    }

    func run() async throws {
        let (address, bound) = (address, bound)
        let application = Application(
            router: buildRouter(dependencies: dependencies),
            server: .administration(
                idleTimeout: TimeAmount(limits.idleTimeout),
                stallTimeout: TimeAmount(limits.stallTimeout)
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    limits.connectionsMaximum
                )
            ),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? address.port
                bound.give(ListenAddress(host: address.host, port: port))
            },
            logger: logger
        )
        try await application.run()
    }
}
