import Foundation
package import PlimsollDomain
package import PlimsollPostgres

/// The sessions of the console, in the database: every instance knows them.
package struct SessionStore: Sendable {
    private let database: any Querying
    private let authentication: EntryAuthentication
    package let limits: SessionLimits

    /// That it was used is written down once in this time.
    private static let touchInterval: Duration = .seconds(60)
    private static let agentLength = 200

    package init(
        _ database: any Querying,
        _ authentication: EntryAuthentication,
        limits: SessionLimits = SessionLimits()
    ) {
        (self.database, self.authentication, self.limits) = (database, authentication, limits)
    }

    /// Opens a session for somebody who has just shown a token; what is over is swept away with it.
    package func open(
        _ token: TokenID,
        of principal: PrincipalID,
        agent: String
    ) async throws -> SessionCookie {
        let (cookie, now) = (SessionCookie.random(), try await clock())
        let code = try code(of: cookie, token, principal, openedAt: now, provenAt: now)
        try await database.execute(
            """
            WITH swept AS (
                DELETE FROM console.session
                WHERE used_at <= \(before(now, limits.idle)) OR opened_at <= \(before(now, limits.whole))
            )
            INSERT INTO console.session (
                opened_at, used_at, proven_at, id, token, authenticator, principal, agent
            ) VALUES (
                \(now), \(now), \(now), \(cookie.id.uuid), \(token.uuid), \(code),
                \(principal.text), \(String(agent.prefix(Self.agentLength)))
            )
            """
        )
        return cookie
    }

    /// The session of a cookie, which is used with that; `nil` where it is over, or never was.
    package func session(of cookie: SessionCookie) async throws -> ConsoleSession? {
        guard let stored = try await stored([cookie.id]).first else { return nil }
        let code = try code(
            of: cookie,
            stored.session.token,
            stored.session.principal,
            openedAt: stored.openedAt,
            provenAt: stored.provenAt
        )
        guard isEqual(code, stored.authenticator) else { return nil }
        try await database.execute(
            """
            UPDATE console.session SET used_at = clock_timestamp() WHERE id = \(cookie.id.uuid)
                AND used_at < clock_timestamp() - \(seconds(Self.touchInterval)) * interval '1 s'
            """
        )
        return stored.session
    }

    /// Notes that the token of a session was shown again.
    package func prove(_ session: ConsoleSession, with cookie: SessionCookie) async throws {
        let (openedAt, now) = (Timestamp(session.openedAt), try await clock())
        let code = try code(
            of: cookie,
            session.token,
            session.principal,
            openedAt: openedAt,
            provenAt: now
        )
        try await database.execute(
            """
            UPDATE console.session SET proven_at = \(now), used_at = \(now), authenticator = \(code)
            WHERE id = \(session.id.uuid)
            """
        )
    }

    /// Ends a session; whether there was one.
    @discardableResult
    package func end(_ id: SessionID) async throws(PostgresError) -> Bool {
        try await database.execute("DELETE FROM console.session WHERE id = \(id.uuid)") > 0
    }

    /// All that are not over, the latest first.
    package func sessions() async throws(PostgresError) -> [ConsoleSession] {
        try await stored().map(\.session)
    }

    /// Those of the ids, or all where none is given.
    private func stored(
        _ ids: [SessionID] = []
    ) async throws(PostgresError) -> [StoredSession] {
        let rows = try await database.query(
            """
            SELECT opened_at, used_at, proven_at, id, token, authenticator, principal, agent
            FROM console.session
            WHERE (\(ids.isEmpty) OR id = ANY(\(ids.map(\.uuid))))
                AND used_at > clock_timestamp() - \(seconds(limits.idle)) * interval '1 s'
                AND opened_at > clock_timestamp() - \(seconds(limits.whole)) * interval '1 s'
            ORDER BY opened_at DESC, id
            """
        )
        return try rows.map(StoredSession.init)
    }

    private func clock() async throws(PostgresError) -> Timestamp {
        guard
            let row = try await database.query(
                "SELECT date_trunc('milliseconds', clock_timestamp())"
            ).first
        else {
            throw PostgresError(.decoding, "a SELECT of a value answers a row")
        }
        return try row.value(at: 0, as: Timestamp.self)
    }

    private func code(
        of cookie: SessionCookie,
        _ token: TokenID,
        _ principal: PrincipalID,
        openedAt: Timestamp,
        provenAt: Timestamp
    ) throws -> [UInt8] {
        guard let key = try authentication.currentKey() else { throw EntryKeyError.nowhere }
        return key.code(
            of: cookie.authenticated(token, principal, openedAt: openedAt, provenAt: provenAt)
        )
    }
}

private struct StoredSession {
    let session: ConsoleSession
    let openedAt: Timestamp
    let provenAt: Timestamp
    let authenticator: [UInt8]

    init(_ row: Row) throws(PostgresError) {
        let (openedAt, usedAt, provenAt, id, token, authenticator, principal, agent) =
            try row.decode(
                (Timestamp, Timestamp, Timestamp, UUID, UUID, [UInt8], String, String).self
            )
        guard let owner = PrincipalID(principal) else {
            throw PostgresError(.decoding, "a session has a principal")
        }
        (self.openedAt, self.provenAt, self.authenticator) = (openedAt, provenAt, authenticator)
        session = ConsoleSession(
            id: SessionID(id),
            principal: owner,
            token: TokenID(token),
            openedAt: Instant(openedAt),
            usedAt: Instant(usedAt),
            provenAt: Instant(provenAt),
            agent: agent
        )
    }
}

private func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

private func before(_ now: Timestamp, _ duration: Duration) -> Timestamp {
    Timestamp(
        microsecondsSince1970: now.microsecondsSince1970 - Int64(duration / .microseconds(1))
    )
}

/// Every byte is looked at, so that the time says nothing of where they differ.
private func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
}
