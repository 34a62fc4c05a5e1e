import Logging
import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// Where the clocks of these tests stand at first: some months before ``testNow``.
let earlier = Instant(millisecondsSince1970: 1_790_000_000_000)

/// A writer and a projector at work on the database of the running test.
struct ProjectionFixture {
    let pool: SessionPool
    let log: EventLog
    let writer: Writer
    let readModels: ReadModels
    /// How far each projector has come.
    let progress: [Progress]

    /// Whether the projector hears of what is appended, or has not come to it yet.
    enum Following: CaseIterable {
        case everything, nothing
    }

    /// As many projectors follow as there are processes; each tells its number and its events.
    static func with(
        following: Following = .everything,
        clock: @escaping @Sendable () -> Instant = { .now },
        processes: Int = 1,
        told: @escaping @Sendable (Int, [RecordedEvent]) -> Void = { _, _ in },
        _ body: (ProjectionFixture) async throws -> Void
    ) async throws {
        let pool = SessionPool(try ScratchDatabase.current.connection, settings: .service)
        let log = EventLog(pool)
        let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
        let writer = Writer(log: log, logger: silent, clock: clock)
        let progress = (0..<processes).map { _ in Progress() }
        let projectors = progress.enumerated().map { number, progress in
            Projector(
                log: log,
                database: pool,
                progress: progress,
                logger: silent,
                growth: { following == .everything ? writer.growth() : AsyncStream { _ in } }
            ) { events, _ in told(number, events) }
        }
        let fixture = ProjectionFixture(
            pool: pool,
            log: log,
            writer: writer,
            readModels: ReadModels(
                log: log,
                database: pool,
                progress: progress[0],
                patience: .seconds(60)
            ),
            progress: progress
        )
        try await withThrowingTaskGroup { group in
            group.addTask(name: "writer") { try await writer.run() }
            for projector in projectors {
                group.addTask(name: "projector") { try await projector.run() }
            }
            defer { group.cancelAll() }
            try await writer.whenOpen()
            try await body(fixture)
        }
        await pool.close()
    }

    /// One that thinks every log long, and so loads what nobody has folded.
    func loadingProjector(_ progress: Progress) -> Projector {
        Projector(
            log: log,
            database: pool,
            progress: progress,
            logger: .silent,
            loadMinimum: 1,
            growth: { [writer] in writer.growth() },
            listener: { _, _ in }
        )
    }

    @discardableResult
    func perform(_ command: some Command) async throws -> Receipt {
        try await writer.perform(CommandRequest(command))
    }

    func registerHarbour() async throws {
        try await perform(registration(of: harbour))
    }

    /// Registers harbour, and applies one change that raises the iOS minimum.
    func applyOneChange(to version: String) async throws {
        if writer.logState.app(harbour) == nil { try await registerHarbour() }
        try await apply(raise(to: version, base: writer.logState.position, by: alice).operations)
    }

    /// Has alice propose operations, and the system approve them.
    @discardableResult
    func apply(
        _ operations: [PlimsollDomain.Operation],
        until end: Instant? = nil
    ) async throws -> ChangeID {
        let base = writer.logState.position
        try await perform(
            PlimsollTestSupport.propose(operations, base: base, until: end, by: alice)
        )
        let id = try openChange()
        guard let change = writer.logState.openChange(id), let app = writer.logState.app(harbour)
        else {
            return id
        }
        try await perform(
            approval(of: id, seen: testHash(change.content(against: app)), by: .system)
        )
        return id
    }

    /// Lets Alice in, who proposes in these tests.
    func letAliceIn() async throws {
        try await perform(
            IssueToken(
                token: sampleToken(of: alice),
                grants: [RoleGrant(.proposer, in: .all)],
                by: .system
            )
        )
    }

    private func openChange() throws -> ChangeID {
        change(writer.logState.nextChange.rawValue - 1)
    }
}
