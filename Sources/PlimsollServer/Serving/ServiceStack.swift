import FoundationEssentials
import Hummingbird
import Logging
import PlimsollAPI
import PlimsollDevices
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollHTTP
import PlimsollIngestion
import PlimsollLog
import PlimsollPostgres
import PlimsollPublishing
import PlimsollService
import PlimsollStore
import PlimsollSystem
import ServiceLifecycle

/// Everything behind the edge.
struct ServiceStack {
    private let configuration: ServerConfiguration
    private let front: EdgeStack
    private let logger: Logger
    private let source: DatabaseSource
    private let pool: SessionPool
    private let log: EventLog
    private let authentication: EntryAuthentication
    private let timekeeper: Timekeeper
    private let published: PublishedCheckpoint
    private let writer: Writer
    private let keeper: StateKeeper
    private let beginning: KeptBeginning
    private let signingKeys: SigningKeys
    private let progress = Progress()
    private let verifierProgress = VerifierProgress()
    private let book = PublicationQueue()

    init(_ configuration: ServerConfiguration, front: EdgeStack, logger: Logger) {
        self.configuration = configuration
        self.front = front
        self.logger = logger
        source = DatabaseSource(configuration, front: front, logger: logger)
        let (memory, timekeeper) = (LogMemory(logger: logger), Timekeeper())
        let published = PublishedCheckpoint(
            in: ExportFolder(configuration.export),
            signedBy: configuration.logKeyFile
        )
        pool = SessionPool(source.connection, settings: .service) {
            session throws(PostgresError) in
            try await memory.greet(session, knowing: published)
        }
        authentication = EntryAuthentication(keysIn: EntryKeyFolder(configuration.entryKeys))
        log = EventLog(pool, authentication: authentication)
        self.timekeeper = timekeeper
        self.published = published
        keeper = StateKeeper(
            at: configuration.keptState,
            of: log,
            signedBy: configuration.logKeyFile,
            logger: logger
        )
        let beginning = KeptBeginning(keeper, configuration.keeping)
        self.beginning = beginning
        writer = Writer(
            log: log,
            memory: memory,
            logger: logger,
            timekeeper: timekeeper,
            known: { beginning.known },
            clock: { timekeeper.now }
        )
        signingKeys = configuration.signingKeys
    }

    /// What is to run, in the order in which one depends on another.
    func services(
        metrics: MetricsRegistry,
        showsToken: Bool,
        show: @escaping @Sendable (Announcement) -> Void
    ) -> [any Service] {
        let consistencyCheck = consistencyCheck
        let preparation = makePreparation(consistencyCheck)
        let progress = WebhookProgressStore(pool)
        let useCases = useCases(sending: progress)
        let dispatcher = dispatcher(of: useCases, progress)
        let admitted = OneShot<Void>()
        let stopSignal = StopSignal()
        let dependencies = Dependencies(
            useCases: useCases,
            metrics: metrics,
            logKey: configuration.publishedLogKey,
            edges: { [front] in front.edgeReport },
            isOpened: { admitted.isSettled },
            stopSignal: stopSignal,
            limits: configuration.requestLimits,
            notificationSecrets: configuration.notificationSecrets
        )
        let rest = RESTListener(configuration.listen, dependencies: dependencies, logger: logger)
        let opening = Opening(
            configuration: configuration,
            useCases: useCases,
            writer: writer,
            rest: rest,
            front: front,
            admitted: admitted,
            showsToken: showsToken,
            logger: logger,
            show: show
        )
        let scheduler = Scheduler(useCases, logger: logger)
        let doorbell = LogNotificationListener(connection: source.connection, writer: writer)
        let sending: [any Service] =
            configuration.sendsToWebhooks
            ? [preparation.before(Permitted(writer: writer, service: dispatcher))] : []
        let fetching: [any Service] =
            configuration.ingestion.map { settings in
                let worker = ingestion(settings)
                return [preparation.before(Permitted(writer: writer, service: worker))]
            } ?? []
        let watching = verifier(admitted).map(preparation.before)
        return source.services + [
            // It keeps sessions ready, which only a prepared database grants.
            preparation.before(pool), preparation, preparation.before(writer),
            preparation.before(doorbell),
            LossRecorder(memory: writer.memory, data: configuration.data, logger: logger),
            preparation.before(projector), preparation.before(keeping(consistencyCheck, admitted)),
            preparation.before(Permitted(writer: writer, service: exporter)),
            preparation.before(ExportFollower(front: front, writer: writer, logger: logger)),
            preparation.before(Permitted(writer: writer, service: scheduler)),
            StartMemoryRelease(whenStarted: { try await admitted.value }, logger: logger),
        ] + watching + sending + fetching + downloadMemory(preparation) + health(dependencies) + [
            rest.named(.rest, configuration.listen), preparation.before(opening),
            ConnectionDrain(stopSignal: stopSignal, grace: configuration.stopGrace, logger: logger),
        ]
    }

