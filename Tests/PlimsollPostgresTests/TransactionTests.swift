import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct TransactionTests {
    private struct Whim: Error {}

    private func makePool() async throws -> SessionPool {
        let pool = SessionPool(try ScratchDatabase.current.connection)
        try await pool.execute("CREATE TABLE account (id bigint PRIMARY KEY, amount bigint)")
        try await pool.execute("INSERT INTO account VALUES (1, 10), (2, 10)")
        return pool
    }

    private func amounts(_ pool: SessionPool) async throws -> [Int64] {
        try await pool.query("SELECT amount FROM account ORDER BY id").map { row in
            try row.value(at: 0)
        }
    }

    @Test func `what the body throws passes through and nothing stays`() async throws {
        let pool = try await makePool()
        await #expect(throws: Whim.self) {
            try await pool.withTransaction { transaction in
                try await transaction.execute("UPDATE account SET amount = 0")
                throw Whim()
            }
        }
        #expect(try await amounts(pool) == [10, 10])
        await pool.close()
    }

    @Test func `two that update each other's rows both get through`() async throws {
        let pool = try await makePool()
        let (runs, arrivals) = (Tally(), Tally())
        try await withThrowingDiscardingTaskGroup { group in
            for (first, second) in [(1, 2), (2, 1)] {
                group.addTask(name: "from \(first)") {
                    try await pool.withTransaction { transaction in
                        runs.add()
                        for id in [first, second] {
                            try await transaction.execute(
                                "UPDATE account SET amount = amount + 1 WHERE id = \(id)"
                            )
                            // Neither goes on before both have a row that the other one wants.
                            arrivals.add()
                            #expect(await eventually { arrivals.count >= 2 })
                        }
                    }
                }
            }
        }
        #expect(try await amounts(pool) == [12, 12])
        // The deadlock killed one, which ran again.
        #expect(runs.count > 2)
        await pool.close()
    }

    @Test func `serializable transactions that collide are done again`() async throws {
        let pool = try await makePool()
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0..<4 {
                group.addTask(name: "writer \(number)") {
                    for _ in 0..<5 {
                        try await pool.withTransaction(
                            isolation: .serializable,
                            attempts: 50
                        ) { transaction in
                            let rows = try await transaction.query("SELECT amount FROM account")
                            let sum = try rows.reduce(0) { sum, row in
                                sum + (try row.value(at: 0, as: Int64.self))
                            }
                            try await transaction.execute(
                                "UPDATE account SET amount = \(sum) WHERE id = 1"
                            )
                        }
                    }
                }
            }
        }
        // Each of twenty adds the other account's ten to what the one before it left.
        #expect(try await amounts(pool) == [210, 10])
        await pool.close()
    }

    @Test func `a body that hides a failed statement does not commit`() async throws {
        let pool = try await makePool()
        let error = await #expect(throws: PostgresError.self) {
            try await pool.withTransaction { transaction in
                try await transaction.execute("UPDATE account SET amount = 0")
                _ = try? await transaction.execute("SELECT 1 / 0")
            }
        }
        #expect(error?.sqlState == "22012")
        #expect(try await amounts(pool) == [10, 10])
        await pool.close()
    }

    @Test func `a transaction that has ended takes no more statements`() async throws {
        let pool = try await makePool()
        let kept = try await pool.withTransaction { $0 }
        let error = await #expect(throws: PostgresError.self) { try await kept.query("SELECT 1") }
        #expect(error?.kind == .misuse)
        await pool.close()
    }

    @Test func `a connection lost in COMMIT leaves the outcome unknown`() async throws {
        let pool = try await makePool()
        try await pool.execute(
            """
            CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$
            """
        )
        try await pool.execute(
            """
            CREATE CONSTRAINT TRIGGER leaving AFTER UPDATE ON account
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION leave()
            """
        )
        let runs = Tally()
        let error = await #expect(throws: PostgresError.self) {
            try await pool.withTransaction { transaction in
                runs.add()
                try await transaction.execute("UPDATE account SET amount = 0 WHERE id = 1")
            }
        }
        #expect(error?.kind == .commitUnknown)
        #expect(error?.sqlState == "57P01")
        #expect(runs.count == 1)
        await pool.close()
    }

    @Test func `a read-only transaction writes nothing`() async throws {
        let pool = try await makePool()
        let error = await #expect(throws: PostgresError.self) {
            try await pool.withTransaction(access: .readOnly) { transaction in
                try await transaction.execute("UPDATE account SET amount = 0")
            }
        }
        #expect(error?.sqlState == "25006")
        await pool.close()
    }

    @Test func `a cancelled body is rolled back and the session serves on`() async throws {
        let pool = try await makePool()
        await withTaskGroup { group in
            group.addTask(name: "cancelled") {
                _ = try? await pool.withTransaction { transaction in
                    try await transaction.execute("UPDATE account SET amount = 0")
                    try await transaction.execute("SELECT pg_sleep(60)")
                }
            }
            #expect(await eventually { (try? await self.sleepers(pool)) == 1 })
            group.cancelAll()
        }
        #expect(try await amounts(pool) == [10, 10])
        await pool.close()
    }

    private func sleepers(_ pool: SessionPool) async throws -> Int64? {
        try await pool.first(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep(60)%'
            AND pid <> pg_backend_pid()
            """
        )?.value(at: 0)
    }
}
