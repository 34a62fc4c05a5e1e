import FoundationEssentials
import Logging
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
@testable import PlimsollService
import Synchronization
import Testing

/// A database with all tables, copied for each test.
let houseTemplate = ScratchTemplate("usecases", scripts: StoreSchema.migrations.map(\.sql))

/// The use cases on a database of the test's own, with an administrator and a clock that stands.
struct House: Sendable {
    let useCases: UseCases
    let writer: Writer
    let log: EventLog
    let keys = KeyCabinet()
    let clock: StandingClock
    /// May administer everything.
    let administrator: Caller

    /// Which of the parts behind the use cases run.
    enum Parts {
        case all
        case withoutProjector
        /// All of them, and nobody is let in: nothing has happened yet, or another house did it.
        case untouched
        case none
    }

    static func with(
        _ parts: Parts = .all,
        clock: StandingClock = StandingClock(),
        lookingEvery pollInterval: Duration = .seconds(1),
        _ body: (House) async throws -> Void
    ) async throws {
        let pool = SessionPool(try ScratchDatabase.current.connection, settings: .service)
        // Without a projector a question waits for it in vain.
        let patience: Duration = parts == .withoutProjector ? .seconds(2) : .seconds(60)
        let house = House(pool, clock, patience, pollInterval)
        let progress = house.useCases.readModels.progress
        let projector = Projector(
            log: house.log,
            database: pool,
            progress: progress,
            logger: silent,
            growth: { house.writer.growth() },
            listener: { _, _ in }
        )
        try await withThrowingTaskGroup { group in
            defer { group.cancelAll() }
            if parts != .none { group.addTask(name: "writer") { try await house.writer.run() } }
            if parts == .all || parts == .untouched {
                group.addTask(name: "projector") { try await projector.run() }
            }
            if parts != .none {
                try await house.writer.whenOpen()
            }
            if parts != .none, parts != .untouched {
                try await house.settle()
            }
            try await body(house)
        }
        await pool.close()
    }

    private init(
        _ pool: SessionPool,
        _ clock: StandingClock,
        _ patience: Duration,
        _ pollInterval: Duration
    ) {
        self.clock = clock
        let keys = keys
        log = EventLog(pool)
        writer = Writer(
            log: log,
            logger: silent,
            pollInterval: pollInterval,
            timekeeper: clock.timekeeper,
            clock: { clock.now }
        )
        useCases = UseCases(
            writer: writer,
            readModels: ReadModels(
                log: log,
                database: pool,
                progress: Progress(),
                patience: patience
            ),
            directory: Directory(pool),
            keys: KeyMaker(
                make: { try keys.make($0) },
                discard: { keys.discard($0) },
                keep: { place, app, mode in try keys.keep(place, for: app, mode) },
                prove: { try keys.prove($0) }
            ),
            logFiles: LogFiles(log),
            trustsClock: { clock.isTrusted },
            clock: { clock.now }
        )
        administrator = Caller(principal: root, authentication: .service)
    }

    private func settle() async throws {
        _ = try await writer.perform(
            CommandRequest(
                AdmitPrincipal(root, grants: [RoleGrant(.admin, in: .all)], by: .system)
            )
        )
    }

    var head: Position { writer.logState.position }

    /// Somebody with these roles, whom the service itself let in.
    func caller(_ roles: Role..., in scope: Scope = .all) async throws -> Caller {
        let principal = try await useCases.admit(
            Title(validating: "Somebody"),
            roles.map { RoleGrant($0, in: scope) },
            request(by: .system)
        )
        return Caller(principal: principal, authentication: .service)
    }

    /// A request under a name of its own, or under a given one to be repeated.
    func request(
        by caller: Caller,
        named name: String? = nil,
        saying body: String = "",
        _ mode: WriteOptions.Mode = .commit
    ) -> WriteRequest {
        let identity =
            name.map {
                CommandIdentity.keyed(
                    $0,
                    by: caller.principal,
                    method: "POST",
                    path: "/",
                    body: Array(body.utf8)
                )
            } ?? .once()
        return WriteRequest(caller: caller, id: "r", identity: identity, mode: mode)
    }

    @discardableResult
    func register(_ slug: AppSlug = harbour) async throws -> AppAnswer {
        try await useCases.registerApp(
            RegistrationForm(slug: slug, settings: settings()),
            request(by: administrator)
        )
    }

    /// A change of the minimum iOS app, with the text that it needs.
    func proposal(_ version: String, base: Position? = nil) throws -> ProposalForm {
        ProposalForm(
            title: try Title(validating: "Raise to \(version)"),
            reason: try Reason(validating: "It loses data."),
            base: base ?? head,
            operations: [
                Operation(.ios, .minimumApp, .setValue(dotted(version))),
                Operation(
                    .ios,
                    .minimumApp,
                    .setText(.description, tag("en"), try text("Update to \(version)."))
                ),
            ]
        )
    }

    func propose(_ version: String, by author: Caller) async throws -> ChangeAnswer {
        try await propose(proposal(version), by: author)
    }

    func propose(
        _ proposal: ProposalForm,
        for app: AppSlug = harbour,
        by author: Caller
    ) async throws -> ChangeAnswer {
        try await useCases.propose(proposal, for: app, request(by: author)).change
    }

    func approve(_ change: ChangeAnswer, by approver: Caller) async throws -> ChangeAnswer {
        try await useCases.approve(
            change.id,
            seen: try #require(change.digest),
            ApprovalForm(),
            request(by: approver)
        )
    }

