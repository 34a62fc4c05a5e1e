package import Logging
import PlimsollSystem
import ServiceLifecycle

/// The public listener: answers phones from memory, whatever happens to everything else.
///
/// It needs no database and no disk. ``update(_:)`` gives it what to serve, before it runs or
/// while it does; until then it is up and says 404.
///
/// ```swift
/// let edge = EdgeService(EdgeConfiguration(port: 8081), logger: logger)
/// edge.update(table)
/// ```
package final class EdgeService: Service {
    private let configuration: EdgeConfiguration
    private let logger: Logger
    private let source: TableSource
    private let bound = Awaited<EdgeAddress>()

    package init(
        _ configuration: EdgeConfiguration,
        table: EdgeTable = .empty,
        logger: Logger
    ) {
        self.configuration = configuration
        self.logger = logger
        source = TableSource(table)
    }

    /// What is being served.
    package var table: EdgeTable { source.table }

    /// Serves another table from now on: once this returns, every request that arrives is
    /// answered from it.
    package func update(_ table: EdgeTable) {
        source.publish(table)
    }

    /// Where it listens, as soon as it does; throws when it could not.
    package func address() async throws -> EdgeAddress {
        try await bound.value
    }

    /// The same as a URL, without a path.
    package func url() async throws -> String {
        "\(configuration.tls == nil ? "http" : "https")://\(try await address())"
    }

    /// Serves until graceful shutdown, which lets requests under way finish.
    package func run() async throws {
        do {
            try await serve()
        } catch {
            bound.settle(.failure(error))
            throw error
        }
    }

    private func serve() async throws {
        let parts = makeParts()
        let (source, metrics, tls) = (source, parts.metrics, configuration.tls)
        let onTick = { @Sendable in
            metrics.recordAges(source.table, at: .current)
            if let tls { metrics.recordCertificate(until: tls.end, at: .current) }
        }
        if let tls {
            let listener = EncryptedListener(configuration: configuration, tls: tls, parts: parts)
            try await listener.run(announce: announce, onTick: onTick)
        } else {
            let listener = PlainListener(configuration: configuration, parts: parts)
            try await listener.run(announce: announce, onTick: onTick)
        }
    }

    private func makeParts() -> EdgeParts {
        OpenFileLimit.raise()
        let maximum = OpenFiles.connectionsMaximum(configuration.limits.connectionsMaximum)
        logger.info("edge admits", metadata: ["connections.maximum": "\(maximum)"])
        return EdgeParts(
            source: source,
            limits: configuration.limits,
            admission: Admission(maximum: maximum)
        )
    }

    private func announce(_ port: Int) {
        let address = EdgeAddress(host: configuration.host, port: port)
        logger.info("edge listens", metadata: ["address.bound": "\(address)"])
        bound.settle(.success(address))
    }
}
