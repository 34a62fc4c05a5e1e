import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollLog
import PlimsollPublishing
import PlimsollSystem
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// A database with all tables, copied for each test.
let logTemplate = ScratchTemplate("export", scripts: StoreSchema.migrations.map(\.sql))

/// The parts of a service that a change passes on its way to the edge.
struct RealService: Sendable {
    let folder: ExportFolder
    let keys: SigningKeys
    let log: EventLog
    let writer: Writer
    let book = PublicationQueue()
    let sinks: [any Sink]
    private let origin: KeyName?

    /// Runs the body while the service works in the folder, on the database of the running test;
    /// with an origin it publishes the log as well.
    static func with(
        in folder: Path,
        sinks: [any Sink] = [],
        origin: KeyName? = nil,
        _ body: (RealService) async throws -> Void
    ) async throws {
        let connection = try ScratchDatabase.current.connection
        let session = try await Session.open(connection, settings: .service)
        let service = RealService(folder, EventLog(session), sinks, origin)
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.writer.run() }
            group.addTask { try await service.exporter(connection).run() }
            group.addTask { try await service.follow() }
            do {
                try await service.writer.whenOpen()
                try await body(service)
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
            while let result = await group.nextResult() { _ = result }
        }
        await session.close()
    }

    private init(
        _ folder: Path,
        _ log: EventLog,
        _ sinks: [any Sink],
        _ origin: KeyName?
    ) {
        (self.sinks, self.origin) = (sinks, origin)
        self.folder = ExportFolder(folder / "export")
        keys = SigningKeys(folder: folder / "keys")
        self.log = log
        writer = Writer(log: log, logger: quietLogger)
    }

    func exporter(_ connection: ConnectionString) -> Exporter {
        let ledger = PublicationRecorder(
            perform: { command, identity, fence in
                let request = CommandRequest(command, identity: identity, fence: fence)
                _ = try await writer.perform(request)
            },
            head: { try await log.head().position }
        )
        var configuration = ExporterConfiguration(
            folder: folder,
            keys: keys,
            database: connection,
            ledger: ledger
        )
        configuration.intervals.check = .milliseconds(20)
        configuration.isAlone = true
        configuration.lease = LeaseTerms(length: .seconds(600))
        configuration.sinks = sinks
        configuration.log = origin.map { origin in
            let key = LogKeyFile(folder.root.parent / "keys" / "log", origin: origin)
            return PublicLog(checkpoints: Checkpoints(log), key: key)
        }
        return Exporter(configuration, book: book, logger: quietLogger)
    }

    /// Folds the log as it grows; every read ends with an append, since nothing else is in it.
    func follow() async throws {
        var logState = LogState()
        while true {
            let events = try await log.events(after: logState.position)
            for event in events { logState.evolve(event) }
            book.enter(events, leadingTo: logState)
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    func perform(_ command: any Command) async throws {
        _ = try await writer.perform(CommandRequest(command))
    }

    func register() async throws {
        try await perform(
            RegisterApp(
                slug: harbour,
                settings: try settings(),
                key: try keys.makeKey(for: harbour),
                isDefault: nil,
                by: .system
            )
        )
        for (person, role) in [(alice, Role.proposer), (bob, .approver)] {
            try await perform(
                IssueToken(
                    token: sampleToken(of: person),
                    grants: [RoleGrant(role, in: .app(harbour))],
                    by: .system
                )
            )
        }
    }

    /// Proposes and approves a minimum app version.
    func raise(to version: String, change: ChangeID) async throws {
        try await writer.whenOpen()
        try await perform(PlimsollTestSupport.raise(to: version, base: writer.logState.position))
        try await approve(change)
    }

    /// Proposes and approves operations.
    func apply(_ operations: [PlimsollDomain.Operation]) async throws {
        let change = writer.logState.nextChange
        try await perform(propose(operations, base: writer.logState.position))
        try await approve(change)
    }

    private func approve(_ change: ChangeID) async throws {
        let logState = writer.logState
        let content = try #require(
            logState.openChange(change).flatMap { change in
                logState.app(change.app).map { change.content(against: $0) }
            }
        )
        try await perform(approval(of: change, seen: testHash(content)))
    }

    /// What is current once everything that was ordered is published and told.
    func served() async throws -> VerifiedSnapshot {
        try await eventually {
            let page = book.latest
            return try await page.logState.position == log.head().position
                && page.edition(of: harbour)?.order.sequence
                    == page.logState.publication(of: harbour)?.sequence
                && SnapshotStore(folder).current(of: harbour) != nil
        }
        return try folder.served(
            trusting: TrustedKeys(PublishedKeys(book.latest.logState.keyring))
        )
    }
}
