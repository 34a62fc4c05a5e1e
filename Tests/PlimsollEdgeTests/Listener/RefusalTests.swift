import Testing

@testable import PlimsollEdge

/// Requests that are answered with an error and the end of the connection.
@Suite(.onBothListeners, .timeLimit(.minutes(5))) struct RefusalTests {
    private static let start = "GET /distribution/availability-ios HTTP/1.1\r\n"
    private static let host = "Host: edge.example\r\n"

    /// The first answer, and proof that the request behind it was not answered.
    private func refusal(of request: String) async throws -> Answer {
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(request)
                let answer = try #require(try await connection.answer())
                #expect(answer["Connection"] == "close")
                #expect(answer["Cache-Control"] == "no-store")
                #expect(answer["X-Content-Type-Options"] == "nosniff")
                #expect(answer.has("Date"))
                #expect(answer.body.last == UInt8(ascii: "\n"))
                #expect(try await connection.rest() == "")
                return answer
            }
        }
    }

    @Test(arguments: [
        // No host, two hosts, hosts that are none.
        "", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host:\r\n", "Host: a b\r\n",
        "Host: a/b\r\n", "Host: user@a\r\n", "Host: a\u{e9}\r\n",
        // Line breaks and blanks where two servers would disagree.
        "Host: a\n", "Host: a\r\n\n", "Host: a\rX: b\r\n", "Host: a\r\n X: folded\r\n",
        "Host: a\r\n\tfolded\r\n", " Host: a\r\n", "Host : a\r\n", "Host\t: a\r\n", "Host\r\n",
        "Host: a\r\n: empty\r\n", "Host: a\r\nX\r\n", "Host: a\r\nX: a\u{0}b\r\n",
        "Host: a\r\nX: a\u{1}\r\n", "Host: a\r\nX: \u{7f}\r\n", "Host: a\r\nX(y): z\r\n",
        "Host: a\r\nX\u{e9}: z\r\n", "Host: a\r\n\"X\": z\r\n", "Host: a\r\nX\u{0}: z\r\n",
        // Lengths.
        "Host: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
        "Host: a\r\nContent-Length: 0\r\nContent-Length: 0\r\n",
        "Host: a\r\nContent-Length:\r\n", "Host: a\r\nContent-Length: -1\r\n",
        "Host: a\r\nContent-Length: +1\r\n", "Host: a\r\nContent-Length: 0x10\r\n",
        "Host: a\r\nContent-Length: 1, 1\r\n", "Host: a\r\nContent-Length: 1 1\r\n",
        "Host: a\r\nContent-Length: 99999999999999999999\r\n",
        // Codings.
        "Host: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n",
        "Host: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        "Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Host: a\r\nTransfer-Encoding: gzip, chunked\r\n",
        "Host: a\r\nTransfer-Encoding: xchunked\r\n",
        "Host: a\r\nTransfer-Encoding: identity\r\n", "Host: a\r\nTransfer-Encoding:\r\n",
        "Host: a\r\nTransfer-Encoding: chunked,\r\n",
        "Host: a\r\nTransfer-Encoding: \"chunked\"\r\n",
    ])
    func `fields that could be read in two ways are refused`(fields: String) async throws {
        let answer = try await refusal(of: Self.start + fields + "\r\n" + EdgeFixture.request)
        #expect(answer.statusLine == "HTTP/1.1 400 Bad Request")
    }

    @Test(arguments: [
        "GET\r\n", "GET /\r\n", "GET / \r\n", " GET / HTTP/1.1\r\n", "GET  / HTTP/1.1\r\n",
        "GET /  HTTP/1.1\r\n", "GET / HTTP/1.1 \r\n", "GET\t/\tHTTP/1.1\r\n", "GET / http/1.1\r\n",
        "GET / HTTP/1\r\n", "GET / HTTP/11.1\r\n", "GET / HTTP/1.10\r\n", "GET / HTTP/1,1\r\n",
        "GET / HTTX/1.1\r\n", "GET / HTTP/1.1\n", "GET / HTTP/1.1\r\r\n", "G\u{e9}T / HTTP/1.1\r\n",
        "GET /\u{e9} HTTP/1.1\r\n", "GET /\u{0} HTTP/1.1\r\n", "GET /a#b HTTP/1.1\r\n",
        "GET /a\\b HTTP/1.1\r\n", "GET /<a> HTTP/1.1\r\n", "GET /%zz HTTP/1.1\r\n",
        "GET /%2 HTTP/1.1\r\n", "GET /% HTTP/1.1\r\n", "GET * HTTP/1.1\r\n", "GET a HTTP/1.1\r\n",
        "GET ftp://a/b HTTP/1.1\r\n", "GET http:///b HTTP/1.1\r\n", "GET http:/b HTTP/1.1\r\n",
        "GET http://u@a/b HTTP/1.1\r\n", "G(T / HTTP/1.1\r\n", "\n\nGET / HTTP/1.1\r\n",
        "\r\n\r\nGET / HTTP/1.1\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", "\u{0}",
        "GARBAGEGARBAGEGARBAGEGARBAGEGARBAGEGARBAGE",
    ])
    func `a start line that is none is refused`(line: String) async throws {
        let answer = try await refusal(of: line + Self.host + "\r\n" + EdgeFixture.request)
        #expect(answer.status == 400)
    }

    @Test(arguments: ["HTTP/2.0", "HTTP/1.2", "HTTP/0.9", "HTTP/3.0", "HTTP/9.9"])
    func `other versions are not supported`(version: String) async throws {
        let answer = try await refusal(of: "GET / \(version)\r\n\(Self.host)\r\n")
        #expect(answer.statusLine == "HTTP/1.1 505 HTTP Version Not Supported")
    }

    @Test func `a second protocol's preface is not supported`() async throws {
        #expect(try await refusal(of: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").status == 505)
    }

    @Test func `a target of 2048 bytes is looked for and one byte more is too long`() async throws {
        let long = "/" + String(repeating: "a", count: 2047)
        #expect(try await EdgeFixture.answer(to: EdgeFixture.get(long)).status == 404)
        #expect(try await refusal(of: EdgeFixture.get(long + "a")).status == 414)
        let endless = "GET /" + String(repeating: "a", count: 4000)
        #expect(try await refusal(of: endless).status == 414)
    }

    @Test func `a head of 8192 bytes is read and one byte more is too large`() async throws {
        let fixed = EdgeFixture.get(fields: ["X: "]).utf8.count
        let fill = String(repeating: "a", count: 8192 - fixed)
        let request = EdgeFixture.get(fields: ["X: \(fill)"])
        #expect(request.utf8.count == 8192)
        #expect(try await EdgeFixture.answer(to: request).status == 200)
        let answer = try await refusal(of: EdgeFixture.get(fields: ["X: \(fill)a"]))
        #expect(answer.statusLine == "HTTP/1.1 431 Request Header Fields Too Large")
    }

    @Test func `a hundred fields are read and one more is too many`() async throws {
        let fields = (1..<100).map { "X-\($0): y" }
        #expect(try await EdgeFixture.answer(to: EdgeFixture.get(fields: fields)).status == 200)
        #expect(try await refusal(of: EdgeFixture.get(fields: fields + ["X: y"])).status == 431)
    }

    @Test func `a field of 100 000 bytes is refused before it has ended`() async throws {
        let request = Self.start + Self.host + "X: " + String(repeating: "a", count: 100_000)
        #expect(try await refusal(of: request).status == 431)
    }

    @Test func `an unknown expectation fails and the usual one without a body is nothing`()
        async throws
    {
        let odd = EdgeFixture.get(fields: ["Expect: a-miracle"])
        #expect(try await refusal(of: odd).statusLine == "HTTP/1.1 417 Expectation Failed")
        let usual = EdgeFixture.get(fields: ["Expect: 100-Continue"])
        let answer = try await EdgeFixture.answer(to: usual)
        #expect(answer.status == 200)
        #expect(!answer.has("Connection"))
    }
}