    /// Tells first downloads of devices from others; nothing fails for it, nor waits for it.
    private func downloadMemory(_ preparation: Preparation) -> [any Service] {
        guard configuration.devices.hasTokenKeys else { return [] }
        do {
            let history = DownloadHistory(
                pool,
                try AccountKey(at: configuration.accountKey),
                retention: configuration.devices.downloadMemory
            )
            front.devices.responder.remember(
                DownloadTypes(history, logger: logger) { [timekeeper] in timekeeper.now }
            )
            let sweeper = DownloadSweeper(history, logger: logger) { [timekeeper] in
                timekeeper.isTrusted ? timekeeper.now : nil
            }
            return [preparation.before(sweeper)]
        } catch {
            logger.error("downloads are not remembered", metadata: ["error": "\(error)"])
            return []
        }
    }

    private var consistencyCheck: CheckpointConsistencyCheck {
        CheckpointConsistencyCheck(
            outside: OutsideLog(
                publicLog,
                ExportFolder(configuration.export),
                others: configuration.outsideCheckpoints.map { CheckpointPlace($0) }
            ),
            accepted: configuration.acceptedLog,
            writer: writer,
            forget: { [front] in await front.loader.forgetLog() },
            logger: logger
        )
    }

    private func makePreparation(_ consistencyCheck: CheckpointConsistencyCheck) -> Preparation {
        Preparation(
            source.connection,
            migratingWith: source.migration,
            whenStarted: source.whenStarted,
            logger: logger
        ) { [beginning, log, authentication, writer, logger] in
            if let damage = try await log.entryKeyDamage() {
                writer.forbid(because: damage)
            } else {
                authentication.prepare(for: writer, logger: logger)
            }
            try await consistencyCheck.run(after: try await beginning.find())
        }
    }

    private func keeping(
        _ consistencyCheck: CheckpointConsistencyCheck,
        _ admitted: OneShot<Void>
    ) -> StateKeeping {
        StateKeeping(
            keeper: keeper,
            settings: configuration.keeping,
            memory: writer.memory,
            book: book,
            whenReady: { try await admitted.value },
            skipped: { [beginning] in beginning.isFound },
            checkConsistency: { try await consistencyCheck.run() },
            logger: logger
        )
    }

    /// Looks at everything again and again, unless an operator wants none of it.
    private func verifier(_ admitted: OneShot<Void>) -> [Verifier] {
        guard configuration.verifyRate > 0 else { return [] }
        let published = published
        let check = IntegrityCheck(
            log: log,
            pool: pool,
            memory: writer.memory,
            progress: verifierProgress,
            logger: logger,
            published: { published.ownRoot },
            logKey: { published.ownKey },
            pause: Verifier.pace(configuration.verifyRate)
        )
        return [Verifier(check, logger: logger) { try await admitted.value }]
    }

    /// A listener that no stranger can fill, where one was asked for.
    private func health(_ dependencies: Dependencies) -> [any Service] {
        guard let address = configuration.healthListen else { return [] }
        return [
            WatchListener(
                address: address,
                name: "health",
                places: Places.Limits(known: 0),
                logger: logger
            ) {
                buildHealthRouter(dependencies: dependencies)
            }.named(.health, address)
        ]
    }

