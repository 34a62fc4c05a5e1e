import Foundation
import Metrics
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres
@testable import PlimsollPublishing
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Synchronization
import Testing

/// A start with what was kept, on a real log.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct StateKeeperTests {
    @Test func `a writer goes on from what was kept, and comes to the same`() async throws {
        try await KeepingHouse.withKept { house in
            try await house.register("tidewater")
            let start = try #require(try await house.keeper().find())
            let end = house.writer.logState
            #expect(start.known.logState.position < end.position)
            #expect(start.known.logState == start.page.logState)
            try await KeepingHouse.with(in: house.folder, knowing: start.known) { again in
                #expect(again.writer.logState == end)
                #expect(again.writer.memory.tip == house.writer.memory.tip)
                try await again.register("seaward")
            }
        }
    }

    @Test func `a projector goes on from what was kept where the read models have it`()
        async throws
    {
        try await KeepingHouse.withKept { house in
            try await house.project { told in #expect(told.first == 1) }
            let known = try #require(try await house.keeper().find()).known.logState
            try await house.register("tidewater")
            // The read models lack what is known then.
            try await house.project(knowing: house.writer.logState) { told in
                #expect(told.first == 1)
            }
            try await house.project(knowing: known) { told in
                #expect(told.first == known.position.rawValue + 1)
            }
        }
    }

    @Test func `what is damaged, a stranger's or another program's is left alone`() async throws {
        try await KeepingHouse.withKept { house in
            let bytes = try house.kept()
            try house.file.writeDurably(Array(bytes.dropLast()))
            #expect(try await house.keeper().find() == nil)
            try house.file.writeDurably(bytes)
            #expect(try await house.keeper().find() != nil)
            #expect(try await house.keeper(program: .leaf([2])).find() == nil)
            _ = try house.key.path.removeFile()
            #expect(try await house.keeper().find() == nil)
            _ = try house.key.make()
            #expect(try await house.keeper().find() == nil)
            _ = try house.file.removeFile()
            #expect(try await house.keeper().find() == nil)
        }
    }

    @Test func `what is of another log, or of a longer one, is left alone`() async throws {
        try await KeepingHouse.withKept { house in
            try await house.spoilLastEvent()
            #expect(try await house.keeper().find() == nil)
            let end = house.writer.logState.position.rawValue
            try await house.asOwner("DELETE FROM log.event WHERE position = \(literal: end)")
            #expect(try await house.keeper().find() == nil)
        }
    }

    @Test func `nothing is kept of a log that is not the one that was folded`() async throws {
        try await KeepingHouse.withKept { house in
            let before = try house.kept()
            try await house.register("tidewater")
            let page = try await house.page()
            try await house.spoilLastEvent()
            await house.keeper().keep(page, ifGrownBy: 1, knowing: house.writer.memory)
            #expect(try house.kept() == before)
        }
    }

    // Whoever has the service's login can record one.
    @Test func `a checkpoint that nobody signed keeps nothing from being kept`() async throws {
        try await KeepingHouse.withKept { house in
            let before = try house.kept()
            try await house.pool.query("SELECT log.add_checkpoint(1, sha256(''), '', 'x')")
            try await house.register("tidewater")
            try await house.keep(house.keeper())
            #expect(try house.kept() != before)
        }
    }

    @Test func `it is kept again only after so many events`() async throws {
        try await KeepingHouse.withKept { house in
            let keeper = house.keeper()
            _ = try await keeper.find()
            let before = try house.kept()
            try await house.register("tidewater")
            let (notebook, position) = (MetricsNotebook(), "plimsoll.log.kept.position")
            try await withMetricsFactory(notebook) {
                try await house.keep(keeper, ifGrownBy: 1000)
                #expect(try house.kept() == before && notebook[position] == nil)
                try await house.keep(keeper)
            }
            #expect(try house.kept() != before)
            #expect(notebook[position] == Double(house.writer.logState.position.rawValue))
        }
    }

    @Test func `without the log's key nothing is kept`() async throws {
        try await withScratchFolder { folder in
            try await KeepingHouse.with(in: folder) { house in
                try await house.register("harbour")
                try await house.keep(house.keeper())
                #expect(try house.file.status() == nil)
            }
        }
    }

    @Test func `the former one stays until the next is whole`() async throws {
        try await KeepingHouse.withKept { house in
            let before = try house.kept()
            try await house.register("tidewater")
            try await withFault(at: "files.write.synchronized") {
                try await house.keep(house.keeper())
            }
            #expect(try house.kept() == before)
            #expect(try await house.keeper().find() != nil)
        }
    }
}

