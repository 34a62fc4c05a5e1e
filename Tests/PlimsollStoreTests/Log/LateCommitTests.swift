import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// Why positions are given out under a lock.
///
/// Readers go on behind the last position that they saw. One that was given out first and is
/// committed last would be missed by all of them, and for good.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct LateCommitTests {
    // Method: an append is not committed yet as another one comes, and a reader looks in between.
    @Test func `an append that commits late is overtaken by none, and no reader misses it`()
        async throws
    {
        try await withLog { log, _ in
            try await withSessions { late, prompt in
                var build = CommandBuilder()
                let first = try build.command(on: .app(harbour))
                let second = try build.command(on: .keys)
                try await late.execute("BEGIN")
                _ = try await EventLog(late).append([first])
                try await withThrowingTaskGroup { group in
                    group.addTask { _ = try await EventLog(prompt).append([second]) }
                    try await poll(until: .seconds(60)) { try await isWaitedFor(late) }
                    #expect(try await log.events(after: .start).isEmpty)
                    try await late.execute("COMMIT")
                    try await group.waitForAll()
                }
                let events = try await log.events(after: .start)
                #expect(events.map(\.command) == [first, second].map(\.identity.id))
            }
        }
    }

    // The negative control: the same, where a sequence gives the positions.
    @Test func `a sequence has a reader miss what commits late`() async throws {
        try await withSessions { late, prompt in
            try await prompt.execute("CREATE TABLE public.item (position bigserial, word text)")
            try await late.execute("BEGIN")
            try await late.execute("INSERT INTO public.item (word) VALUES ('late')")
            try await prompt.execute("INSERT INTO public.item (word) VALUES ('prompt')")
            var seen = try await words(after: 0, prompt)
            try await late.execute("COMMIT")
            seen += try await words(after: 2, prompt)
            #expect(seen == ["prompt"])
            #expect(try await words(after: 0, prompt) == ["late", "prompt"])
        }
    }

    private func words(after position: Int64, _ session: Session) async throws -> [String] {
        let rows = try await session.query(
            "SELECT word FROM public.item WHERE position > \(position) ORDER BY position"
        )
        return try rows.map { try $0.value(at: 0) }
    }

    private func isWaitedFor(_ session: Session) async throws -> Bool {
        let row = try await session.first(
            """
            SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        )
        return try #require(row).value(at: 0, as: Int64.self) > 0
    }

    private func withSessions(_ body: (Session, Session) async throws -> Void) async throws {
        let connection = try ScratchDatabase.current.connection
        let late = try await Session.open(connection)
        let prompt = try await Session.open(connection)
        try await body(late, prompt)
        await late.close()
        await prompt.close()
    }
}