    private var projector: Projector {
        Projector(
            log: log,
            database: pool,
            progress: progress,
            logger: logger,
            known: { [book, beginning] in
                if let page = beginning.take() { book.begin(with: page) }
                return book.latest.logState
            },
            growth: { [writer] in writer.growth() }
        ) { [book] events, logState in book.enter(events, leadingTo: logState) }
    }

    private var exporter: Exporter {
        let edge = LocalReader { [front, writer] app in
            await front.show(app, writer.logState.keyring)
        }
        var exporting = ExporterConfiguration(
            folder: ExportFolder(configuration.export),
            keys: signingKeys,
            database: source.connection,
            ledger: PublicationRecorder(writer: writer, log: log)
        )
        exporting.isAlone = source.isPrivate
        exporting.memory = writer.memory
        exporting.clocks = { [timekeeper] in ClockReading(wall: timekeeper.now, uptime: .now) }
        exporting.trustsClock = { [timekeeper] in timekeeper.isTrusted }
        exporting.silence = { [writer] in writer.silence }
        exporting.log = publicLog
        exporting.readers = [edge]
        exporting.sinks = configuration.sinks
        exporting.retention = configuration.retention
        return Exporter(exporting, book: book, logger: logger)
    }

    private var publicLog: PublicLog {
        PublicLog(
            checkpoints: Checkpoints(log),
            key: configuration.logKeyFile,
            witnesses: configuration.witnesses,
            signedChanges: { [signedChanges] in try await signedChanges.proofs(of: $0, at: $1) }
        )
    }

    private func lead(_ name: LeaseName) -> Leadership {
        Leadership(name, on: source.connection, isAlone: source.isPrivate, memory: writer.memory)
    }

    private func ingestion(_ settings: IngestionSettings) -> some Service {
        let lead = lead(.ingestion)
        let worker = IngestionWorker(settings, writer, lead, logger: logger)
        return LeaderService(lead, running: worker) { [writer] in !writer.awaitedPackages.isEmpty }
    }

    private var sender: WebhookSender {
        WebhookSender(
            WebhookKey(configuration.webhookKey),
            WebhookTransport(configuration.admission, trusting: configuration.webhookAuthorities),
            logger: logger,
            now: { [timekeeper] in timekeeper.now },
            wallClock: { Instant(Date.now) }
        )
    }

    private func dispatcher(
        of useCases: UseCases,
        _ progress: WebhookProgressStore
    ) -> WebhookDispatcher {
        WebhookDispatcher(
            DispatcherParts(
                useCases: useCases,
                sender: sender,
                store: progress,
                lead: lead(.courier),
                logger: logger
            )
        )
    }

    private var readModels: ReadModels {
        ReadModels(log: log, database: pool, progress: progress)
    }

    private var signedChanges: SignedChanges {
        SignedChanges(readModels) { [writer] in writer.logState }
    }

    private func useCases(sending progress: WebhookProgressStore) -> UseCases {
        UseCases(
            writer: writer,
            readModels: readModels,
            directory: Directory(pool),
            keys: KeyMaker(signingKeys, logger: logger),
            logFiles: LogFiles(log, witnesses: configuration.witnesses) { [published] in
                published.ownKey
            },
            reach: Reach(
                cacheSeconds: EdgeTable.cacheSeconds,
                pollSeconds: Reach.usual.pollSeconds
            ),
            webhooks: WebhookOperations(sender, configuration.admission, progress),
            accounts: AccountMemory(pool, key: configuration.accountKey, logger: logger),
            verifier: verifierProgress,
            sessions: SessionStore(pool, authentication, limits: configuration.sessionLimits),
            trustsClock: { [timekeeper] in timekeeper.isTrusted },
            clock: { [timekeeper] in timekeeper.now }
        )
    }
}

extension EdgeStack {
    /// Serves what was just published of an app, trusting the keys that the log knows.
    func show(_ app: AppSlug, _ keyring: Keyring) async {
        await trust(keyring)
        await loader.load(app)
    }

    func trust(_ keyring: Keyring) async {
        await loader.trust(TrustedKeys(PublishedKeys(keyring)))
    }
}
