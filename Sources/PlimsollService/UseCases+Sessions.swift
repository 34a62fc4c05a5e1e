package import PlimsollAPI
package import PlimsollDomain
package import PlimsollStore

/// Whose browser is signed in to the console.
extension UseCases {
    /// Signs a browser in with the secret of a token; `nil` where no valid token has it.
    package func signIn(
        _ secret: String,
        agent: String
    ) async throws(UseCaseError) -> SessionCookie? {
        let sessions = try keptSessions()
        guard let caller = try authenticate(secret: secret),
            case .token(let token) = caller.authentication
        else { return nil }
        return try await read {
            try await sessions.open(token, of: caller.principal, agent: agent)
        }
    }

    /// The session of a cookie, with the caller that it stands for; `nil` where it is over, or whose it is
    /// may act no more.
    ///
    /// Whoever only watches does not prolong it.
    package func session(
        of cookie: SessionCookie,
        isUse: Bool = true
    ) async throws(UseCaseError) -> (session: ConsoleSession, caller: Caller)? {
        let sessions = try keptSessions()
        guard
            let session = try await read({ try await sessions.session(of: cookie, isUse: isUse) }),
            try isGood(session)
        else { return nil }
        let caller = Caller(
            principal: session.principal,
            authentication: .token(session.token)
        )
        return (session, caller)
    }

    /// Whether what is sensitive may be done in a session without its token being shown again.
    package func isProven(_ session: ConsoleSession) throws(UseCaseError) -> Bool {
        session.provenAt.advanced(by: try keptSessions().limits.proof) > clock()
    }

    /// Notes that the token of a session was shown again; whether the secret is that token's.
    package func prove(
        _ session: ConsoleSession,
        _ cookie: SessionCookie,
        secret: String
    ) async throws(UseCaseError) -> Bool {
        let sessions = try keptSessions()
        guard let shown = try authenticate(secret: secret),
            shown.authentication == .token(session.token)
        else { return false }
        try await read { try await sessions.prove(session, with: cookie) }
        return true
    }

    /// Signs the caller's own browser out.
    package func signOut(_ session: ConsoleSession) async throws(UseCaseError) {
        let sessions = try keptSessions()
        try await read { _ = try await sessions.end(session.id) }
    }

    /// The caller's sessions, and those of everybody whose tokens the caller may administer.
    package func sessions(for caller: Caller) async throws(UseCaseError) -> [SessionAnswer] {
        guard let sessions else { return [] }
        var visible: [ConsoleSession] = []
        for session in try await read({ try await sessions.sessions() })
        where try mayEnd(session, caller) {
            visible.append(session)
        }
        let names = try await names(of: Set(visible.map(\.principal)))
        return visible.map { session in
            SessionAnswer(
                id: session.id,
                principal: session.principal,
                name: names[session.principal],
                token: session.token,
                openedAt: session.openedAt,
                usedAt: session.usedAt,
                endsAt: session.openedAt.advanced(by: sessions.limits.whole),
                agent: session.agent
            )
        }
    }

    /// Signs a browser out, at once; asks for its owner, or an administrator of every place where the owner
    /// has a role.
    package func endSession(
        _ id: SessionID,
        _ request: WriteRequest
    ) async throws(UseCaseError) {
        let sessions = try keptSessions()
        let session = try await read { try await sessions.sessions() }.first { $0.id == id }
        // What is over already may be ended again.
        guard let session else { return }
        guard try mayEnd(session, request.caller) else { throw UseCaseError(.sessionUnknown(id)) }
        guard request.mode == .commit else { return }
        try await read { _ = try await sessions.end(id) }
    }

    private func isGood(_ session: ConsoleSession) throws(UseCaseError) -> Bool {
        try logState().access.livingToken(session.token, at: clock())?.principal
            == session.principal
    }

    private func mayEnd(
        _ session: ConsoleSession,
        _ caller: Caller
    ) throws(UseCaseError) -> Bool {
        let access = try logState().access
        guard try isGood(session) else { return false }
        return session.principal == caller.principal
            || access.places(of: session.principal).allSatisfy {
                access.permits(caller.principal, .admin, in: $0)
            }
    }

    private func keptSessions() throws(UseCaseError) -> SessionStore {
        guard let sessions else { throw .unexpected("this service keeps no sessions") }
        return sessions
    }
}
