import PlimsollAPI
import PlimsollDomain
import PlimsollStore

/// Which browsers are signed in, and how to sign one out.
enum SessionsScreen {
    static let routes: [Route] = [
        .page("/sessions", page),
        .act("/sessions/:session/end", on: page) { visit in
            let id = try visit.parameter("session", SessionID.init)
            try await visit.rest.call(Endpoints.endSession, id, EmptyForm(), visit.write)
            return .moved(to: "/sessions?done=session-end")
        },
    ]

    static func page(_ visit: Visit) async throws -> Page {
        let sessions = try await visit.rest.call(Endpoints.listSessions).sessions
        return Page(
            "sessions",
            visit.language["sessions.title"],
            [
                "sessions": sessions.map { session in
                    Fields(all: [
                        "id": session.id.description, "agent": session.agent,
                        "who": session.name ?? session.principal.text,
                        "openedAt": visit.time(session.openedAt),
                        "usedAt": visit.time(session.usedAt), "endsAt": visit.time(session.endsAt),
                        "isThis": session.id == visit.cookie.id,
                    ])
                }
            ]
        )
    }
}
