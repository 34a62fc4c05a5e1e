import Testing

@testable import PlimsollEdge

/// The parser by itself, on more inputs than a socket would bear.
@Suite struct ParserTests {
    private func parse(
        _ bytes: [UInt8],
        from start: Int = 0
    ) -> Result<RequestHead, ParseInterruption> {
        Result { () throws(ParseInterruption) in
            try RequestParser.parse(bytes.span, from: start, limits: EdgeLimits())
        }
    }

    private static let requests = [
        EdgeFixture.request,
        EdgeFixture.get(fields: [
            "User-Agent: Harbour/312 CFNetwork/1399 Darwin/22.1.0", "Accept: */*",
            "Accept-Language: en-GB,en;q=0.9", "Accept-Encoding: gzip;q=0.9, *;q=0",
            "If-None-Match: \"0123456789abcdef0123456789abcdef-gzip\", W/\"x\"",
            "Connection: keep-alive, TE", "Expect: 100-continue", "Content-Length: 0",
        ]),
        "HEAD http://edge.example/a?b=%20c HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nhost: [::1]:8081\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ]

    @Test(arguments: requests)
    func `every beginning of a request is either incomplete or already refused`(
        request: String
    ) throws {
        let bytes = Array(request.utf8)
        let whole = parse(bytes)
        for length in 0..<bytes.count {
            switch (parse(Array(bytes[..<length])), whole) {
            case (.failure(.incomplete), _): break
            case (.failure(let early), .failure(let late)): #expect(early == late)
            case (.success(let head), .success): #expect(head.end <= length)
            case (let part, _): Issue.record("\(length) bytes: \(part)")
            }
        }
    }

    @Test func `a request is found behind another`() throws {
        let bytes = Array((EdgeFixture.get("/a") + EdgeFixture.get("/bcd")).utf8)
        let first = try parse(bytes).get()
        let second = try parse(bytes, from: first.end).get()
        #expect(String(decoding: bytes[first.target], as: UTF8.self) == "/a")
        #expect(String(decoding: bytes[second.target], as: UTF8.self) == "/bcd")
        #expect(second.end == bytes.count)
    }

    /// Whatever comes, the parser answers, and what it accepts it can be asked about.
    @Test(arguments: requests) func `no mutation of a request breaks the parser`(request: String) {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        let telling = Array("\r\n\0 \t:;,=%*\"/\u{7f}".utf8) + [0x80, 0xFF]
        let answers = LoopAnswers(.empty)
        for _ in 0..<3000 {
            var bytes = Array(request.utf8)
            for _ in 0...random(3) {
                let index = random(bytes.count)
                switch random(4) {
                case 0: bytes[index] = telling[random(telling.count)]
                case 1: bytes.insert(telling[random(telling.count)], at: index)
                case 2: bytes.remove(at: index)
                default: bytes[index] = UInt8(random(256))
                }
            }
            guard case .success(let head) = parse(bytes) else { continue }
            #expect(head.end <= bytes.count)
            #expect(head.target.upperBound <= head.end)
            _ = answers.number(for: head, in: bytes.span)
            // No accepted head has anything that ends a line early.
            for index in 0..<head.end where bytes[index] == 0x0A {
                #expect(index > 0 && bytes[index - 1] == 0x0D)
            }
            #expect(!bytes[..<head.end].contains(0))
        }
    }

    @Test(arguments: [1, 2, 7, 64, 1000])
    func `many conditions and encodings are read in bounded time`(count: Int) throws {
        let list = Array(repeating: "\"x\"", count: count).joined(separator: ",")
        let codings = Array(repeating: "br;q=0.1", count: count).joined(separator: ",")
        let bytes = Array(
            EdgeFixture.get(fields: [
                "If-None-Match: \(list.prefix(3000))", "Accept-Encoding: \(codings.prefix(3000))",
            ]).utf8
        )
        let head = try parse(bytes).get()
        #expect(!head.encodings.prefersGzip)
        #expect(head.conditions.count == 1)
    }
}
