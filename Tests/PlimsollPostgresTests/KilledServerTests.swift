import PlimsollPostgres
import PlimsollTestSupport
import Testing

/// What is left of acknowledged writes when the server dies at once.
@Suite(.timeLimit(.minutes(5)))
struct KilledServerTests {
    @Test func `what was acknowledged outlives the server's death`() async throws {
        #expect(try await rowsLeft(of: 100, waitingForTheDisk: true) == 100)
    }

    // The negative control, and why a server that is set so is refused. The rows are all there
    // still where its ten seconds end between the last one and the death: so up to three deaths.
    @Test func `what was acknowledged before it was on the disk does not`() async throws {
        var left: Int64 = 100
        for _ in 1...3 where left == 100 {
            left = try await rowsLeft(of: 100, waitingForTheDisk: false)
        }
        #expect(left < 100)
    }

    /// How many of so many rows, each acknowledged, are there after a death without warning.
    private func rowsLeft(of count: Int, waitingForTheDisk isWaiting: Bool) async throws -> Int64 {
        // What need not wait for the disk is written down late, so that the death comes first.
        let settings = ["wal_writer_delay=10s"]
        return try await ScratchDatabaseServer.with(settings: settings) { server in
            let writer = try await Session.open(server.connection)
            try await writer.execute("CREATE TABLE item (n bigint)")
            if !isWaiting { try await writer.execute("SET synchronous_commit = off") }
            for number in 1...count {
                try await writer.execute("INSERT INTO item VALUES (\(Int64(number)))")
            }
            try await server.stop(.immediate)
            try await server.start()
            await writer.close()
            let reader = try await Session.open(server.connection)
            let row = try await reader.first("SELECT count(*) FROM item")
            await reader.close()
            return try #require(row).value(at: 0)
        }
    }
}
