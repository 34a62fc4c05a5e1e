import Testing

@testable import PlimsollEdge

/// Hosts with documents of their own, asked for over HTTP/2.
@Suite(.timeLimit(.minutes(5))) struct HTTP2HostTests {
    @Test(arguments: [
        ("edge.example", "leading"), ("k2.example", "second"), ("K2.Example:8443", "second"),
    ])
    func `the authority says which signature is sent`(
        authority: String,
        body: String
    ) async throws {
        try await TLSFixture.with { fixture in
            let client = try fixture.client(speaking: ["h2"])
            let source = try TLSSource(fixture.files)
            let table = try KeyHostFixture.table()
            try await EdgeFixture.with(table: table, tls: source) { _, address in
                try await FrameConnection.with(address, tls: client) { connection in
                    let stream = try await connection.ask(authority: authority)
                    let reply = try await connection.answer(on: stream)
                    #expect(reply?.body == Array(body.utf8))
                }
            }
        }
    }
}
