import FoundationEssentials
package import Logging
import Metrics
import PlimsollDocuments
import PlimsollDomain
package import PlimsollEdge
import PlimsollHTTP
package import PlimsollLog
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem
import ServiceLifecycle
import Synchronization

/// An edge of its own: it knows neither the database nor a private key.
///
/// It serves what it finds in an export folder, in a store or at another edge, and only what the
/// trusted keys have signed.
package struct EdgeInstance: Sendable {
    /// How an edge of its own is to run.
    package struct Configuration: Sendable {
        /// One or more; the quickest serves.
        let sources: [EdgeSource]
        /// A list of public keys in the form of `keys.json`.
        let keys: Path
        let listen: ListenAddress
        /// Where the highest sequences are remembered, so that nothing older comes back.
        let memory: Path?
        /// The hosts whose documents carry the signatures of one key.
        let hosts: [KeyHost]
        /// Where the operator reads what was counted; `nil` counts for nobody.
        package var stats: ListenAddress?
        /// Where other edges are told what this one serves; `nil` where none are.
        package var origin: ListenAddress?
        /// By what name the edge above it knows this one.
        package var name: String?
        /// With which certificate phones are served; `nil` serves plain HTTP.
        package var tls: TLSFiles?

        /// How devices are answered that install from a marketplace; `nil` where none are.
        package var devices: DeviceSettings?

        /// The packages that are served; `nil` where none are.
        package var packages: PackageSettings?

        /// Whether people are shown what is published, on a page of each app.
        package var servesPages = false

        /// Whose word counts of the log that proves snapshots, and how many witnesses have to have seen
        /// it before a snapshot is served; without keys the one that lies beside.
        package var log = LogTrust(logKeys: [])

        /// Who vouches for the origin, by an absolute path; `nil` where the machine knows.
        package var authorities: String?

        /// Takes absolute paths.
        package init(
            sources: [EdgeSource],
            keys: String,
            listen: ListenAddress,
            memory: String?,
            hosts: [KeyHost] = []
        ) {
            self.sources = sources
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
        if configuration.memory == nil { warnOfForgetting() }
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
        let edge = EdgeService(listening, table: .unloaded, logger: logger)
        let links = EdgeLinks(
            of: configuration.name ?? EdgeName.usual(configuration.listen),
            answeringAt: configuration.origin,
            logger: logger
        )
        var serving = configuration.serving
        serving.offer = links.offer
        let loader = SnapshotLoader(
            serving,
            trusting: TrustedKeys([]),
            edge: edge,
            logger: logger
        )
        // They stop in reverse: what the edge has promised is answered before it ends.
        var services: [any Service] = devices?.services ?? []
        services += [
            edge.named(.edge, configuration.listen),
            TrustWatcher(file: configuration.keys, loader: loader, logger: logger),
            HangupWatcher(logger: logger),
            StartMemoryRelease(whenStarted: { _ = try await edge.address() }, logger: logger),
        ]
        services += links.following(configuration.sources, loader, trusting: authorities)
        services += links.answering
        if let stats { services.append(stats) }
        if let tls { services.append(CertificateWatcher(tls, logger: logger)) }
        try await withLogger(logger) { [services] _ in
            try await runServices(services, logger: logger)
        }
    }

    private func warnOfForgetting() {
        logger.warning(
            """
            without --memory this edge forgets at its end which sequences it served: after a \
            restart it takes an older signed snapshot for the newest
            """
        )
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
            export: folder,
            memory: memory,
            hosts: hosts
        )
        serving.proofs = SnapshotProof.reader(trusting: log)
        serving.quorum = log.witnessesNeeded
        serving.hasSeveralOrigins = sources.count > 1
        serving.servesPages = servesPages
        return serving
    }

    private var folder: Path? { sources.lazy.compactMap(\.folder).first }

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
        guard let folder else { return }
        let entries = try? folder.entries()
        guard entries != nil else {
            throw ConfigurationError(
                key: "--from",
                needed: "an export folder, and there is none at \(folder)"
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
