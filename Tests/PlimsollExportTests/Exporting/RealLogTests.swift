import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollExport
import PlimsollFiles
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

private let template = ScratchTemplate("export") { session in
    for migration in StoreSchema.migrations {
        try await session.script(Statement(file: migration.sql))
    }
}

/// The whole road of a change on this side of the edge: writer, log in PostgreSQL, a fold of it,
/// exporter, and back into the log.
@Suite(.scratchDatabase(template: template), .timeLimit(.minutes(1)))
struct RealLogTests {
    @Test func `an approved change is published, and the log says so once`() async throws {
        try await withService { service in
            try await service.register()
            _ = try await service.served()
            try await service.raise(to: "3.2.0", change: .first)
            let served = try await service.served()
            let ios = try #require(served.files.last)
            let document = try AvailabilityDocument(parsing: ios.body, platform: .ios)
            #expect(document.document[.minimumApp].value == dotted("3.2.0"))
            let record = try #require(service.writer.world.publication(of: harbour))
            #expect(record.manifestDigest == ContentDigest(of: served.manifest.bytes).hex)
            let events = try await service.log.events(of: .export(harbour))
            #expect(events.count == 2)
        }
    }

    @Test func `a start on the same log and disk changes nothing`() async throws {
        try await withScratchFolder { folder in
            var before: VerifiedSnapshot?
            try await withService(in: folder) { service in
                try await service.register()
                try await service.raise(to: "3.2.0", change: .first)
                before = try await service.served()
            }
            try await withService(in: folder) { service in
                let head = try await service.log.head()
                #expect(try await service.served() == before)
                #expect(try await service.log.head() == head)
                try await service.raise(to: "3.3.0", change: .first.next)
                #expect(try await service.served() != before)
            }
        }
    }

    @Test func `a lost disk is written again with the same bytes`() async throws {
        try await withScratchFolder { folder in
            var before: VerifiedSnapshot?
            try await withService(in: folder) { service in
                try await service.register()
                try await service.raise(to: "3.2.0", change: .first)
                before = try await service.served()
            }
            try (folder / "export").removeTree()
            try await withService(in: folder) { service in
                let after = try await service.served()
                #expect(after.files.map(\.body) == before?.files.map(\.body))
            }
        }
    }

    private func withService(_ body: (Service) async throws -> Void) async throws {
        try await withScratchFolder { try await withService(in: $0, body) }
    }

    private func withService(
        in folder: Path,
        _ body: (Service) async throws -> Void
    ) async throws {
        let connection = try ScratchDatabase.current.connection
        var settings = SessionSettings()
        settings.role = StoreSchema.serviceRole
        let session = try await Session.open(connection, settings: settings)
        let service = Service(folder, EventLog(session))
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
}

/// The parts of a service that a change passes on its way to the edge.
private struct Service: Sendable {
    let folder: ExportFolder
    let keys: SigningKeys
    let log: EventLog
    let writer: Writer
    let book = OrderBook()

    init(_ folder: Path, _ log: EventLog) {
        self.folder = ExportFolder(folder / "export")
        keys = SigningKeys(folder: folder / "keys")
        self.log = log
        writer = Writer(log: log, logger: quietLogger)
    }

    func exporter(_ connection: ConnectionString) -> Exporter {
        let ledger = Ledger(
            perform: { command, identity in
                _ = try await writer.perform(CommandRequest(command, identity: identity))
            },
            head: { try await log.head().position }
        )
        var configuration = ExporterConfiguration(
            folder: folder,
            keys: keys,
            database: connection,
            ledger: ledger,
            sinks: []
        )
        configuration.intervals.check = .milliseconds(20)
        return Exporter(configuration, book: book, logger: quietLogger)
    }

    /// Folds the log as it grows; every read ends with an append, since nothing else is in it.
    func follow() async throws {
        var world = World()
        while true {
            let events = try await log.events(after: world.position)
            for event in events { world.evolve(event) }
            book.enter(events, leadingTo: world)
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
                    token: try token(of: person),
                    grants: [RoleGrant(role, in: .app(harbour))],
                    at: .now,
                    by: .system
                )
            )
        }
    }

    /// Proposes and approves a minimum app version.
    func raise(to version: String, change: ChangeID) async throws {
        try await writer.whenOpen()
        try await perform(PlimsollTestSupport.raise(to: version, base: writer.world.position))
        let world = writer.world
        let content = try #require(
            world.openChange(change).flatMap { change in
                world.app(change.app).map { change.content(against: $0) }
            }
        )
        try await perform(
            ApproveChange(
                change: change,
                seen: testHash(content),
                comment: nil,
                by: bob,
                hash: testHash
            )
        )
    }

    /// What is current once everything that was ordered is published and told.
    func served() async throws -> VerifiedSnapshot {
        try await eventually {
            let page = book.latest
            return try await page.world.position == log.head().position
                && page.edition(of: harbour)?.order.sequence
                    == page.world.publication(of: harbour)?.sequence
                && SnapshotStore(folder).current(of: harbour) != nil
        }
        return try folder.served(
            trusting: TrustedKeys(PublishedKeys(book.latest.world.keyring))
        )
    }

    private func token(of person: PrincipalID) throws -> TokenRecord {
        let digit = String(UUID().uuidString.lowercased().filter(\.isHexDigit).prefix(32))
        return TokenRecord(
            id: TokenID(UUID()),
            principal: person,
            secret: try #require(SecretDigest(hex: digit + digit)),
            expiresAt: nil
        )
    }
}
