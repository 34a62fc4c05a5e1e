import Foundation
import Logging
import PlimsollAPI
import PlimsollDomain
import PlimsollSystem
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
@testable import PlimsollService
import Testing

/// The use cases and what dispatchers need, on a database of the test's own, with a clock that only
/// pauses move.
struct HookHouse: Sendable {
    let useCases: UseCases
    let writer: Writer
    let store: WebhookProgressStore
    let sender: WebhookSender
    let clock = PausedClock()
    /// The machine's own, which stands unless a test sets it.
    let wallClock = PausedClock()
    private let pool: SessionPool
    private let log: EventLog
    private let progress = Progress()
    let connection: ConnectionString

    /// May administer everything.
    static let administrator = Caller(principal: root, authentication: .service)

    /// Within another one's body it is another instance on the same database, and may share its key.
    static func with(
        lookingEvery pollInterval: Duration = .seconds(1),
        sharing key: WebhookKey? = nil,
        _ body: (HookHouse) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let own = WebhookKey(folder / WebhookKey.fileName)
            let house = try HookHouse(key ?? own, pollInterval)
            let projector = Projector(
                log: house.log,
                database: house.pool,
                progress: house.progress,
                logger: silent,
                growth: { house.writer.growth() },
                listener: { _, _ in }
            )
            try await withThrowingTaskGroup { group in
                defer { group.cancelAll() }
                group.addTask(name: "writer") { try await house.writer.run() }
                group.addTask(name: "projector") { try await projector.run() }
                try await house.writer.whenOpen()
                try await house.settle()
                try await body(house)
            }
            await house.pool.close()
        }
    }

    private init(_ key: WebhookKey, _ pollInterval: Duration) throws {
        let (clock, wallClock) = (clock, wallClock)
        connection = try ScratchDatabase.current.connection
        pool = SessionPool(connection, settings: .service)
        log = EventLog(pool)
        store = WebhookProgressStore(pool)
        writer = Writer(
            log: log,
            logger: silent,
            pollInterval: pollInterval,
            clock: { clock.now }
        )
        var limits = SendingLimits()
        limits.answer = .seconds(10)
        sender = WebhookSender(
            key,
            WebhookTransport(.local, limits: limits),
            logger: silent,
            now: { clock.now },
            wallClock: { wallClock.now }
        )
        useCases = UseCases(
            writer: writer,
            readModels: ReadModels(
                log: log,
                database: pool,
                progress: progress,
                patience: .seconds(60)
            ),
            directory: Directory(pool),
            keys: KeyMaker(
                make: { KeyRecord(id: KeyID(UUID()), app: $0, publicKey: [1]) },
                discard: { _ in },
                keep: { _, _, _ in throw KeyUnusable(reason: "nobody keeps keys here") },
                prove: { _ in }
            ),
            logFiles: LogFiles(log),
            webhooks: WebhookOperations(sender, .local, store),
            trustsClock: { clock.isTrusted },
            clock: { clock.now }
        )
    }

    private func settle() async throws {
        guard writer.logState.position == .start else { return }
        _ = try await writer.perform(
            CommandRequest(
                AdmitPrincipal(root, grants: [RoleGrant(.admin, in: .all)], by: .system)
            )
        )
        for app in [harbour, slug("quay")] {
            _ = try await useCases.registerApp(
                RegistrationForm(slug: app, settings: settings()),
                request()
            )
        }
    }

    func request(_ mode: WriteOptions.Mode = .commit) -> WriteRequest {
        WriteRequest(caller: Self.administrator, id: "r", identity: .once(), mode: mode)
    }

    /// Has events sent to a port of this machine.
    @discardableResult
    func register(
        _ port: Int,
        scope: Scope = .all,
        types: [String] = [],
        _ change: (inout WebhookSettings) -> Void = { _ in }
    ) async throws -> WebhookID {
        try await registered(port, scope: scope, types: types, change).webhook.id
    }

    func registered(
        _ port: Int,
        scope: Scope = .all,
        types: [String] = [],
        _ change: (inout WebhookSettings) -> Void = { _ in }
    ) async throws -> SecretWebhookAnswer {
        let url = try #require(WebhookURL("http://127.0.0.1:\(port)/"))
        var settings = WebhookSettings(
            url: url,
            scope: scope,
            types: types.compactMap(EventName.init)
        )
        change(&settings)
        return try await useCases.registerWebhook(settings, request())
    }

    /// An act of several events; answers where it ended.
    func registerApp(_ name: String) async throws -> Position {
        _ = try await useCases.registerApp(
            RegistrationForm(slug: slug(name), settings: PlimsollTestSupport.settings()),
            request()
        )
        return writer.logState.position
    }

    /// Something happens; answers where.
    @discardableResult
    func happen() async throws -> Position {
        try await writer.perform(CommandRequest(OrderRenewal(app: harbour))).position
    }

    func webhook(_ id: WebhookID) throws -> Webhook {
        try #require(writer.logState.webhooks[id])
    }

    func enable(_ id: WebhookID) async throws {
        try await useCases.perform(EnableWebhook(id, reason: nil, by: root), request())
    }

    func disable(_ id: WebhookID) async throws {
        try await useCases.perform(DisableWebhook(id, reason: nil, by: root), request())
    }

    func replay(to id: WebhookID, since: Position, until: Position) async throws {
        let command = ReplayToWebhook(id, since: since, until: until, by: root)
        try await useCases.perform(command, request())
    }

    func remove(_ id: WebhookID) async throws {
        try await useCases.perform(RemoveWebhook(id, reason: nil, by: root), request())
    }

    func deliveries(to id: WebhookID) async throws -> [DeliveryAnswer] {
        try await store.deliveries(to: id, before: nil, limit: 1000, at: clock.now).reversed()
            .map(\.answer)
    }

    /// Waits until it is written down that everything up to there was delivered.
    func settle(_ id: WebhookID, at position: Position) async throws {
        try await eventually("the delivery of \(position) is written down") {
            try await store.place(of: id)?.delivered == position
        }
    }

    /// A dispatcher works while the body runs, and is cut short then.
    func withDispatcher<Result: Sendable>(
        _ change: (inout DispatcherParts) -> Void = { _ in },
        _ body: () async throws -> Result
    ) async throws -> Result {
        var parts = DispatcherParts(
            useCases: useCases,
            sender: sender,
            store: store,
            lead: Leadership(
                .courier,
                on: connection,
                isAlone: true,
                terms: LeaseTerms(length: .seconds(600))
            ),
            logger: silent
        )
        parts.intervals.check = .milliseconds(10)
        parts.intervals.look = .seconds(60)
        parts.chance = { 1 }
        parts.pause = { [clock] in try await clock.pause($0) }
        change(&parts)
        let dispatcher = WebhookDispatcher(parts)
        return try await withThrowingTaskGroup { group in
            group.addTask(name: "dispatcher") { try await dispatcher.run() }
            let result = try await body()
            group.cancelAll()
            try await group.waitForAll()
            return result
        }
    }
}
