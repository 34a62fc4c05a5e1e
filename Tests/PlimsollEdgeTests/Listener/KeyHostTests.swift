import Testing

@testable import PlimsollEdge

/// Which host a request is for, as it comes over the wire.
@Suite(.timeLimit(.minutes(5))) struct KeyHostTests {
    @Test(arguments: [
        ("", "Host: edge.example", "leading"), ("", "Host: k2.example", "second"),
        ("", "host:K2.Example:8081 ", "second"), ("", "Host: k2.example.", "second"),
        ("", "Host: k2.example.:80", "second"), ("", "Host: k2.example..", "leading"),
        ("", "Host: k2.example.org", "leading"), ("", "Host: k2.exampl", "leading"),
        // The address counts before the field.
        ("http://k2.example", "Host: edge.example", "second"),
        ("HTTP://K2.EXAMPLE:80", "Host: edge.example", "second"),
        ("http://edge.example", "Host: k2.example", "leading"),
    ])
    func `the host says which signature is sent`(
        origin: String,
        field: String,
        body: String
    ) async throws {
        let request = "GET \(origin)\(EdgeFixture.path) HTTP/1.1\r\n\(field)\r\n\r\n"
        let answer = try await EdgeFixture.answer(to: request, table: try KeyHostFixture.table())
        #expect(answer.status == 200)
        #expect(answer.text == body)
    }

    @Test func `without a host, and at an address with a key, no host is needed`() async throws {
        let table = try KeyHostFixture.table()
        let old = "GET \(EdgeFixture.path) HTTP/1.0\r\n\r\n"
        #expect(try await EdgeFixture.answer(to: old, table: table).text == "leading")
        let own = "GET /second HTTP/1.1\r\nHost: edge.example\r\n\r\n"
        #expect(try await EdgeFixture.answer(to: own, table: table).text == "second")
    }

    @Test func `requests of one connection go each to its own host`() async throws {
        try await EdgeFixture.with(table: try KeyHostFixture.table()) { _, address in
            try await RawConnection.with(address) { connection in
                let requests = ["edge.example", "k2.example", "edge.example"].map {
                    "GET \(EdgeFixture.path) HTTP/1.1\r\nHost: \($0)\r\n\r\n"
                }
                try await connection.send(requests.joined())
                var bodies: [String] = []
                for _ in requests {
                    bodies.append(try #require(try await connection.answer()).text)
                }
                #expect(bodies == ["leading", "second", "leading"])
            }
        }
    }
}