/// A writer on the database of the running test, and the folder that it keeps its state in.
private struct KeepingHouse: Sendable {
    let folder: Path
    let pool: SessionPool
    let log: EventLog
    let writer: Writer
    let key: LogKeyFile

    var file: Path { folder / "kept-state" }

    /// Runs the body where two apps were registered, and the state was kept then.
    static func withKept(_ body: (KeepingHouse) async throws -> Void) async throws {
        try await withScratchFolder { folder in
            try await with(in: folder) { house in
                _ = try house.key.make()
                try await house.register("harbour")
                try await house.register("lighthouse")
                try await house.keep(house.keeper())
                try await body(house)
            }
        }
    }

    static func with(
        in folder: Path,
        knowing known: KnownLog = .nothing,
        _ body: (KeepingHouse) async throws -> Void
    ) async throws {
        let pool = SessionPool(try ScratchDatabase.current.connection, settings: .service)
        let log = EventLog(pool)
        let writer = Writer(log: log, logger: quietLogger, known: { known })
        let house = KeepingHouse(
            folder: folder,
            pool: pool,
            log: log,
            writer: writer,
            key: LogKeyFile(folder / "keys" / "log", origin: KeyName("log.example.com/harbour"))
        )
        try await withThrowingTaskGroup { group in
            group.addTask(name: "writer") { try await writer.run() }
            defer { group.cancelAll() }
            try await writer.whenOpen()
            try await body(house)
        }
        await pool.close()
    }

    func keeper(program: MerkleHash = .leaf([1])) -> StateKeeper {
        StateKeeper(
            at: file,
            of: log,
            signedBy: key,
            program: { program },
            logger: quietLogger
        )
    }

    func kept() throws -> [UInt8] { try file.read(sizeMaximum: KeptState.sizeMaximum) }

    func page() async throws -> PublicationQueue.Page {
        let queue = PublicationQueue()
        let events = try await log.events(after: .start)
        queue.enter(events, leadingTo: events.reduce(into: LogState()) { $0.evolve($1) })
        return queue.latest
    }

    func keep(_ keeper: StateKeeper, ifGrownBy count: Int = 1) async throws {
        await keeper.keep(try await page(), ifGrownBy: count, knowing: writer.memory)
    }

    func register(_ app: String) async throws {
        _ = try await writer.perform(CommandRequest(registration(of: slug(app))))
    }

    /// Folds into the read models to the end, and answers the positions that were told.
    func project(
        knowing known: LogState = LogState(),
        _ body: ([Int64]) throws -> Void
    ) async throws {
        let (told, progress) = (Told(), Progress())
        let projector = Projector(
            log: log,
            database: pool,
            progress: progress,
            logger: quietLogger,
            known: { known },
            growth: { [writer] in writer.growth() }
        ) { events, _ in told.add(events) }
        try await withThrowingTaskGroup { group in
            group.addTask(name: "projector") { try await projector.run() }
            defer { group.cancelAll() }
            let end = writer.logState.position
            #expect(await progress.wait(for: end, patience: .seconds(60)))
            try body(told.positions)
        }
    }

    func spoilLastEvent() async throws {
        let end = writer.logState.position.rawValue
        try await asOwner(
            "UPDATE log.event SET entry = entry || '\\x20' WHERE position = \(literal: end)"
        )
    }

    func asOwner(_ statement: Statement) async throws {
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.execute("ALTER TABLE log.event DISABLE TRIGGER ALL")
        try await session.execute(statement)
        await session.close()
    }
}

/// Which events a projector has told.
private final class Told: Sendable {
    private let state = Mutex<[Int64]>([])

    var positions: [Int64] { state.withLock(\.self) }

    func add(_ events: [RecordedEvent]) {
        state.withLock { $0 += events.map(\.position.rawValue) }
    }
}
