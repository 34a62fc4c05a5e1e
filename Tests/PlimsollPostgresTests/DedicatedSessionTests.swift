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

    // Method: a setting that only sessions heed which begin later.
    @Test func `a session that would not write makes room for one that may`() async throws {
        try await ScratchDatabaseServer.with { server in
            let owner = try await server.open()
            try await owner.execute("CREATE TABLE item (n bigint)")
            try await owner.execute(
                "ALTER DATABASE postgres SET default_transaction_read_only = on"
            )
            let (session, pool) = (
                DedicatedSession(server.connection), SessionPool(server.connection)
            )
            let both: [any Querying] = [session, pool]
            for database in both {
                let error = await #expect(throws: PostgresError.self) {
                    try await database.execute("INSERT INTO item VALUES (1)")
                }
                #expect(error?.sqlState == .readOnlyTransaction)
            }
            try await owner.execute("ALTER DATABASE postgres RESET default_transaction_read_only")
            for database in both { try await database.execute("INSERT INTO item VALUES (1)") }
            #expect(try await owner.query("SELECT n FROM item").count == 2)
            await owner.close()
            await session.close()
            await pool.close()
        }
    }
}
