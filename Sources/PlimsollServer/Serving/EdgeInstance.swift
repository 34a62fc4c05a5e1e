import FoundationEssentials
package import Logging
import Metrics
package import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
package import PlimsollEdge
import PlimsollHTTP
package import PlimsollLog
package import PlimsollPublishing
import PlimsollStore
import PlimsollSystem
import ServiceLifecycle
import Synchronization
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
        /// Where the operator reads what was counted; `nil` counts for nobody.
        package var stats: ListenAddress?
        /// With which certificate phones are served; `nil` serves plain HTTP.
        package var tls: TLSFiles?

        /// How devices are answered that install from a marketplace; `nil` where none are.
        package var devices: DeviceSettings?

        /// The packages that are served; `nil` where none are.
        package var packages: PackageSettings?

        /// Whose word counts of the log that proves snapshots, and how many witnesses have to have seen
        /// it before a snapshot is served; without keys the one that lies beside.
        package var log = LogTrust(logKeys: [])

        /// Who vouches for the origin, by an absolute path; `nil` where the machine knows.
        package var authorities: String?

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

    /// Runs until it is told to stop, by a signal or by the task being cancelled; once a process,
    /// since the process has one metrics system.
    package func run() async throws {
        // First: whoever counts asks for it once, in the beginning.
        let stats = statsListener()
        let tls = try configuration.tls.map(TLSSource.init)
        let authorities = configuration.authorities.map(AuthoritiesFile.init)
        _ = try authorities?.read()
        try configuration.check()
        if configuration.memory == nil {
            logger.warning(
                """
                without --memory this edge forgets at its end which sequences it served: after a \
                restart it takes an older signed snapshot for the newest
                """
            )
        }
        var devices: DeviceStack?
        if let settings = configuration.devices {
            devices = try await DeviceStack(settings, logger: logger)
        }
        var listening = EdgeConfiguration(
            host: configuration.listen.host,
            port: configuration.listen.port,
            tls: tls
        )
        listening.devices = devices?.responder
        listening.packages = configuration.packages
        let edge = EdgeService(listening, logger: logger)
        let loader = SnapshotLoader(
            configuration.serving,
            trusting: TrustedKeys([]),
            edge: edge,
            logger: logger
        )
        // They stop in reverse: what the edge has promised is answered before it ends.
        var services: [any Service] = devices?.services ?? []
        services += [
            edge.named(.edge, configuration.listen),
            TrustWatcher(configuration.keys, loader, logger: logger),
            configuration.source.watcher(loader, trusting: authorities, logger: logger),
            HangupWatcher(logger: logger),
            SpareMemory(edge: edge, logger: logger),
        ]
        if let stats { services.append(stats) }
        if let tls { services.append(CertificateWatcher(tls, logger: logger)) }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map {
                    ServiceGroupConfiguration.ServiceConfiguration(service: $0)
                },
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
        )
        try await withLogger(logger) { _ in try await group.run() }
    }

    private func statsListener() -> (any Service)? {
        guard let address = configuration.stats else { return nil }
        let metrics = MetricsRegistry()
        MetricsSystem.bootstrap(metrics)
        metrics.tellBuild()
        return WatchListener.stats(address, metrics, logger: logger).named(.stats, address)
    }
}

extension EdgeInstance.Configuration {
    fileprivate var serving: SnapshotLoader.Settings {
        var serving = SnapshotLoader.Settings(
            export: source.folder,
            memory: memory,
            hosts: hosts
        )
        serving.proofs = SnapshotProof.reader(trusting: log)
        serving.quorum = log.witnessesNeeded
        return serving
    }

    /// What is missing at the start is a mistake of whoever starts it; later it is an accident.
    fileprivate func check() throws(ConfigurationError) {
        let list = try? PublishedKeys(parsing: keys.read(sizeMaximum: PublishedKeys.sizeMaximum))
        guard list != nil else {
            throw ConfigurationError(
                key: "--keys",
                needed: "a list of public keys, such as a copy of export/keys.json; none can be"
                    + " read from \(keys)"
            )
        }
        if let packages, (try? packages.folder.isFolder()) != true {
            throw ConfigurationError(
                key: "--packages",
                needed: "a folder of packages, and there is none at \(packages.folder)"
            )
        }
        guard let folder = source.folder else { return }
        let entries = try? folder.entries()
        guard entries != nil else {
            throw ConfigurationError(
                key: "--from",
                needed: "an export folder, and there is none at \(folder)"
            )
        }
    }
}

/// Where an edge has its snapshots from.
package enum EdgeSource: Sendable {
    /// An export folder, by its absolute path.
    case folder(String)
    case store(StorePlace)
    /// Another edge.
    case web(ServiceAddress)

    package static let grammar =
        "an export folder, \(StoreAddress.grammar), or \(ServiceAddress.grammar)"

    /// Takes what an operator named, a folder by its absolute path; `nil` for an address that is
    /// none.
    package init?(_ text: String, environment: [String: String]) {
        if text.hasPrefix("s3://") {
            guard
                let address = StoreAddress(text),
                let place = StorePlace(address, environment: environment)
            else { return nil }
            self = .store(place)
        } else if text.contains("://") {
            guard let address = ServiceAddress(text) else { return nil }
            self = .web(address)
        } else {
            self = .folder(text)
        }
    }

    /// Whether it is asked over TLS, where alone the word of an authority counts.
    package var isSecure: Bool {
        switch self {
        case .folder: false
        case .store(let place): place.isSecure
        case .web(let address): address.text.lowercased().hasPrefix("https://")
        }
    }

    var folder: Path? {
        if case .folder(let path) = self { Path(path) } else { nil }
    }

    /// What keeps the edge at what is published there.
    func watcher(
        _ loader: SnapshotLoader,
        trusting authorities: AuthoritiesFile?,
        logger: Logger
    ) -> any Service {
        switch self {
        case .folder: ExportWatcher(loader, logger: logger)
        case .store(let place):
            OriginWatcher(
                StoreOrigin(
                    place,
                    trusting: { try authorities?.read() },
                    now: { Instant(Date.now) }
                ),
                loader,
                logger: logger
            )
        case .web(let address):
            OriginWatcher(
                WebOrigin(address) { try authorities?.read() },
                loader,
                logger: logger
            )
        }
    }
}

/// Keeps phones of this process at what another process on the same folder publishes.
///
/// Only one process exports, and tells its own edge at once; the others look as an edge does that
/// stands alone, and trust the keys that the log knows.
struct ExportFollower: Service {
    let front: EdgeStack
    let writer: Writer
    let logger: Logger

    func run() async throws {
        let trusted = Mutex<Keyring?>(nil)
        try await ExportWatcher(front.loader, logger: logger) { [front, writer] in
            guard writer.isOpen else { return }
            let known = writer.logState.keyring
            guard trusted.withLock({ $0 != known }) else { return }
            await front.trust(known)
            trusted.withLock { $0 = known }
        }.run()
    }
}
