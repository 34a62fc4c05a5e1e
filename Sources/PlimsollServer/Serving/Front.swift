import Logging
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollPublishing
import PlimsollSystem
import ServiceLifecycle

/// What phones ask: the listener, and the snapshots it has from the disk.
struct Front {
    let edge: EdgeService
    private let address: ListenAddress
    private let certificate: CertificateWatcher?
    let loader: SnapshotLoader

    /// Loads what was published last; a folder that holds nothing yet is no error.
    init(_ configuration: ServerConfiguration, logger: Logger) async throws {
        let tls = try configuration.publicTLS.map(TLSSource.init)
        certificate = tls.map { CertificateWatcher($0, logger: logger) }
        address = configuration.publicListen
        edge = EdgeService(
            EdgeConfiguration(
                host: configuration.publicListen.host,
                port: configuration.publicListen.port,
                tls: tls
            ),
            logger: logger
        )
        let signingKeys = configuration.signingKeys
        let (keys, unusable) = try signingKeys.publicHalves(
            published: PublishedKeys(in: ExportFolder(configuration.export))
        )
        for path in unusable {
            logger.error("a key file is not trusted", metadata: ["file.path": "\(path)"])
        }
        loader = SnapshotLoader(
            SnapshotLoader.Settings(
                export: configuration.export,
                hosts: configuration.keyHosts
            ),
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
        [edge.named(.phones, address)] + (certificate.map { [$0] } ?? [])
    }

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
