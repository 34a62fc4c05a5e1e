import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll session`: which browsers are signed in to the console.
struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "List browsers that are signed in to the console, and sign them out.",
        discussion: "For example: plimsoll session list",
        subcommands: [ListSessionsCommand.self, EndSessionCommand.self]
    )
}

/// `plimsoll session list`.
struct ListSessionsCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the sessions that are not over: yours, and those you may end.",
        discussion: "For example: plimsoll session list"
    )

    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let list = try await client.call(Endpoints.listSessions)
        let rows = list.sessions.map { session in
            [
                session.id.description, session.name.map { excerpt($0, 24) } ?? "(no name)",
                session.usedAt.rfc3339, session.endsAt.rfc3339, excerpt(session.agent, 40),
            ]
        }
        let heading = ["SESSION", "NAME", "USED", "ENDS", "BROWSER"]
        return Report(list.json, Table(heading, rows).blocks())
    }
}

/// `plimsoll session end`.
struct EndSessionCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "Sign a browser out of the console, at once.",
        discussion: "For example: plimsoll session end 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"
    )

    @Argument(help: "The session's id, as the list shows it.")
    var id: SessionID
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        // Of a session that never was the service says the same as of one that is over.
        try await write(Endpoints.endSession, { _ in id }, EmptyForm(), output) { _ in
            "No browser is signed in by session \(id); plimsoll session list shows those that are."
        }
    }
}
