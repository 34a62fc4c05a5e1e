import Hummingbird
import Logging
import NIOCore
import PlimsollHTTP
import PlimsollUseCases
import ServiceLifecycle

/// The listener of the administration.
struct RESTListener: Service {
    private let address: ListenAddress
    private let useCases: UseCases
    private let logger: Logger
    private let bound = Promise<ListenAddress>()

    init(_ address: ListenAddress, useCases: UseCases, logger: Logger) {
        self.address = address
        self.useCases = useCases
        self.logger = logger
    }

    /// Where it listens, once it does.
    func boundAddress() async throws -> ListenAddress {
        try await bound.wait()
    }

    func run() async throws {
        let (address, bound) = (address, bound)
        let application = Application(
            router: buildRouter(dependencies: Dependencies(useCases: useCases)),
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
