import PlimsollPostgres
import PlimsollTestSupport
import Testing

/// What is left of acknowledged writes when the server dies at once.
@Suite(.timeLimit(.minutes(5)))
struct KilledServerTests {
    @Test func `what was acknowledged outlives the server's death`() async throws {
        #expect(try await rowsLeft(of: 100, waitingForTheDisk: true) == 100)
    }

    // The negative control, and why a server that is set so is refused.
    @Test func `what was acknowledged before it was on the disk does not`() async throws {
        #expect(try await rowsLeft(of: 100, waitingForTheDisk: false) < 100)
    }

    /// How many of so many rows, each acknowledged, are there after a death without warning.
    private func rowsLeft(of count: Int, waitingForTheDisk isWaiting: Bool) async throws -> Int64 {
        try await ScratchDatabaseServer.with { server in
            let writer = try await server.open()
            try await writer.execute("CREATE TABLE item (n bigint)")
            if !isWaiting {
                try await writer.execute("SET synchronous_commit = off")
                try await stopWALWriter(of: server, asking: writer)
            }
            for number in 1...count {
                try await writer.execute("INSERT INTO item VALUES (\(Int64(number)))")
            }
            try await server.stop(.immediate)
            try await server.start()
            await writer.close()
            let reader = try await server.open()
            let row = try await reader.first("SELECT count(*) FROM item")
            await reader.close()
            return try #require(row).value(at: 0)
        }
    }

    /// Nobody else writes down what need not wait for the disk.
    private func stopWALWriter(
        of server: ScratchDatabaseServer,
        asking session: Session
    ) async throws {
        let isStopped = try await eventually {
            let row = try await session.first(
                "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'"
            )
            guard let process = try row?.value(at: 0, as: Int32.self) else { return false }
            try await server.signal("STOP", process: Int(process))
            return true
        }
        try #require(isStopped)
    }
}
