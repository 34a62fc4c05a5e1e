import Testing

@testable import PlimsollEdge

/// Which addresses have a document, and what the others say.
@Suite(.timeLimit(.minutes(5))) struct AddressTests {
    @Test(arguments: [
        "/", "/distribution", "/distribution/availability-ios/", "/distribution/availability-iOS",
        "//distribution/availability-ios", "/distribution//availability-ios",
        "/distribution/./availability-ios", "/x/../distribution/availability-ios",
        "/%64istribution/availability-ios", "/distribution%2Favailability-ios",
        "/%2e%2e/distribution/availability-ios", "/distribution/availability-ios%00",
        "/distribution/availability-ios?", "/distribution/availability-ios?x=1",
        "/distribution/availability-ios;v=1", "http://edge.example",
        "http://edge.example//distribution/availability-ios", "/favicon.ico",
    ])
    func `only the very address has the document`(path: String) async throws {
        let answer = try await EdgeFixture.answer(to: EdgeFixture.get(path))
        #expect(answer.status == 404)
        #expect(answer["Cache-Control"] == "public, max-age=10")
        #expect(answer["X-Content-Type-Options"] == "nosniff")
        #expect(answer["Content-Type"] == "text/plain; charset=utf-8")
        #expect(answer.text == "There is no document at this address.\n")
        #expect(!answer.has("Connection"))
    }

    @Test(arguments: ["http://edge.example", "HTTPS://edge.example:443", "http://[::1]:8081"])
    func `the absolute form names the same document`(origin: String) async throws {
        let answer = try await EdgeFixture.answer(to: EdgeFixture.get(origin + EdgeFixture.path))
        #expect(answer.status == 200)
    }

    @Test(arguments: [
        "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", "Get", "GETS", "HEA", "BREW",
    ])
    func `other methods are told which there are`(method: String) async throws {
        let request = EdgeFixture.request.replacing("GET", with: method)
        let answer = try await EdgeFixture.answer(to: request + EdgeFixture.request)
        #expect(answer.status == 405)
        #expect(answer["Allow"] == "GET, HEAD")
        #expect(answer["Cache-Control"] == "no-store")
        #expect(!answer.has("Connection"))
    }

    @Test(arguments: ["OPTIONS *", "CONNECT edge.example:443"])
    func `targets that only other methods have are no mistake`(start: String) async throws {
        let request = "\(start) HTTP/1.1\r\nHost: edge.example\r\n\r\n"
        #expect(try await EdgeFixture.answer(to: request).status == 405)
    }

    @Test func `a listener with nothing published is up and has no documents`() async throws {
        let answer = try await EdgeFixture.answer(to: EdgeFixture.request, table: .empty)
        #expect(answer.status == 404)
    }

    @Test func `each of many paths finds its own document`() async throws {
        let resources = try (0..<300).map { number in
            try EdgeFixture.resource(
                Array("\(number)".utf8),
                paths: ["/distribution/app-\(number)/availability-ios", "/alias/\(number)"]
            )
        }
        try await EdgeFixture.with(table: try EdgeFixture.table(resources)) { _, address in
            try await RawConnection.with(address) { connection in
                for number in 0..<300 {
                    for path in [
                        "/distribution/app-\(number)/availability-ios", "/alias/\(number)",
                    ] {
                        try await connection.send(EdgeFixture.get(path))
                        #expect(try await connection.answer()?.text == "\(number)")
                    }
                }
            }
        }
    }

    @Test func `of two resources with one path the first is served`() async throws {
        let table = try EdgeFixture.table(
            ["a", "b"].map { try EdgeFixture.resource(Array($0.utf8)) }
        )
        #expect(try await EdgeFixture.answer(to: EdgeFixture.request, table: table).text == "a")
    }

    @Test(arguments: [
        ("text\r\nSet-Cookie: a=b", "/a"), ("", "/a"), ("text\u{0}", "/a"),
        ("text", "a"), ("text", "/a b"), ("text", "/a\r\n"),
    ])
    func `what would break a head cannot become a resource`(type: String, path: String) {
        #expect(EdgeResource(paths: [path], mediaType: type, signature: nil, body: []) == nil)
    }
}
