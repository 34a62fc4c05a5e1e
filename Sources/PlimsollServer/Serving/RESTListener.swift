import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PlimsollHTTP
import ServiceLifecycle

/// What the administration grants those who connect.
struct RESTLimits {
    var patience = Patience()
    /// Each takes a file that the edge may need, and phones come before administrators; still,
    /// whoever follows the record keeps one.
    var places = Places.Limits()
}

/// The listener of the administration.
struct RESTListener: Service {
    private let address: ListenAddress
    private let dependencies: Dependencies
    private let limits: RESTLimits
    let places: Places
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
        places = Places(limits.places)
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
            server: .administration(places, limits.patience) { [useCases = dependencies.useCases] in
                useCases.principal(of: $0)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    limits.places.connections
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
