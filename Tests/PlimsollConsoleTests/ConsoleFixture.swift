import Crypto
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import PlimsollAPI
import PlimsollDomain
import PlimsollHTTP
import PlimsollPostgres
import PlimsollService
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// A database with the service's tables, copied for each test.
let consoleTemplate = ScratchTemplate("console", scripts: StoreSchema.migrations.map(\.sql))

/// The console on a database of its own, with the app `harbour`.
struct ConsoleFixture: Sendable {
    let useCases: UseCases
    private let writer: Writer
    private let client: any TestClientProtocol

    /// Tells of each connection whose it is.
    static func with(
        knowing know: @escaping @Sendable (PrincipalID) -> Void = { _ in },
        _ body: @escaping @Sendable (ConsoleFixture) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let authentication = EntryAuthentication(keysIn: EntryKeyFolder(folder))
            try authentication.prepare()
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let pool = SessionPool(try ScratchDatabase.current.connection, settings: .service)
            let log = EventLog(pool, authentication: authentication)
            let writer = Writer(log: log, logger: logger)
            let progress = Progress()
            let projector = Projector(
                log: log,
                database: pool,
                progress: progress,
                logger: logger,
                growth: { writer.growth() },
                listener: { _, _ in }
            )
            let useCases = UseCases(
                writer: writer,
                readModels: ReadModels(
                    log: log,
                    database: pool,
                    progress: progress,
                    patience: .seconds(60)
                ),
                directory: Directory(pool),
                keys: .keepingNone,
                logFiles: LogFiles(log),
                sessions: SessionStore(pool, authentication),
                clock: { Instant.now }
            )
            let application = Application(
                responder: Console(dependencies: Dependencies(useCases: useCases)) { know($1) },
                services: [pool, writer, projector],
                logger: logger
            )
            try await application.test(.router) { client in
                try await writer.whenOpen()
                let console = ConsoleFixture(useCases: useCases, writer: writer, client: client)
                try await console.register(harbour, harbourSettings)
                try await body(console)
            }
        }
    }

    func register(_ slug: AppSlug, _ settings: AppSettings) async throws {
        let registration = RegistrationForm(slug: slug, settings: settings)
        _ = try await useCases.registerApp(registration, request(by: .system))
    }

    /// Raises the minimum of the app `harbour` at once, and answers the event that did it.
    func raise(
        _ platform: Platform,
        to value: VersionValue,
        by browser: ConsoleBrowser
    ) async throws -> Position {
        let form = EmergencyForm(
            title: try Title(validating: "Raise the line"),
            reason: try Reason(validating: "3.1 loses bookings"),
            incident: try Title(validating: "INC-731"),
            operations: [
                Operation(platform, .minimumApp, .setValue(value)),
                Operation(
                    platform,
                    .minimumApp,
                    .setText(.description, tag("en"), try text("Update to \(value)."))
                ),
            ]
        )
        let request = request(by: browser.caller)
        let answer = try await useCases.declareEmergency(form, in: harbour, request)
        return try #require(answer.position)
    }

    /// Says that the app `harbour` was published as it was at a position.
    func publish(_ position: Position) async throws {
        let record = PublicationRecord(
            sequence: SnapshotSequence(orderedBy: position),
            position: position,
            manifestDigest: String(repeating: "5a", count: 32),
            keys: []
        )
        let command = RecordPublication(app: harbour, event: .snapshotPublished(record))
        _ = try await writer.perform(CommandRequest(command))
    }

    /// Has the service read only from now on.
    func readOnly(because prohibition: Prohibition) { writer.forbid(because: prohibition) }

    func request(by caller: Caller) -> WriteRequest {
        WriteRequest(caller: caller, id: "r", identity: .once(), mode: .commit)
    }

    /// A browser with a cookie that opens nothing.
    func stranger() throws -> ConsoleBrowser {
        let text = "\(SessionID(UUID())).\(String(repeating: "5e", count: 32))"
        return ConsoleBrowser(
            principal: alice,
            language: "en",
            cookie: try #require(SessionCookie(text)),
            client: client
        )
    }

    /// Lets somebody in who has these roles, and signs their browser in.
    func browser(
        of name: String,
        _ roles: [RoleGrant],
        language: String = "en"
    ) async throws -> ConsoleBrowser {
        let form = TokenForm(name: try Title(validating: name), roles: roles)
        let issued = try await useCases.issueToken(form, request(by: .system))
        let secret = try #require(issued.secret)
        let cookie = try #require(try await useCases.signIn(secret, agent: "A browser"))
        return ConsoleBrowser(
            principal: issued.token.principal,
            language: language,
            cookie: cookie,
            client: client
        )
    }
}

/// A browser without scripts that somebody is signed in with.
struct ConsoleBrowser: Sendable {
    let principal: PrincipalID
    let language: String
    fileprivate let cookie: SessionCookie
    fileprivate let client: any TestClientProtocol

    var caller: Caller { Caller(principal: principal, authentication: .service) }

    /// The page at an address, asked for on another one or on itself.
    func page(_ address: String, from former: String? = nil) async throws -> ConsoleAnswer {
        try await ask(address, .get, "", from: former)
    }

    /// Sends a form of the session with these fields.
    func send(
        _ fields: [(name: String, value: String)],
        to address: String
    ) async throws -> ConsoleAnswer {
        let form = FormFields([("_form", cookie.formKey)] + fields)
        return try await ask(address, .post, form.encoded)
    }

    private func ask(
        _ address: String,
        _ method: HTTPRequest.Method,
        _ body: String,
        from former: String? = nil
    ) async throws -> ConsoleAnswer {
        var headers: HTTPFields = [
            .accept: "text/html", .acceptLanguage: language,
            .cookie: "\(sessionCookieName)=\(cookie.text)",
        ]
        headers[.referer] = former.map { "https://console.example\($0)" }
        let response = try await client.executeRequest(
            uri: address,
            method: method,
            headers: headers,
            body: ByteBuffer(string: body)
        )
        return ConsoleAnswer(
            status: response.status,
            target: response.headers[.location],
            text: String(buffer: response.body)
        )
    }
}

/// A page, or where to go for one.
struct ConsoleAnswer: Sendable {
    let status: HTTPResponse.Status
    let target: String?
    let text: String

    /// What the page's form to an address sends of its own.
    func hidden(inFormTo address: String) throws -> [(name: String, value: String)] {
        let forms = text.split(separator: "<form").filter {
            $0.prefix { $0 != ">" }.contains("method=\"post\" action=\"\(address)\"")
        }
        let form = try #require(forms.first)
        return form.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/).map {
            (name: String($0.output.1), value: String($0.output.2))
        }
    }
}

extension KeyMaker {
    fileprivate static let keepingNone = KeyMaker(
        make: { made(for: $0) },
        discard: { _ in },
        keep: { _, app, _ in KeptKey(made(for: app), isNew: true) },
        prove: { _ in }
    )

    private static func made(for app: AppSlug) -> KeyRecord {
        let key = P256.Signing.PrivateKey().publicKey
        return KeyRecord(id: KeyID(UUID()), app: app, publicKey: Array(key.derRepresentation))
    }
}
