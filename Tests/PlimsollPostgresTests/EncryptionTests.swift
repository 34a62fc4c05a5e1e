import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EncryptionTests {
    // Goal: with TLS, bytes that wait inside OpenSSL are found. Method: answers far larger
    // than a TLS record, one after the other, in many rows, and as a COPY.
    @Test func `large answers arrive through TLS`() async throws {
        try await ScratchDatabaseServer.with(settings: []) { server in
            let connection = try await server.encrypt()
            let session = try await Session.open(connection)
            let row = try #require(
                try await session.first(
                    "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
                )
            )
            #expect(try row.value(at: 0, as: Bool.self))
            let text = String(repeating: "x", count: 1 << 20)
            for _ in 0..<5 {
                let row = try await session.first("SELECT \(text)")
                #expect(try row?.value(at: 0, as: String.self) == text)
            }
            var count = 0
            for row in try await session.query(
                "SELECT repeat('y', 10000) FROM generate_series(1, 1000)"
            ) {
                #expect(try row.value(at: 0, as: String.self).utf8.count == 10_000)
                count += 1
            }
            #expect(count == 1000)
            let bytes = try await session.copyOut(
                "COPY (SELECT repeat('z', 10000) FROM generate_series(1, 1000)) TO STDOUT BINARY",
                into: 0
            ) { sum, row in sum += try row.string().utf8.count }
            #expect(bytes == 10_000_000)
            await session.close()
        }
    }

    @Test func `a certificate nobody vouches for is refused`() async throws {
        try await ScratchDatabaseServer.with(settings: []) { server in
            let connection = try await server.encrypt()
            let error = await #expect(throws: PostgresError.self) {
                try await Session.open(connection.replacing(["sslmode": "verify-full"]))
            }
            #expect(error?.kind == .connectFailed)
        }
    }
}
