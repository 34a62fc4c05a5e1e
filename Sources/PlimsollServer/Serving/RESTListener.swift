import Hummingbird
import Logging
import NIOCore
import PlimsollHTTP
import ServiceLifecycle

/// The listener of the administration.
struct RESTListener: Service {
    private let address: ListenAddress
    private let dependencies: Dependencies
    private let logger: Logger
    private let bound = Promise<ListenAddress>()

    init(_ address: ListenAddress, dependencies: Dependencies, logger: Logger) {
        self.address = address
        self.dependencies = dependencies
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
            server: .administration,
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                serverName: nil
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
