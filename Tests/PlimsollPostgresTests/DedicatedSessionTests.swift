import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DedicatedSessionTests {
    @Test func `a dedicated session comes back after its server`() async throws {
        try await ScratchDatabaseServer.with { server in
            let session = DedicatedSession(server.connection)
            try await session.execute("CREATE TABLE item (n bigint)")
            try await server.stop(.immediate)
            await #expect(throws: PostgresError.self) { try await session.query("SELECT 1") }
            await #expect(throws: PostgresError.self) { try await session.query("SELECT 1") }
            try await server.start()
            #expect(try await session.query("SELECT n FROM item").isEmpty)
            await #expect(throws: PostgresError.self) {
                try await session.withTransaction { transaction in
                    try await transaction.execute("INSERT INTO item VALUES (1)")
                    let other = try await server.open()
                    try await other.execute(
                        "SELECT pg_terminate_backend(\(transaction.session.processID)::int, 5000)"
                    )
                    await other.close()
                }
            }
            #expect(try await session.query("SELECT n FROM item").isEmpty)
            await session.close()
        }
    }
}