    func turnDown(
        _ change: ChangeAnswer,
        _ verdict: TurnDownChange.Verdict,
        because reason: String,
        by approver: Caller
    ) async throws -> ChangeAnswer {
        let command = TurnDownChange(
            change: change.id,
            verdict: verdict,
            seen: try #require(change.digest),
            reason: try Reason(validating: reason),
            by: approver.principal,
            hash: ChangeDigest.init(of:)
        )
        return try await useCases.decide(command, request(by: approver))
    }

    @discardableResult
    func suspend(
        _ principal: PrincipalID,
        because reason: Reason
    ) async throws -> PrincipalStandingAnswer {
        let command = SuspendPrincipal(principal, reason: reason, by: administrator.principal)
        let request = request(by: administrator)
        return try await useCases.standing(of: principal, after: command, request)
    }

    func revoke(_ grant: RoleGrant, of principal: PrincipalID) async throws {
        let by = administrator.principal
        let command = RevokeRole(grant, of: principal, reason: nil, by: by)
        try await useCases.perform(command, request(by: administrator))
    }

    /// The whole road of a change; answers where it was applied.
    @discardableResult
    func apply(_ version: String) async throws -> ChangeAnswer {
        let author = try await caller(.proposer)
        return try await approve(
            try await propose(version, by: author),
            by: try await caller(.approver)
        )
    }

    /// The minimum iOS app that is live.
    var minimum: String? {
        writer.logState.app(harbour)?.document(.ios)[.minimumApp].value?.description
    }
}

extension ChangeAnswer {
    var id: ChangeID { summary.id }
    var author: PrincipalID { summary.author }
    var state: ChangeState { summary.state }
    var base: Position { summary.base }
    var position: Position { summary.position }
}

/// What was objected to; an accepted request fails the test.
func objections(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async throws -> [Objection] {
    do {
        try await body()
    } catch UseCaseError.refused(let refusal) {
        return refusal.objections
    }
    Issue.record("it was accepted", sourceLocation: sourceLocation)
    return []
}

/// Makes keys that nobody signs with, and remembers which are still kept.
final class KeyCabinet: Sendable {
    private struct State {
        var kept: Set<KeyID> = []
        var made = 0
        var isFull = false
        var unusable: Set<KeyID> = []
        var whenMade: @Sendable () -> Void = {}
    }

    struct Full: Error {}

    private let state = Mutex(State())

    var kept: Set<KeyID> { state.withLock(\.kept) }
    var made: Int { state.withLock(\.made) }

    /// From now on no key can be kept.
    func fill() { state.withLock { $0.isFull = true } }

    /// From now on something happens whenever a key was made.
    func whenMade(_ act: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenMade = act }
    }

    /// From now on the key cannot sign.
    func spoil(_ id: KeyID) { state.withLock { _ = $0.unusable.insert(id) } }

    func prove(_ key: KeyRecord) throws {
        if state.withLock({ $0.unusable.contains(key.id) }) {
            throw KeyUnusable(reason: "its signer is away")
        }
    }

    /// Only what lies in files of their own is found here.
    func keep(_ place: KeyPlace, for app: AppSlug, _ mode: WriteOptions.Mode) throws -> KeptKey {
        switch place {
        case .made where mode == .commit: KeptKey(try make(app), isNew: true)
        case .made: KeptKey(record(KeyID(UUID()), of: app), isNew: false)
        case .file(let id): KeptKey(record(id, of: app), isNew: false)
        case .environment, .service: throw KeyUnusable(reason: "nothing is there")
        }
    }

    private func record(_ id: KeyID, of app: AppSlug) -> KeyRecord {
        KeyRecord(id: id, app: app, publicKey: Array(id.text.utf8))
    }

    func make(_ app: AppSlug) throws -> KeyRecord {
        let key = record(KeyID(UUID()), of: app)
        let act = try state.withLock { state in
            if state.isFull { throw Full() }
            state.made += 1
            state.kept.insert(key.id)
            return state.whenMade
        }
        act()
        return key
    }

    func discard(_ key: KeyRecord) {
        state.withLock { state in _ = state.kept.remove(key.id) }
    }
}

/// Stands until it is moved, or made to go.
final class StandingClock: Sendable {
    private struct State {
        var instant = Instant(millisecondsSince1970: 1_795_000_000_000)
        var start: ContinuousClock.Instant?
        var isTrusted = true
    }

    /// Says the time instead, where there is one.
    let timekeeper: Timekeeper?
    private let state = Mutex(State())

    init(timekeeper: Timekeeper? = nil) {
        self.timekeeper = timekeeper
    }

    var isTrusted: Bool {
        get { timekeeper?.isTrusted ?? state.withLock(\.isTrusted) }
        set { state.withLock { $0.isTrusted = newValue } }
    }

    var now: Instant {
        if let timekeeper { return timekeeper.now }
        return state.withLock { state in
            state.instant.advanced(by: state.start.map { ContinuousClock.now - $0 } ?? .zero)
        }
    }

    func advance(by duration: Duration) {
        state.withLock { $0.instant = $0.instant.advanced(by: duration) }
    }

    /// From now on it goes as time does.
    func go() {
        state.withLock { $0.start = ContinuousClock.now }
    }
}

let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }

/// Lets somebody in who audits.
func issue(
    _ name: String,
    _ house: House,
    named key: String? = nil,
    by caller: Caller? = nil,
    _ mode: WriteOptions.Mode = .commit
) async throws -> IssuedTokenAnswer {
    try await house.useCases.issueToken(
        TokenForm(
            name: try Title(validating: name),
            principal: nil,
            roles: [RoleGrant(.auditor, in: .all)],
            expiresAt: nil
        ),
        house.request(by: caller ?? house.administrator, named: key, mode)
    )
}
