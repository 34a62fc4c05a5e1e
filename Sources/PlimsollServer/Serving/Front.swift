import Logging
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollExport
import PlimsollFiles
import ServiceLifecycle

/// What phones ask: the listener, and the snapshots it has from the disk.
struct Front {
    let edge: EdgeService
    let loader: SnapshotLoader

    /// Loads what was published last; a folder that holds nothing yet is no error.
    init(_ configuration: ServerConfiguration, logger: Logger) async throws {
        edge = EdgeService(
            EdgeConfiguration(
                host: configuration.publicListen.host,
                port: configuration.publicListen.port
            ),
            logger: logger
        )
        let (keys, unusable) = try SigningKeys(folder: configuration.keys).publicHalves()
        for path in unusable {
            logger.error("a key file is not trusted", metadata: ["file.path": "\(path)"])
        }
        loader = SnapshotLoader(
            SnapshotLoader.Settings(export: configuration.export),
            trusting: keys,
            edge: edge,
            logger: logger
        )
        if try configuration.export.isFolder() { try await loader.loadAll() }
    }

    var services: [any Service] { [edge] }

    /// Whether phones have something to lose.
    var servesDocuments: Bool { !edge.table.publications.isEmpty }
}
