import Foundation
package import PlimsollDomain
package import PlimsollPostgres

/// The sessions of the console, in the database: every instance knows them.
package struct SessionStore: Sendable {
    private let database: any Querying
    private let authentication: EntryAuthentication
    package let limits: SessionLimits

    /// That it was used is written down once in this time.
    private static let touchInterval: Int64 = 60_000_000
    /// In what the database counts: code points, of which one character may have many.
    private static let agentLength = 200
    /// Whoever opens one more ends the oldest.
    static let sessionsOfToken: Int64 = 20

    package init(
        _ database: any Querying,
        _ authentication: EntryAuthentication,
        limits: SessionLimits = SessionLimits()
    ) {
        (self.database, self.authentication, self.limits) = (database, authentication, limits)
    }

    /// Opens a session for somebody who has just shown a token; what is over is swept away with it.
    ///
    /// It begins no sooner than is said, whatever the database's clock shows.
    package func open(
        _ token: TokenID,
        of principal: PrincipalID,
        agent: String,
        noSoonerThan start: Instant? = nil
    ) async throws -> SessionCookie {
        let (cookie, now) = (SessionCookie.random(), try await clock())
        let openedAt = max(now, start.map(Timestamp.init) ?? now)
        let times = SessionTimes(openedAt: openedAt, usedAt: now, provenAt: now)
        let code = try code(of: cookie, token, principal, times)
        let shown = String(String.UnicodeScalarView(agent.unicodeScalars.prefix(Self.agentLength)))
        try await database.execute(
            """
            WITH swept AS (
                DELETE FROM console.session
                WHERE used_at <= \(before(now, limits.idle)) OR opened_at <= \(before(now, limits.whole))
                    OR id IN (
                        SELECT id FROM console.session WHERE token = \(token.uuid)
                        ORDER BY opened_at DESC OFFSET \(Self.sessionsOfToken - 1)
                    )
            )
            INSERT INTO console.session (
                opened_at, used_at, proven_at, id, token, authenticator, principal, agent
            ) VALUES (
                \(openedAt), \(now), \(now), \(cookie.id.uuid), \(token.uuid), \(code),
                \(principal.text), \(shown)
            )
            """
        )
        return cookie
    }

    /// The session of a cookie; `nil` where it is over, or never was.
    package func session(of cookie: SessionCookie) async throws -> ConsoleSession? {
        let row = try await database.query(
            """
            SELECT opened_at, used_at, proven_at, id, token, authenticator, principal, agent,
                date_trunc('milliseconds', clock_timestamp())
            FROM console.session WHERE id = \(cookie.id.uuid)
            """
        ).first
        guard let row else { return nil }
        let (stored, now) = (try StoredSession(row), try row.value(at: 8, as: Timestamp.self))
        let (token, principal) = (stored.session.token, stored.session.principal)
        guard isAlive(stored.times, at: now),
            isEqual(try code(of: cookie, token, principal, stored.times), stored.authenticator)
        else { return nil }
        return stored.session
    }

    /// Notes that a session is used, which prolongs it.
    package func noteUse(of session: ConsoleSession, with cookie: SessionCookie) async throws {
        let (now, before) = (try await clock(), Timestamp(session.usedAt))
        let unused = now.microsecondsSince1970 - before.microsecondsSince1970
        guard unused >= Self.touchInterval else { return }
        let times = SessionTimes(
            openedAt: Timestamp(session.openedAt),
            usedAt: now,
            provenAt: Timestamp(session.provenAt)
        )
        try await write(times, of: session, cookie)
    }

    /// Notes that the token of a session was shown again.
    package func prove(_ session: ConsoleSession, with cookie: SessionCookie) async throws {
        let now = try await clock()
        let times = SessionTimes(
            openedAt: Timestamp(session.openedAt),
            usedAt: now,
            provenAt: now
        )
        try await write(times, of: session, cookie)
    }

    /// Ends a session; whether there was one.
    @discardableResult
    package func end(_ id: SessionID) async throws(PostgresError) -> Bool {
        try await database.execute("DELETE FROM console.session WHERE id = \(id.uuid)") > 0
    }

    /// Ends all of somebody's sessions.
    package func endAll(of principal: PrincipalID) async throws(PostgresError) {
        try await database.execute(
            "DELETE FROM console.session WHERE principal = \(principal.text)"
        )
    }

    /// All that are not over, the latest first.
    package func sessions() async throws(PostgresError) -> [ConsoleSession] {
        let now = try await clock()
        let rows = try await database.query(
            """
            SELECT opened_at, used_at, proven_at, id, token, authenticator, principal, agent
            FROM console.session ORDER BY opened_at DESC, id
            """
        )
        return try rows.map(StoredSession.init).filter { isAlive($0.times, at: now) }.map(\.session)
    }

    private func write(
        _ times: SessionTimes,
        of session: ConsoleSession,
        _ cookie: SessionCookie
    ) async throws {
        let code = try code(of: cookie, session.token, session.principal, times)
        try await database.execute(
            """
            UPDATE console.session SET used_at = \(times.usedAt), proven_at = \(times.provenAt),
                authenticator = \(code)
            WHERE id = \(session.id.uuid)
            """
        )
    }

    private func isAlive(_ times: SessionTimes, at now: Timestamp) -> Bool {
        times.usedAt > before(now, limits.idle) && times.openedAt > before(now, limits.whole)
    }

    private func clock() async throws(PostgresError) -> Timestamp {
        let now: Statement = "SELECT date_trunc('milliseconds', clock_timestamp())"
        guard let row = try await database.query(now).first else {
            throw PostgresError(.decoding, "a SELECT of a value answers a row")
        }
        return try row.value(at: 0, as: Timestamp.self)
    }

    private func code(
        of cookie: SessionCookie,
        _ token: TokenID,
        _ principal: PrincipalID,
        _ times: SessionTimes
    ) throws -> [UInt8] {
        guard let key = try authentication.currentKey() else { throw EntryKeyError.nowhere }
        return key.code(of: cookie.authenticated(token, principal, times))
    }
}

private struct StoredSession {
    let session: ConsoleSession
    let times: SessionTimes
    let authenticator: [UInt8]

    init(_ row: Row) throws(PostgresError) {
        times = SessionTimes(
            openedAt: try row.value(at: 0, as: Timestamp.self),
            usedAt: try row.value(at: 1, as: Timestamp.self),
            provenAt: try row.value(at: 2, as: Timestamp.self)
        )
        authenticator = try row.value(at: 5, as: [UInt8].self)
        guard let owner = PrincipalID(try row.value(at: 6, as: String.self)) else {
            throw PostgresError(.decoding, "a session has a principal")
        }
        session = ConsoleSession(
            id: SessionID(try row.value(at: 3, as: UUID.self)),
            principal: owner,
            token: TokenID(try row.value(at: 4, as: UUID.self)),
            openedAt: Instant(times.openedAt),
            usedAt: Instant(times.usedAt),
            provenAt: Instant(times.provenAt),
            agent: try row.value(at: 7, as: String.self)
        )
    }
}

private func before(_ now: Timestamp, _ duration: Duration) -> Timestamp {
    Timestamp(
        microsecondsSince1970: now.microsecondsSince1970 - Int64(duration / .microseconds(1))
    )
}

/// Every byte is looked at, so that the time says nothing of where they differ.
private func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
}
