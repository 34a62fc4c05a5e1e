import FoundationEssentials
import Hummingbird
import Logging
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollExport
import PlimsollFiles
import PlimsollHTTP
import PlimsollPostgres
import PlimsollProjection
import PlimsollStore
import PlimsollUseCases
import ServiceLifecycle

/// Everything behind the edge, in the order in which it depends on one another.
struct Core {
    let services: [any Service]

    init(
        _ configuration: ServerConfiguration,
        front: Front,
        logger: Logger,
        metrics: MetricsRegistry,
        show: @escaping @Sendable (Announcement) -> Void
    ) {
        let source = DatabaseSource(configuration, front: front, logger: logger)
        var settings = SessionSettings()
        settings.role = "plimsoll_service"
        let pool = SessionPool(source.connection, settings: settings)
        let log = EventLog(pool)
        let writer = Writer(log: log, logger: logger)
        let preparation = Preparation(source.connection, logger: logger)
        let progress = Progress()
        let book = OrderBook()
        let projector = Projector(
            log: log,
            database: pool,
            progress: progress,
            logger: logger,
            growth: { writer.growth() }
        ) { events, world in book.enter(events, leadingTo: world) }

        let signingKeys = SigningKeys(folder: configuration.keys)
        let exporter = Exporter(
            ExporterConfiguration(
                folder: ExportFolder(configuration.export),
                keys: signingKeys,
                database: source.connection,
                ledger: Ledger(writer: writer, log: log),
                sinks: [InProcessSink("edge") { await front.show($0, writer.world.keyring) }]
            ),
            book: book,
            logger: logger
        )
        let useCases = UseCases(
            writer: writer,
            readModels: ReadModels(log: log, database: pool, progress: progress),
            directory: Directory(pool),
            keys: KeyMaker(signingKeys, logger: logger),
            clock: { Instant(Date.now) }
        )
        let rest = RESTListener(
            configuration.listen,
            dependencies: Dependencies(useCases: useCases, metrics: metrics),
            logger: logger
        )
        let opening = Opening(
            configuration,
            useCases: useCases,
            writer: writer,
            rest: rest,
            front: front,
            show: show
        )
        let doorbell = Doorbell(connection: source.connection, writer: writer)
        services =
            source.services + [pool, preparation]
            + [
                preparation.before(writer), preparation.before(doorbell),
                preparation.before(projector), preparation.before(exporter), rest,
                preparation.before(opening),
            ]
    }
}

extension Front {
    /// Serves what was just published of an app, trusting the keys that the log knows.
    func show(_ app: AppSlug, _ keyring: Keyring) async {
        await loader.trust(TrustedKeys(PublishedKeys(keyring)))
        await loader.load(app)
    }
}

extension Ledger {
    init(writer: Writer, log: EventLog) {
        self.init(
            perform: { command, identity in
                _ = try await writer.perform(CommandRequest(command, identity: identity))
            },
            head: { try await log.head().position }
        )
    }
}

extension KeyMaker {
    init(_ keys: SigningKeys, logger: Logger) {
        self.init(
            make: { try keys.makeKey(for: $0) },
            discard: { record in
                do throws(FileError) {
                    try keys.discard(record)
                } catch {
                    logger.warning(
                        "a key that was never used stays on the disk",
                        metadata: ["key.id": "\(record.id)", "error": "\(error)"]
                    )
                }
            }
        )
    }
}

extension Instant {
    init(_ date: Date) {
        self.init(millisecondsSince1970: Int64(date.timeIntervalSince1970 * 1000))
    }
}
