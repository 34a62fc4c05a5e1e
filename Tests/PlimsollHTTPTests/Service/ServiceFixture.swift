import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import PlimsollAPI
import PlimsollDomain
import PlimsollSystem
import PlimsollJSON
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

@testable import PlimsollHTTP

/// A database with the service's tables, copied for each test.
let serviceTemplate = ScratchTemplate("http", scripts: StoreSchema.migrations.map(\.sql))

/// The administration on a database of its own, with the app `harbour` and somebody in each role.
///
/// Every answer it gives is held against the description of the interface: the status has to be
/// documented for the route, and the body has to fit the schema.
struct ServiceFixture: Sendable {
    let client: any TestClientProtocol
    let useCases: UseCases
    let log: EventLog
    let writer: Writer
    let webhookKey: WebhookKey
    /// The keys that cannot sign.
    let unusableKeys: UnusableKeys
    /// The writer's.
    let clock: TestClock
    /// The secrets of tokens, by the role of their owners.
    private(set) var tokens: [Role: String] = [:]

    static func with(
        _ framework: TestingSetup = .router,
        witnesses: [Cosigner] = [],
        notificationSecrets: [String] = [],
        stopSignal: StopSignal = StopSignal(),
        trustsClock: @escaping @Sendable () -> Bool = { true },
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: @escaping @Sendable (ServiceFixture) async throws -> Void
    ) async throws {
        let pool = try servicePool()
        let keys = FileManager.default.temporaryDirectory
            .appending(path: "plimsoll-http-\(UUID().uuidString)")
        // The test has said by then what it had to say.
        defer { try? FileManager.default.removeItem(at: keys) }
        let authentication = try preparedAuthentication(keysIn: Path(keys.path))
        let log = EventLog(pool, authentication: authentication)
        let (clock, progress) = (TestClock(), Progress())
        let writer = Writer(log: log, logger: logger, clock: { clock.now })
        let projector = projector(log, pool, progress, writer, logger)
        let key = WebhookKey(Path(keys.path) / WebhookKey.fileName)
        let sender = sender(key, logger)
        let (unusableKeys, secrets) = (UnusableKeys(), NotificationSecrets(notificationSecrets))
        let useCases = UseCases(
            writer: writer,
            readModels: patientReadModels(log, pool, progress),
            directory: Directory(pool),
            keys: KeyMaker(unusableKeys),
            logFiles: LogFiles(log, witnesses: witnesses.map(\.verifierKey)),
            webhooks: WebhookOperations(sender, .local, WebhookProgressStore(pool)),
            accounts: AccountMemory { account in { account.count } },
            sessions: SessionStore(pool, authentication),
            trustsClock: trustsClock,
            clock: { Instant.now }
        )
        let dependencies = Dependencies(
            useCases: useCases,
            stopSignal: stopSignal,
            notificationSecrets: secrets
        )
        let application = Application(
            router: buildRouter(dependencies: dependencies),
            services: [pool, writer, projector],
            logger: logger
        )
        try await application.test(framework) { client in
            try await writer.whenOpen()
            var fixture = ServiceFixture(
                client: client,
                useCases: useCases,
                log: log,
                writer: writer,
                webhookKey: key,
                unusableKeys: unusableKeys,
                clock: clock
            )
            try await fixture.settle()
            #expect(await progress.wait(for: writer.logState.position, patience: .seconds(120)))
            try await body(fixture)
        }
    }

    private static func sender(_ key: WebhookKey, _ logger: Logger) -> WebhookSender {
        WebhookSender(
            key,
            WebhookTransport(.local),
            logger: logger,
            now: { Instant.now },
            wallClock: { Instant.now }
        )
    }

    private static func projector(
        _ log: EventLog,
        _ pool: SessionPool,
        _ progress: PlimsollStore.Progress,
        _ writer: Writer,
        _ logger: Logger
    ) -> Projector {
        Projector(
            log: log,
            database: pool,
            progress: progress,
            logger: logger,
            growth: { writer.growth() },
            listener: { _, _ in }
        )
    }

    private static func servicePool() throws -> SessionPool {
        SessionPool(try ScratchDatabase.current.connection, settings: .service)
    }

    private static func preparedAuthentication(keysIn keys: Path) throws -> EntryAuthentication {
        let authentication = EntryAuthentication(keysIn: EntryKeyFolder(keys / EntryKeyFolder.name))
        try authentication.prepare()
        return authentication
    }

    /// Signs a browser in; answers the id of its session.
    func signIn(as role: Role) async throws -> String {
        let cookie = try await useCases.signIn(try token(role), agent: "A browser")
        return try #require(cookie).id.description
    }

    func token(_ role: Role) throws -> String {
        try #require(tokens[role])
    }

    /// Sends a request and holds the answer against the description.
    func send(
        _ method: HTTPRequest.Method,
        _ uri: String,
        as role: Role? = nil,
        _ body: JSONValue? = nil,
        headers: HTTPFields = [:]
    ) async throws -> ServiceAnswer {
        var headers = headers
        if body != nil { headers[.contentType] = "application/json" }
        return try await send(
            method,
            uri,
            as: role,
            bytes: body?.canonicalBytes(),
            headers: headers
        )
    }

