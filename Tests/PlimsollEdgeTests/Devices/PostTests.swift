import Testing

@testable import PlimsollEdge

/// What one connection decides of requests whose body is read, without a socket and a clock.
@Suite struct PostTests {
    private static let post = DeviceFixture.post()
    private static let long = DeviceFixture.post(body: String(repeating: "a", count: 20_000))
    private static let request = EdgeFixture.request
    private static let ending: [Step] = [.flushed, .renewed(.idle), .endedOutput]

    private func carrier() throws -> Carrier {
        try BothListeners.$devices.withValue(EchoResponder()) { try Carrier() }
    }

    @Test func `a body is read, and the client has time for the next request`() throws {
        let carrier = try carrier()
        #expect(carrier.receive(Self.post) == [.sent(200), .flushed, .renewed(.idle)])
        #expect(carrier.receive(Self.post + Self.request).count == 4)
        #expect(carrier.sent == [.sent(200), .sent(200), .sent(200)])
    }

    // Goal: where reads fall never shows. Method: every cut of a pipeline into three.
    @Test func `answers do not depend on where a body is cut`() throws {
        let bytes = Array(
            (Self.request + Self.post + DeviceFixture.post("/none") + Self.post).utf8
        )
        for first in stride(from: 0, to: bytes.count, by: 3) {
            for second in stride(from: first, through: bytes.count, by: 7) {
                let carrier = try carrier()
                for part in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    carrier.receive(Array(part))
                }
                // Nobody reads the body that is for nobody, so nothing follows it.
                #expect(
                    carrier.sent == [.sent(200), .sent(200), .sent(405, isLast: true)],
                    "\(first), \(second)"
                )
            }
        }
    }

    @Test func `the time for a body begins with the first byte of its head`() throws {
        let carrier = try carrier()
        let bytes = Array(Self.post.utf8)
        #expect(carrier.receive([bytes[0]]) == [.renewed(.head)])
        for byte in bytes[1..<(bytes.count - 1)] { #expect(carrier.receive([byte]) == []) }
        #expect(carrier.receive([bytes[bytes.count - 1]]).first == .sent(200))
    }

    @Test(arguments: [1, 3, 40]) func `a body that takes too long is told so`(left: Int) throws {
        let carrier = try carrier()
        carrier.receive(Self.request + String(Self.post.dropLast(left)))
        #expect(carrier.expire() == [.sent(408, isLast: true)] + Self.ending)
        #expect(carrier.receive(Self.request) == [])
    }

    @Test func `an answer that comes later keeps its place`() throws {
        let carrier = try carrier()
        let bytes = Self.request + DeviceFixture.post("/updates") + Self.post + Self.request
        #expect(carrier.receive(bytes) == [.sent(200), .fetched, .flushed, .renewed(.idle)])
        #expect(!carrier.canRead)
        #expect(carrier.expire() == nil)
        let reply = DeviceReply(.unauthorized, body: [])
        #expect(
            carrier.deliver(reply)
                == [.sent(401), .sent(200), .sent(200), .flushed, .renewed(.idle)]
        )
        #expect(carrier.deliver(reply) == nil)
    }

    @Test func `an answer that comes after closing is nobody's`() throws {
        let carrier = try carrier()
        carrier.receive(DeviceFixture.post("/updates"))
        carrier.close()
        #expect(carrier.deliver(DeviceReply(.ok, body: [])) == nil)
    }

    @Test func `who waits to be told to send a body is told once`() throws {
        let carrier = try carrier()
        let post = DeviceFixture.post(fields: ["Expect: 100-continue"])
        let head = String(post.dropLast("hello".count))
        #expect(carrier.receive(head) == [.sent(100), .flushed, .renewed(.head)])
        #expect(carrier.receive("he") == [])
        #expect(carrier.receive("llo") == [.sent(200), .flushed, .renewed(.idle)])
        // Who did not wait is not told.
        #expect(carrier.receive(post) == [.sent(200), .flushed, .renewed(.idle)])
        #expect(carrier.receive(head + "h") == [.renewed(.head)])
    }

    @Test(arguments: [
        (["Transfer-Encoding: chunked"], "5\r\nhello\r\n0\r\n\r\n", 411),
        (["Content-Length: 1048577"], "a", 413),
        (["Content-Length: 999999999999999999", "Expect: 100-continue"], "", 413),
        (["Authorization: a", "Authorization: b", "Content-Length: 0"], "", 400),
        (["Content-Length: 5", "Content-Length: 5"], "hello", 400),
        (["Content-Length: 5", "Transfer-Encoding: chunked"], "hello", 400),
        (["Content-Length: 5", "Expect: more"], "hello", 417),
    ])
    func `a body that is not read ends the connection`(
        fields: [String],
        body: String,
        status: Int
    ) throws {
        let carrier = try carrier()
        let head = (["POST /restore HTTP/1.1", "Host: \(DeviceFixture.host)"] + fields)
            .joined(separator: "\r\n")
        #expect(
            carrier.receive(head + "\r\n\r\n" + body + Self.request)
                == [.sent(status, isLast: true)] + Self.ending
        )
    }

    @Test func `only so many large bodies are on their way at once`() throws {
        let first = try carrier()
        var others: [BodyPlace] = []
        while let place = BodyPlace(among: first.parts.largePosts) { others.append(place) }
        let part = String(Self.long.prefix(1000))
        #expect(first.receive(part) == [.sent(503, isLast: true)] + Self.ending)
        others.removeLast()
        let second = try BothListeners.$devices.withValue(EchoResponder()) {
            try Carrier(sharing: first.parts)
        }
        #expect(second.receive(part) == [.renewed(.head)])
        #expect(BodyPlace(among: first.parts.largePosts) == nil)
        second.close()
        #expect(BodyPlace(among: first.parts.largePosts) != nil)
    }

    @Test func `a body that has begun is answered before a connection drains`() throws {
        let carrier = try carrier()
        carrier.receive(String(Self.post.dropLast(2)))
        #expect(carrier.drain() == [])
        #expect(
            carrier.receive("lo" + Self.request) == [.sent(200, isLast: true)] + Self.ending
        )
    }

    @Test func `who sends no more within a body is closed`() throws {
        let carrier = try carrier()
        carrier.receive(String(Self.post.dropLast(2)))
        #expect(carrier.endInput() == [.renewed(.idle), .closed])
    }

    @Test(arguments: [
        ("GET", "/restore", "market.example.com", 405),
        ("HEAD", "/restore", "market.example.com", 405),
        ("PUT", "/restore", "market.example.com", 405), ("POST", "/restore", "example.com", 405),
        ("POST", "/restore", "store.market.example.com", 200),
        ("POST", "/updates", "store.market.example.com", 405),
        ("POST", "/restore?a=b", "market.example.com", 405),
        ("POST", "/Restore", "market.example.com", 405),
        ("POST", "/restore", "MARKET.example.com.:443", 200),
        ("POST", "http://market.example.com/restore", "example.com", 200),
        ("POST", "*", "market.example.com", 405),
    ])
    func `the address says whether a body is read`(
        method: String,
        target: String,
        host: String,
        status: Int
    ) throws {
        let carrier = try carrier()
        carrier.receive("\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(carrier.sent == [.sent(status)])
    }

    @Test func `a listener that answers no devices reads no body`() throws {
        let carrier = try Carrier()
        #expect(carrier.receive(Self.post) == [.sent(405, isLast: true)] + Self.ending)
        let other = try Carrier()
        let host = DeviceFixture.host
        other.receive(EdgeFixture.get("/restore").replacing("edge.example", with: host))
        #expect(other.sent == [.sent(404)])
    }
}
