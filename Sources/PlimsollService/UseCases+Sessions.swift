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
        let resumedAt = try logState().access.resumedAt(caller.principal)
        return try await read {
            try await sessions.open(
                token,
                of: caller.principal,
                agent: agent,
                noSoonerThan: resumedAt
            )
        }
    }

    /// The session of a cookie, with the caller that it stands for; `nil` where it is over, or whose it is
    /// may act no more, which ends it.
    ///
    /// Whoever only watches does not prolong it.
    package func session(
        of cookie: SessionCookie,
        isUse: Bool = true
    ) async throws(UseCaseError) -> (session: ConsoleSession, caller: Caller)? {
        let sessions = try keptSessions()
        guard let session = try await read({ try await sessions.session(of: cookie) }) else {
            return nil
        }
        guard try await isGoodByNow(session) else {
            // An instance that reads only may know an old state.
            if writer.prohibition == nil {
                try await read { _ = try await sessions.end(session.id) }
            }
            return nil
        }
        if isUse { try await read { try await sessions.noteUse(of: session, with: cookie) } }
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
        let kept = try await read { try await sessions.sessions() }
        let (access, now) = (try logState().access, clock())
        let visible = kept.filter {
            access.isGood($0, at: now) && access.permits(caller.principal, toEnd: $0)
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
        guard try logState().access.permits(request.caller.principal, toEnd: session) else {
            throw UseCaseError(.sessionUnknown(id))
        }
        guard request.mode == .commit else { return }
        try await read { _ = try await sessions.end(id) }
    }

    /// Whether a session is good by all that the log has: this instance may not have read yet that
    /// its owner was let in, or resumed.
    private func isGoodByNow(_ session: ConsoleSession) async throws(UseCaseError) -> Bool {
        if try logState().access.isGood(session, at: clock()) { return true }
        guard writer.prohibition == nil else { return false }
        try await catchUp()
        return try logState().access.isGood(session, at: clock())
    }

    private func keptSessions() throws(UseCaseError) -> SessionStore {
        guard let sessions else { throw .unexpected("this service keeps no sessions") }
        return sessions
    }
}

extension Access {
    /// Whether whose the session is may act in it.
    ///
    /// A suspension ends it for good. That follows from the log, so it holds where nobody came by
    /// meanwhile, and at every instance.
    fileprivate func isGood(_ session: ConsoleSession, at now: Instant) -> Bool {
        livingToken(session.token, at: now)?.principal == session.principal
            && !wasSuspended(session.principal, after: session.openedAt)
    }

    fileprivate func permits(_ caller: PrincipalID, toEnd session: ConsoleSession) -> Bool {
        guard session.principal != caller else { return true }
        let places = places(of: session.principal)
        // Of somebody who is not known, whoever administers everything.
        return (places.isEmpty ? [.all] : places).allSatisfy { permits(caller, .admin, in: $0) }
    }
}
