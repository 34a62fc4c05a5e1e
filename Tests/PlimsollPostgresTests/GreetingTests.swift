import PlimsollPostgres
import PlimsollTestSupport
import Testing

/// Who may refuse a server that could be reached.
@Suite(.timeLimit(.minutes(5)))
struct GreetingTests {
    @Test func `a server that is refused is passed over for the next one of the list`()
        async throws
    {
        try await ScratchDatabaseServer.with { old in
            try await ScratchDatabaseServer.with { new in
                let both = new.connection.replacing(["host": "\(old.folder),\(new.folder)"])
                let refusal = PostgresError(.connectFailed, "it was replaced")
                let session = try await Session.open(both) { session async throws(PostgresError) in
                    let folder = try await folder(of: session)
                    if folder == old.folder { throw refusal }
                }
                #expect(try await folder(of: session) == new.folder)
                await session.close()
                let error = await #expect(throws: PostgresError.self) {
                    try await Session.open(both) { _ throws(PostgresError) in throw refusal }
                }
                #expect(error?.kind == .connectFailed)
                #expect(error?.note == "it was replaced; it was replaced")
            }
        }
    }

    private func folder(of session: Session) async throws(PostgresError) -> String? {
        try await session.first("SHOW unix_socket_directories")?.value(at: 0)
    }
}
