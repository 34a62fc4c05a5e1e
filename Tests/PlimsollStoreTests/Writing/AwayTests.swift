import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// Whoever writes while the database is known to be away is told so at once.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(2)))
struct AwayTests {
    @Test func `once it is known that the database is away nobody waits for it`() async throws {
        try await withWriter { writer, _ in
            _ = try await writer.perform(CommandRequest(failure()))
            try await withhold(true)
            // The first ones wait for as long as a database takes that is started again.
            await #expect(throws: WriteError.storeAway) {
                try await writer.perform(CommandRequest(failure()))
            }
            var waits: [Duration] = []
            for _ in 1...20 {
                let start = ContinuousClock.now
                await #expect(throws: WriteError.storeAway) {
                    try await writer.perform(CommandRequest(failure()))
                }
                waits.append(ContinuousClock.now - start)
            }
            // A busy machine may hold up one or two.
            #expect(waits.sorted()[17] < .seconds(1) && waits.allSatisfy { $0 < .seconds(5) })
            try await withhold(false)
            try await poll(until: .seconds(60)) {
                (try? await writer.perform(CommandRequest(failure()))) != nil
            }
        }
    }
}

/// Has the running test's database take no sessions any more and end those that are there, or take
/// them again.
func withhold(_ isAway: Bool) async throws {
    let database = try ScratchDatabase.current
    let session = try await Session.open(database.connection.replacing(database: "postgres"))
    let access: Statement =
        isAway
        ? "ALTER DATABASE \(identifier: database.name) WITH ALLOW_CONNECTIONS false"
        : "ALTER DATABASE \(identifier: database.name) WITH ALLOW_CONNECTIONS true"
    try await session.execute(access)
    try await session.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = \(database.name)"
    )
    await session.close()
}
