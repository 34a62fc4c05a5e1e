import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import PlimsollAPI
import PlimsollDomain
import PlimsollHTTP
import PlimsollPostgres
import PlimsollService
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole
@testable import PlimsollStore

/// What somebody whose name is `The Reader` and who has these roles is shown of a page that is made on
/// their visit.
///
/// Nothing behind it is there: a page that asks the interface for anything cannot be made.
func shown(
    to roles: [RoleGrant] = [],
    _ page: @escaping @Sendable (Visit) throws -> PlimsollConsole.Page
) async throws -> String {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let frontend = Frontend(Dependencies(useCases: useCasesOfNothing(logger)))
    let secret = String(repeating: "5e", count: 32)
    let cookie = try #require(SessionCookie("\(SessionID(UUID())).\(secret)"))
    let session = ConsoleSession(
        id: cookie.id,
        principal: rita,
        token: TokenID(UUID()),
        openedAt: testNow,
        usedAt: testNow,
        provenAt: testNow,
        agent: "test"
    )
    let caller = Caller(principal: rita, authentication: .token(session.token))
    let router = Router(context: PlimsollContext.self)
    router.get("page") { request, context in
        var visit = Visit(request, context, session, caller, cookie, frontend)
        visit.identity = IdentityAnswer(
            principal: rita,
            name: "The Reader",
            roles: roles,
            token: nil,
            expiresAt: nil
        )
        return visit.response(try page(visit))
    }
    return try await Application(router: router, logger: logger).test(.router) { client in
        try await client.execute(uri: "/page", method: .get) { response in
            #expect(response.status == .ok)
            return String(buffer: response.body)
        }
    }
}

func useCasesOfNothing(_ logger: Logger, _ authentication: EntryAuthentication? = nil) -> UseCases {
    let pool = SessionPool(ConnectionString("host=/nowhere"))
    let log = EventLog(pool)
    let unusable = KeyUnusable(reason: "nobody keeps keys here")
    return UseCases(
        writer: Writer(log: log, logger: logger),
        readModels: ReadModels(log: log, database: pool, progress: Progress()),
        directory: Directory(pool),
        keys: KeyMaker(
            make: { _ in throw unusable },
            discard: { _ in },
            keep: { _, _, _ in throw unusable },
            prove: { _ in throw unusable }
        ),
        logFiles: LogFiles(log),
        sessions: authentication.map { SessionStore(pool, $0) },
        clock: { testNow }
    )
}
