import Testing

@testable import PlimsollEdge

/// What clients send who want the listener to hang, to run full, or to take one request for two.
@Suite(.onBothListeners, .timeLimit(.minutes(5))) struct HostileTests {
    @Test(arguments: [
        ("GET", "Content-Length: 1000000000", "x", 413),
        ("GET", "Content-Length: 65536", "x", 200),
        ("POST", "Content-Length: 1000000000", "x", 405),
        ("GET", "Transfer-Encoding: chunked", "1\r\nx\r\n", 200),
        ("POST", "Transfer-Encoding: chunked", "1\r\nx\r\n", 405),
        ("GET", "Content-Length: 1000000000\r\nExpect: 100-continue", "x", 413),
    ])
    func `a body that drips in is not waited for`(
        method: String,
        field: String,
        drip: String,
        status: Int
    ) async throws {
        var limits = EdgeLimits()
        limits.tickInterval = .milliseconds(5)
        limits.lingerTimeout = .milliseconds(30)
        let request = EdgeFixture.get(fields: [field]).replacing("GET", with: method)
        try await EdgeFixture.with(limits: limits) { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(request)
                let answer = try #require(try await connection.answer())
                #expect(answer.status == status)
                #expect(answer["Connection"] == "close")
                var drips = 0
                do {
                    while drips < 1_000_000 {
                        try await connection.send(drip)
                        drips += 1
                    }
                } catch {}
                #expect(drips < 1_000_000)
            }
        }
    }

    @Test(arguments: [
        ("GET", "Content-Length: 65536", "", 200), ("GET", "Content-Length: 65537", "", 413),
        ("HEAD", "Content-Length: 65537", "", 413),
        ("GET", "Content-Length: 999999999999999999", "", 413),
        ("POST", "Content-Length: 65537", "", 405),
        ("GET", "Transfer-Encoding: chunked", "10000\r\n", 200),
        ("GET", "Transfer-Encoding: chunked", "10001\r\n", 413),
        ("GET", "Transfer-Encoding: chunked", "fFfFfFfFfFfFfFfFfFfF;a=b\r\n", 413),
        ("HEAD", "Transfer-Encoding: chunked", "1ABCD\r\n", 413),
        ("GET", "Transfer-Encoding: chunked", "000000000000000000000000A\r\n", 200),
        ("POST", "Transfer-Encoding: chunked", "10001\r\n", 405),
    ])
    func `a body above 64 KiB is refused by what it announces`(
        method: String,
        framing: String,
        start: String,
        status: Int
    ) async throws {
        let request = EdgeFixture.get(fields: [framing]).replacing("GET", with: method)
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(request + start)
                let headOnly = method == "HEAD"
                let answer = try #require(try await connection.answer(headOnly: headOnly))
                #expect(answer.status == status)
                #expect(answer["Connection"] == "close")
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test(arguments: [
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{fc}\u{3}\u{3}", "\u{0}\u{0}\u{0}\u{0}",
        "0\r\n\r\n", "}{\"json\": true}\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "\r\n\r\n\r\n\r\n", "\n",
        "GET /distribution/availability-ios\r\n\r\n", "*1\r\n$4\r\nPING\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 44\r\n\r\nbody",
    ])
    func `garbage behind good requests is answered in its turn and ends the connection`(
        garbage: String
    ) async throws {
        let good = String(repeating: EdgeFixture.request, count: 20)
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(good + garbage + EdgeFixture.request)
                for _ in 0..<20 { #expect(try await connection.answer()?.status == 200) }
                let last = try #require(try await connection.answer())
                #expect(last.status == 400)
                #expect(last["Connection"] == "close")
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test(arguments: [
        "Content-Length: 62", "Content-Length: 5", "Transfer-Encoding: chunked",
    ])
    func `a request inside a body is not answered`(framing: String) async throws {
        let hidden = EdgeFixture.get("/hidden")
        let body = framing.hasPrefix("T") ? "0\r\n\r\n\(hidden)" : hidden
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(EdgeFixture.get(fields: [framing]) + body)
                #expect(try await connection.answer()?.status == 200)
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test(arguments: [
        ["X: " + String(repeating: "a", count: 100_000)],
        [String(repeating: "X", count: 100_000) + ": a"],
        Array(repeating: "X: a", count: 16_667),
        ["If-None-Match: " + String(repeating: "\"a\",", count: 25_000)],
        ["Accept-Encoding: " + String(repeating: "gzip,", count: 20_000)],
        ["Host: " + String(repeating: "a", count: 100_000)],
    ])
    func `a head of 100 000 bytes is refused however it is made`(fields: [String]) async throws {
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                // The refusal may come before all of it is sent.
                try? await connection.send(EdgeFixture.get(fields: fields))
                let answer = try #require(try await connection.answer())
                #expect(answer.status == 431)
                #expect(answer["Connection"] == "close")
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test func `an address of 100 000 bytes is too long`() async throws {
        let path = "/" + String(repeating: "a", count: 100_000)
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                try? await connection.send(EdgeFixture.get(path))
                let answer = try await connection.answer()
                #expect(answer?.status == 414)
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test func `who closes half of the connection within a body gets the answer`() async throws {
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                let request = EdgeFixture.get(fields: ["Content-Length: 10"])
                try await connection.send(request + "half")
                try await connection.finishSending()
                #expect(try await connection.answer()?.body == EdgeFixture.body)
                #expect(try await connection.rest() == "")
            }
        }
    }
}
