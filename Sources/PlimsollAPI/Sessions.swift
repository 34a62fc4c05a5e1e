package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let sessions: [any EndpointDeclaration] = [listSessions, endSession]

    package static let listSessions = Read<NoNames, SessionList>(
        .get("listSessions", "/v1/sessions"),
        "The browsers that are signed in to the console: the caller's, and those of everybody whose"
            + " tokens the caller may administer."
    )

    package static let endSession = Write<SessionID, EmptyForm, DryRunAnswer>(
        .delete("endSession", "/v1/sessions/{session}"),
        "Sign a browser out of the console, at once.",
        isBare: true
    )
}

/// A browser that is signed in to the console.
package struct SessionAnswer: Answer, Shaped {
    package let id: SessionID
    package let principal: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?
    /// The token that was signed in with; the session ends with it.
    package let token: TokenID
    package let openedAt: Instant
    /// To the minute.
    package let usedAt: Instant
    /// When it is over, even if it is used until then.
    package let endsAt: Instant
    /// What the browser calls itself.
    package let agent: String

    package init(
        id: SessionID,
        principal: PrincipalID,
        name: String?,
        token: TokenID,
        openedAt: Instant,
        usedAt: Instant,
        endsAt: Instant,
        agent: String
    ) {
        (self.id, self.principal, self.name, self.token) = (id, principal, name, token)
        (self.openedAt, self.usedAt, self.endsAt) = (openedAt, usedAt, endsAt)
        self.agent = agent
    }

    package static let shape = Shape<Self>(
        "Session",
        Self.init(id:principal:name:token:openedAt:usedAt:endsAt:agent:),
        .required("id", \.id, .session),
        .required("principal", \.principal, .principal),
        .nullable("name", \.name, .string),
        .required("token", \.token, .token),
        .required("openedAt", \.openedAt, .instant),
        .required("usedAt", \.usedAt, .instant),
        .required("endsAt", \.endsAt, .instant),
        .required("agent", \.agent, .string)
    )
}

/// The sessions that the caller may see: `GET /v1/sessions`.
package struct SessionList: Answer, Shaped {
    package let sessions: [SessionAnswer]

    package init(sessions: [SessionAnswer]) { self.sessions = sessions }

    package static let shape = Shape<Self>(
        "SessionList",
        Self.init(sessions:),
        .required("sessions", \.sessions, .objects(SessionAnswer.shape))
    )
}
