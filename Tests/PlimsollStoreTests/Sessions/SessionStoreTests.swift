import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// Who is signed in, by the row in the database and the bits that only a browser has.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(2)))
struct SessionStoreTests {
    private let alice = PrincipalID(UUID())
    private let token = TokenID(UUID())

    private static let forgeries: [Statement] = [
        "UPDATE console.session SET token = gen_random_uuid()",
        "UPDATE console.session SET principal = 'b5a0e2f4-0000-4000-8000-000000000000'",
        "UPDATE console.session SET opened_at = opened_at + interval '1 hour'",
        "UPDATE console.session SET used_at = used_at + interval '1 hour'",
        "UPDATE console.session SET proven_at = proven_at + interval '1 hour'",
        "UPDATE console.session SET authenticator = sha256(authenticator)",
    ]

    private func withStore(
        _ limits: SessionLimits = SessionLimits(),
        _ body: (SessionStore, Session) async throws -> Void
    ) async throws {
        try await withAuthentication { keys in
            let authentication = EntryAuthentication(keysIn: keys)
            try authentication.prepare()
            let session = try await Session.open(ScratchDatabase.current.connection)
            try await body(SessionStore(session, authentication, limits: limits), session)
            await session.close()
        }
    }

    @Test func `a cookie opens its own session until it is ended`() async throws {
        try await withStore { store, _ in
            let cookie = try await store.open(token, of: alice, agent: "Browser")
            let session = try #require(try await store.session(of: cookie))
            #expect(session.principal == alice && session.token == token)
            #expect(session.agent == "Browser" && session.id == cookie.id)
            let read = try #require(SessionCookie(cookie.text))
            #expect(try await store.session(of: read) == session)
            #expect(try await store.sessions() == [session])
            #expect(try await store.end(cookie.id))
            #expect(try await !store.end(cookie.id))
            #expect(try await store.session(of: cookie) == nil)
        }
    }

    @Test(arguments: ["x", "e\u{301}", "\u{1F9D1}\u{200D}"])
    func `a browser that says much of itself is cut short, in code points`(
        word: String
    ) async throws {
        try await withStore { store, _ in
            let agent = word.repeated(250)
            let cookie = try await store.open(token, of: alice, agent: agent)
            let kept = try #require(try await store.session(of: cookie)).agent.unicodeScalars
            #expect(Array(kept) == Array(agent.unicodeScalars.prefix(200)))
        }
    }

    @Test func `a session begins no sooner than is said, and all of somebody's end at once`()
        async throws
    {
        try await withStore { store, _ in
            let ahead = Instant(millisecondsSince1970: 4_102_444_800_000)
            let cookie = try await store.open(token, of: alice, agent: "", noSoonerThan: ahead)
            #expect(try await store.session(of: cookie)?.openedAt == ahead)
            let long = Instant(millisecondsSince1970: 0)
            let other = try await store.open(token, of: alice, agent: "", noSoonerThan: long)
            #expect(try await store.session(of: other).map { $0.openedAt > long } == true)
            try await store.endAll(of: alice)
            #expect(try await store.sessions().isEmpty)
        }
    }

    @Test func `another cookie opens nothing`() async throws {
        try await withStore { store, _ in
            let cookie = try await store.open(token, of: alice, agent: "")
            let guess = "\(cookie.id)." + String(repeating: "0", count: 64)
            #expect(try await store.session(of: try #require(SessionCookie(guess))) == nil)
            let other = try await store.open(token, of: alice, agent: "")
            let crossed = "\(cookie.id)." + other.text.suffix(64)
            #expect(try await store.session(of: try #require(SessionCookie(crossed))) == nil)
        }
    }

    @Test(arguments: [
        "", "x", "12", "\(UUID()).00", "\(UUID().uuidString.lowercased())." + "A".repeated(64),
        "\(UUID().uuidString.lowercased())." + "0".repeated(63),
        "\(UUID().uuidString.lowercased())." + "0".repeated(64) + ".",
    ])
    func `what no browser was given is no cookie`(text: String) {
        #expect(SessionCookie(text) == nil)
    }

    // Goal: who can write to the database, and has no entry key, is nobody at the console.
    // Method: a session of one's own, made another one's; one that lasts longer; one from nothing.
    @Test(arguments: forgeries)
    func `a row that somebody else wrote opens nothing`(forgery: Statement) async throws {
        try await withStore { store, session in
            let cookie = try await store.open(token, of: alice, agent: "")
            try await session.execute(forgery)
            #expect(try await store.session(of: cookie) == nil)
        }
    }

    @Test(arguments: [true, false])
    func `a session ends without use, and in the end`(isIdle: Bool) async throws {
        var limits = SessionLimits()
        if isIdle { limits.idle = .zero } else { limits.whole = .zero }
        try await withStore(limits) { store, session in
            let cookie = try await store.open(token, of: alice, agent: "")
            #expect(try await store.session(of: cookie) == nil)
            #expect(try await store.sessions().isEmpty)
            _ = try await store.open(token, of: alice, agent: "")
            #expect(try await session.query("SELECT FROM console.session").count == 1)
        }
    }

    @Test func `a token has so many sessions, and one more ends the oldest`() async throws {
        try await withStore { store, _ in
            let first = try await store.open(token, of: alice, agent: "")
            let other = try await store.open(TokenID(UUID()), of: alice, agent: "")
            for _ in 0..<SessionStore.sessionsOfToken {
                _ = try await store.open(token, of: alice, agent: "")
            }
            #expect(try await store.session(of: first) == nil)
            #expect(try await store.session(of: other) != nil)
            #expect(try await store.sessions().count == Int(SessionStore.sessionsOfToken) + 1)
        }
    }

    @Test func `a session that is used goes on, and lately used ones are left as they are`()
        async throws
    {
        try await withStore { store, _ in
            let cookie = try await store.open(token, of: alice, agent: "")
            let opened = try #require(try await store.session(of: cookie))
            try await store.noteUse(of: opened, with: cookie)
            #expect(try await store.session(of: cookie) == opened)
            let unused = ConsoleSession(
                id: opened.id,
                principal: alice,
                token: token,
                openedAt: opened.openedAt,
                usedAt: opened.usedAt.advanced(by: .seconds(-60)),
                provenAt: opened.provenAt,
                agent: ""
            )
            try await store.noteUse(of: unused, with: cookie)
            let used = try #require(try await store.session(of: cookie))
            #expect(used.usedAt >= opened.usedAt && used.openedAt == opened.openedAt)
        }
    }

    @Test func `a token that is shown again is noted`() async throws {
        try await withStore { store, _ in
            let cookie = try await store.open(token, of: alice, agent: "")
            let before = try #require(try await store.session(of: cookie))
            try await store.prove(before, with: cookie)
            let after = try #require(try await store.session(of: cookie))
            #expect(after.provenAt >= before.provenAt && after.openedAt == before.openedAt)
        }
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
