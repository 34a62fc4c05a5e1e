import Logging
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem
import PlimsollPostgres
import PlimsollTestSupport
import Synchronization
import Testing

/// An exporter's surroundings: real files, the test's own database for the lease, a log.
struct ExportHouse: Sendable {
    let folder: ExportFolder
    let keys: SigningKeys
    let writer: StandInWriter
    let connection: ConnectionString
    let reader = RecordingReader()

    /// Harbour is registered; nothing is published yet.
    static func with(
        _ body: (ExportHouse) async throws -> Void
    ) async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder / "keys")
            let house = ExportHouse(
                folder: ExportFolder(folder / "export"),
                keys: keys,
                writer: StandInWriter(try LogBuilder.withHarbour(keys)),
                connection: try ScratchDatabase.current.connection
            )
            try await body(house)
        }
    }

    /// The same with the export in another folder.
    func exporting(to folder: Path) -> ExportHouse {
        ExportHouse(
            folder: ExportFolder(folder),
            keys: keys,
            writer: writer,
            connection: connection
        )
    }

    /// The same files and keys with another log.
    func with(_ writer: StandInWriter) -> ExportHouse {
        ExportHouse(folder: folder, keys: keys, writer: writer, connection: connection)
    }

    var store: SnapshotStore { SnapshotStore(folder) }

    /// An exporter that looks often, so that tests need not wait.
    func exporter(
        now: Instant = .soonAfter,
        keys: SigningKeys? = nil,
        scrub: Duration = .milliseconds(200),
        sinks: [any Sink] = [],
        isAlone: Bool = true,
        clocks: (@Sendable () -> ClockReading)? = nil,
        trustsClock: @escaping @Sendable () -> Bool = { true },
        log: PublicLog? = nil,
        logger: Logger = quietLogger
    ) -> Exporter {
        var configuration = ExporterConfiguration(
            folder: folder,
            keys: keys ?? self.keys,
            database: connection,
            ledger: writer.ledger
        )
        configuration.readers = [LocalReader { [reader] app in await reader.look(at: app) }]
        configuration.sinks = sinks
        // Whoever worked here before is gone, however it went.
        configuration.isAlone = isAlone
        configuration.lease = LeaseTerms(length: .seconds(isAlone ? 600 : 15))
        configuration.intervals.check = .milliseconds(20)
        configuration.intervals.scrub = scrub
        configuration.clocks = clocks ?? { ClockReading(wall: now, uptime: .now) }
        configuration.trustsClock = trustsClock
        configuration.log = log
        return Exporter(configuration, book: writer.book, logger: logger)
    }

    /// Runs an exporter beside the body.
    func exporting(
        _ exporter: Exporter? = nil,
        _ body: (Exporter) async throws -> Void
    ) async throws {
        let exporter = exporter ?? self.exporter()
        try await withThrowingTaskGroup { group in
            group.addTask { try await exporter.run() }
            do {
                try await body(exporter)
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
            // How it ends when it is cancelled is no matter here.
            while let result = await group.nextResult() { _ = result }
        }
    }

    /// Exports until the log's newest order is published and told, then ends.
    func exportToTheEnd() async throws {
        try await exporting { _ in try await waitUntilPublished() }
    }

    func waitUntilPublished(_ app: AppSlug = harbour) async throws {
        try await eventually {
            let sequence = await writer.log.edition(of: app)?.order.sequence
            return try await writer.log.logState.publication(of: app)?.sequence == sequence
                && store.current(of: app) == sequence
        }
    }

    /// What a client makes of what is current.
    func served(_ app: AppSlug = harbour) async throws -> VerifiedSnapshot {
        try folder.served(app, trusting: await writer.log.trustedKeys)
    }
}

extension Instant {
    /// A day after the first event of a ``LogBuilder``: nothing is old, and nothing from the future.
    static let soonAfter = LogBuilder().now.advanced(by: .seconds(86_400))
}

/// Remembers which apps it was told of; may take its time.
final class RecordingReader: Sendable {
    private let seen = Mutex<[AppSlug]>([])
    private let turnstile = Turnstile()

    var apps: [AppSlug] { seen.withLock { $0 } }

    /// Whoever tells it from now on waits.
    func hold() { turnstile.hold() }

    func release() { turnstile.release() }

    func look(at app: AppSlug) async {
        seen.withLock { $0.append(app) }
        await turnstile.pass()
    }
}

/// Failures are what these tests are about, so they would only fill the screen.
let quietLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
