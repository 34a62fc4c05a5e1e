import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct StreamTests {
    private func open() async throws -> Session {
        try await Session.open(ScratchDatabase.current.connection)
    }

    @Test(arguments: [0, 1, 256, 257, 20_000])
    func `a stream has every row once`(count: Int) async throws {
        let session = try await open()
        var last: Int64 = 0
        for try await row in session.rows(
            "SELECT n::bigint, repeat('x', 50) FROM generate_series(1, \(count)) n"
        ) {
            let number = try row.value(at: 0, as: Int64.self)
            #expect(number == last + 1)
            last = number
        }
        #expect(last == count)
        #expect(try await session.query("SELECT 1").count == 1)
        await session.close()
    }

    @Test func `leaving a stream early stops it and frees the session`() async throws {
        let session = try await open()
        for try await row in session.rows("SELECT generate_series(1, 2000000000)") {
            _ = row
            break
        }
        // To read two thousand million rows first would take longer than a test may.
        #expect(try await session.query("SELECT 1").count == 1)
        await session.close()
    }

    @Test func `an error after rows ends the stream`() async throws {
        let session = try await open()
        var count = 0
        let error = await #expect(throws: PostgresError.self) {
            for try await block in session.blocks(
                "SELECT 1 / (1000 - n) FROM generate_series(1, 2000) n"
            ) {
                count += block.count
            }
        }
        #expect(error?.sqlState == "22012")
        #expect(count > 0)
        #expect(try await session.query("SELECT 1").count == 1)
        await session.close()
    }

    @Test func `a cancelled reader's stream ends as cancelled`() async throws {
        let session = try await open()
        await withTaskGroup { group in
            group.addTask(name: "reader") {
                let error = await #expect(throws: PostgresError.self) {
                    for try await row in session.rows(
                        "SELECT n, pg_sleep(0.001) FROM generate_series(1, 100000) n"
                    ) {
                        _ = row
                    }
                }
                #expect(error?.kind == .cancelled)
            }
            #expect(await eventually { await session.isBusy })
            group.cancelAll()
        }
        #expect(try await session.query("SELECT 1").count == 1)
        await session.close()
    }

    @Test func `a pool takes a session back whose stream was left`() async throws {
        var limits = PoolLimits()
        limits.sessionsMaximum = 1
        let pool = SessionPool(try ScratchDatabase.current.connection, limits: limits)
        try await pool.withSession { session in
            for try await row in session.rows("SELECT generate_series(1, 2000000000)") {
                _ = row
                break
            }
        }
        #expect(try await pool.query("SELECT 1").count == 1)
        await pool.close()
    }
}
