import Testing

@testable import PlimsollEdge

/// Hosts with documents of their own, asked for over HTTP/2.
@Suite(.timeLimit(.minutes(5))) struct HTTP2HostTests {
    private static let key = "3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"

    private func table() throws -> EdgeTable {
        let host = try #require(KeyHost("k2.example=\(Self.key)"))
        let places = try ["leading", "second"].map { body in
            let resource = try EdgeFixture.resource(Array(body.utf8))
            var place = EdgePlace(
                PreparedResource(resource, cacheControl: EdgeTable.defaultCacheControl),
                at: ["/\(body)"]
            )
            place.keylessPaths = [EdgeFixture.path]
            place.leads = body == "leading"
            place.key = body == "second" ? host.key : nil
            return place
        }
        return EdgeTable(placing: places, publications: [], hosts: [host])
    }

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
            try await EdgeFixture.with(table: try table(), tls: source) { _, address in
                try await FrameConnection.with(address, tls: client) { connection in
                    let stream = try await connection.ask(authority: authority)
                    let reply = try await connection.answer(on: stream)
                    #expect(reply?.body == Array(body.utf8))
                }
            }
        }
    }
}
