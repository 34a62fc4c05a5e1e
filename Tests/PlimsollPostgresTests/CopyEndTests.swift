import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CopyEndTests {
    /// The message by which the server ends a `COPY … TO STDOUT`.
    private static let copyDone: [UInt8] = [UInt8(ascii: "c"), 0, 0, 0, 4]

    private static let patience = Duration.seconds(60)

    // Goal: the end of a COPY is seen that comes by itself, with nothing behind it. Method: it is
    // kept on its way until the last row is taken, and comes while the session looks for more.
    @Test func `an end that comes by itself is seen`() async throws {
        try await ScratchDatabaseServer.with { server in
            try await FaultProxy.with(to: "\(server.folder)/.s.PGSQL.5432") { proxy, port in
                let address = ["host": "127.0.0.1", "port": "\(port)", "sslmode": "disable"]
                let session = try await Session.open(server.connection.replacing(address))
                proxy.hold(from: Self.copyDone)
                let start = ContinuousClock.now
                let rows = try await session.copyOutRaw(
                    "COPY (SELECT generate_series(1, 3)) TO STDOUT",
                    into: 0,
                    timeout: Self.patience
                ) { rows, _ in
                    rows += 1
                    guard rows == 3 else { return }
                    let wasHeld = try proxy.release()
                    #expect(wasHeld)
                }
                #expect(rows == 3)
                // Where it is missed, the time-out is what ends the wait, without an error.
                #expect(ContinuousClock.now - start < Self.patience)
                #expect(try await session.query("SELECT 1").count == 1)
                await session.close()
            }
        }
    }
}