    /// Sends bytes, whatever they are.
    func send(
        _ method: HTTPRequest.Method,
        _ uri: String,
        as role: Role? = nil,
        bytes: [UInt8]?,
        headers: HTTPFields = [:]
    ) async throws -> ServiceAnswer {
        var headers = headers
        if let role { headers[.authorization] = "Bearer \(try token(role))" }
        let response = try await client.executeRequest(
            uri: uri,
            method: method,
            headers: headers,
            body: bytes.map { ByteBuffer(bytes: $0) }
        )
        let answer = try ServiceAnswer(response)
        let path = uri.split(separator: "?").first.map(String.init) ?? "/"
        #expect(Contract.service.faults(in: answer, to: method, path) == [])
        return answer
    }

    /// The last position in the database, whatever anybody says of it.
    func logEnd() async throws -> Position { try await log.head().position }

    /// Where the log ends, as the service tells it.
    func head() async throws -> Int64 {
        let app = try await send(.get, "/v1/apps/harbour", as: .admin)
        return try #require(app.json["position"]?.integer)
    }

    /// Proposes a change; its answer has the digest.
    func propose(
        _ operations: JSONValue,
        as role: Role = .proposer,
        headers: HTTPFields = [:]
    ) async throws -> ServiceAnswer {
        try await send(
            .post,
            "/v1/apps/harbour/changes",
            as: role,
            [
                "title": "Raise the line", "reason": "3.1 loses data",
                "base": .integer(try await head()), "operations": operations,
            ],
            headers: headers
        )
    }

    /// Proposes a change and approves it.
    func apply(_ operations: JSONValue) async throws {
        let applied = try await approve(propose(operations))
        try #require(applied.json["state"] == "applied")
    }

    /// Approves what an answer shows.
    func approve(_ change: ServiceAnswer, as role: Role = .approver) async throws -> ServiceAnswer {
        let id = try #require(change.json["id"]?.string)
        return try await send(
            .post,
            "/v1/changes/\(id)/approve",
            as: role,
            headers: [.ifMatch: change.tag]
        )
    }

    /// Lets the first administrator in, registers the app and lets the others in.
    private mutating func settle() async throws {
        let first = try await useCases.issueToken(
            TokenForm(
                name: try Title(validating: "admin"),
                principal: nil,
                roles: [RoleGrant(.admin, in: .all)],
                expiresAt: nil
            ),
            WriteRequest(caller: .system, id: "r", identity: .once(), mode: .commit)
        )
        tokens[.admin] = first.secret
        let app = try await send(.post, "/v1/apps", as: .admin, registration)
        #expect(app.status == .created)
        for role in Role.allCases where role != .admin {
            let answer = try await send(
                .post,
                "/v1/tokens",
                as: .admin,
                ["name": .string(role.rawValue), "roles": [["role": .string(role.rawValue)]]]
            )
            tokens[role] = answer.json["token"]?.string
        }
    }
}

private let registration: JSONValue = [
    "slug": "harbour", "name": "Harbour", "platforms": ["ios", "android"],
    "languages": ["en-GB", "en"], "fallbackLanguage": "en-GB",
]
/// What came back.
struct ServiceAnswer: CustomStringConvertible {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let bytes: [UInt8]
    /// Null where the body is no JSON.
    let json: JSONValue

    init(_ response: TestResponse) throws {
        status = response.status
        headers = response.headers
        bytes = Array(response.body.readableBytesView)
        let isJSON = response.headers[.contentType]?.hasSuffix("json") ?? false
        let isLines = response.headers[.contentType] == ContentType.ndjson.rawValue
        let limits = JSONLimits(sizeMaximum: 16 * 1024 * 1024)
        json =
            isJSON && !isLines && !bytes.isEmpty
            ? try JSONValue(parsing: bytes, limits: limits) : .null
    }

    var description: String { "\(status) \(String(decoding: bytes.prefix(1000), as: UTF8.self))" }

    var tag: String { headers[.eTag] ?? "" }

    /// Where the errors stand in the body.
    var pointers: [String] { members("pointer") }
    var faultyHeaders: [String] { members("header") }
    var faultyParameters: [String] { members("parameter") }
    var codes: [String] { members("code") }

    private func members(_ name: String) -> [String] {
        (json["errors"]?.array ?? []).compactMap { $0[name]?.string }
    }
}

extension Admission {
    /// What tests send to, and nothing else that is reserved.
    static var local: Admission {
        guard let network = IPNetwork("127.0.0.1/32") else {
            preconditionFailure("the address of this machine is one")
        }
        return Admission(allowsUnencrypted: true, networks: [network])
    }
}

extension ServiceFixture {
    /// An entry key in the place of which another one has come long enough ago.
    func replacedEntryKey() async throws -> String {
        let first = try await send(.post, "/v1/log/entry-keys", as: .admin, [:])
        try #require(first.status == .ok)
        let next = try await send(.post, "/v1/log/entry-keys", as: .admin, [:])
        try #require(next.status == .ok)
        clock.step(RetireEntryKey.overlap)
        return try #require(first.json["id"]?.string)
    }
}

private func patientReadModels(
    _ log: EventLog,
    _ pool: SessionPool,
    _ progress: PlimsollStore.Progress
) -> ReadModels {
    ReadModels(log: log, database: pool, progress: progress, patience: .seconds(60))
}
