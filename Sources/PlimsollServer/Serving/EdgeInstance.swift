package import Logging
import PlimsollDocuments
package import PlimsollEdge
import PlimsollFiles
import ServiceLifecycle
import UnixSignals

/// An edge of its own: it knows neither the database nor a private key.
///
/// It serves what it finds in an export folder, in a store or at another edge, and only what the
/// trusted keys have signed.
package struct EdgeInstance: Sendable {
    /// How an edge of its own is to run.
    package struct Configuration: Sendable {
        let source: EdgeSource
        /// A list of public keys in the form of `keys.json`.
        let keys: Path
        let listen: ListenAddress
        /// Where the highest sequences are remembered, so that nothing older comes back.
        let memory: Path?
        /// The hosts whose documents carry the signatures of one key.
        let hosts: [KeyHost]

        /// Takes absolute paths.
        package init(
            source: EdgeSource,
            keys: String,
            listen: ListenAddress,
            memory: String?,
            hosts: [KeyHost] = []
        ) {
            self.source = source
            self.keys = Path(keys)
            self.listen = listen
            self.memory = memory.map { Path($0) }
            self.hosts = hosts
        }
    }

    private let configuration: Configuration
    private let logger: Logger

    package init(_ configuration: Configuration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Runs until it is told to stop, by a signal or by the task being cancelled.
    package func run() async throws {
        let edge = EdgeService(
            EdgeConfiguration(
                host: configuration.listen.host,
                port: configuration.listen.port
            ),
            logger: logger
        )
        let loader = SnapshotLoader(
            SnapshotLoader.Settings(
                export: configuration.source.folder,
                memory: configuration.memory,
                hosts: configuration.hosts
            ),
            trusting: TrustedKeys([]),
            edge: edge,
            logger: logger
        )
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: edge),
                    .init(service: TrustWatcher(configuration.keys, loader, logger: logger)),
                    .init(service: configuration.source.watcher(loader, logger: logger)),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
        )
        try await group.run()
    }
}
