import Hummingbird
package import Logging
import Metrics
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollHTTP
import PlimsollLog
import PlimsollPostgres
import PlimsollPublishing
import PlimsollService
import PlimsollStore
import PlimsollSystem
import ServiceLifecycle

/// What phones ask: the listener, and the snapshots it has from the disk.
struct EdgeStack {
    let edge: EdgeService
    private let address: ListenAddress
    private let certificate: CertificateWatcher?
    let devices: DeviceStack
    private let links: EdgeLinks
    let loader: SnapshotLoader

    /// Loads what was published last; a folder that holds nothing yet is no error.
    init(_ configuration: ServerConfiguration, logger: Logger) async throws {
        let tls = try configuration.publicTLS.map(TLSSource.init)
        certificate = tls.map { CertificateWatcher($0, logger: logger) }
        address = configuration.publicListen
        devices = try await DeviceStack(configuration.devices, logger: logger)
        var listening = EdgeConfiguration(
            host: configuration.publicListen.host,
            port: configuration.publicListen.port,
            tls: tls
        )
        listening.devices = devices.responder
        listening.packages = configuration.packages
        edge = EdgeService(listening, logger: logger)
        let signingKeys = configuration.signingKeys
        let (keys, unusable) = try signingKeys.publicHalves(
            published: PublishedKeys(in: ExportFolder(configuration.export))
        )
        for path in unusable {
            logger.error("a key file is not trusted", metadata: ["file.path": "\(path)"])
        }
        var serving = SnapshotLoader.Settings(
            export: configuration.export,
            hosts: configuration.keyHosts
        )
        let trust = LogTrust(logKeys: [], witnesses: configuration.witnesses)
        serving.proofs = SnapshotProof.reader(trusting: trust)
        serving.servesPages = configuration.servesPages
        links = EdgeLinks(
            of: EdgeName.usual(configuration.publicListen),
            answeringAt: configuration.originListen,
            logger: logger
        )
        serving.offer = links.offer
        loader = SnapshotLoader(
            serving,
            trusting: keys,
            edge: edge,
            logger: logger
        )
        if try configuration.export.isFolder() { try await loader.loadAll() }
        try prepare(configuration, signingKeys, logger)
    }

    /// Makes the folder of the keys, before anybody needs one.
    ///
    /// Where phones have something to lose, a disk that takes nothing more is only told.
    private func prepare(
        _ configuration: ServerConfiguration,
        _ keys: SigningKeys,
        _ logger: Logger
    ) throws {
        do {
            // First, so that it is as open as the account of a private PostgreSQL needs it.
            try configuration.data.createFolder()
            try keys.prepare()
        } catch {
            guard servesDocuments else { throw error }
            logger.error(
                "the folder of the keys cannot be used; phones are served what they had",
                metadata: ["error": "\(error)"]
            )
        }
    }

    var services: [any Service] {
        devices.services + [edge.named(.phones, address)] + links.answering
            + (certificate.map { [$0] } ?? [])
    }

    /// What the edges that follow this one say, and this one.
    var edgeReport: EdgeReport { links.report }

    /// Whether phones have something to lose.
    var servesDocuments: Bool { !edge.table.publications.isEmpty }
}

extension PublishedKeys {
    /// What this instance published last; a list that cannot be read takes no trust from anybody.
    fileprivate init?(in folder: ExportFolder) {
        guard
            let bytes = try? folder.keyList.read(sizeMaximum: PublishedKeys.sizeMaximum),
            let keys = try? PublishedKeys(parsing: bytes)
        else { return nil }
        self = keys
    }
}

/// One running Plimsoll: the edge that phones ask, and everything behind it.
///
/// The edge comes first and needs nothing of the rest: it serves the last snapshot from the disk
/// while the database is away, at a start and ever after.
package struct Instance: Sendable {
    private let configuration: ServerConfiguration
    private let logger: Logger
    private let showsToken: Bool
    private let show: @Sendable (String) -> Void

    /// - Parameters:
    ///   - configuration: How it is to run.
    ///   - logger: Where it writes what happens.
    ///   - showsToken: Whether a person reads along, who may see the administrator's token once.
    ///   - show: Takes what an operator is told once everything runs.
    package init(
        _ configuration: ServerConfiguration,
        logger: Logger,
        showsToken: Bool,
        show: @escaping @Sendable (String) -> Void
    ) {
        self.configuration = configuration
        self.logger = logger
        self.showsToken = showsToken
        self.show = show
    }

    /// Runs until it is told to stop, by a signal or by the task being cancelled; once a process,
    /// since the process has one metrics system.
    package func run() async throws {
        let metrics = MetricsRegistry()
        MetricsSystem.bootstrap(metrics)
        metrics.tellBuild()
        // One that never sends has no dispatcher, and an alarm adds up what all say.
        Gauge(label: "plimsoll.courier.active").record(0)
        try configuration.data.createFolder()
        // A wrong name is told at once; what else is wrong with the key, the exporter tells.
        if configuration.logOrigin != nil { _ = try configuration.logKeyFile.signer() }
        let front = try await EdgeStack(configuration, logger: logger)
        let core = ServiceStack(configuration, front: front, logger: logger)
        let behind = core.services(metrics: metrics, showsToken: showsToken) {
            [show] announcement in
            show(announcement.description)
        }
        let services = [HangupWatcher(logger: logger)] + front.services + behind
        // Rooms that have no logger of their own write to the current one.
        try await withLogger(logger) { _ in try await runServices(services, logger: logger) }
    }
}
