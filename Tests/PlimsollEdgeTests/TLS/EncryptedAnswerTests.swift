import Metrics
import NIOSSL
import PlimsollTestSupport
import Testing

@testable import PlimsollEdge

/// The listener with a certificate: the same answers, to those who greet properly.
@Suite(.onBothListeners, .timeLimit(.minutes(5))) struct EncryptedAnswerTests {
    private static let requests = [
        EdgeFixture.request, EdgeFixture.request.replacing("GET", with: "HEAD"),
        EdgeFixture.get(fields: ["Accept-Encoding: gzip"]),
        EdgeFixture.get(fields: ["If-None-Match: *"]), EdgeFixture.get("/nowhere"),
        EdgeFixture.get("//distribution/availability-ios"),
        EdgeFixture.request.replacing("GET", with: "POST"),
        EdgeFixture.get(fields: ["Connection: close"]),
        EdgeFixture.get(fields: ["Content-Length: 1", "Content-Length: 1"]),
        EdgeFixture.get(fields: ["X: " + String(repeating: "a", count: 9000)]),
        EdgeFixture.get("/" + String(repeating: "a", count: 3000)),
        EdgeFixture.get(fields: ["Expect: a-miracle"]), "GET / HTTP/3.0\r\n\r\n",
    ]

    @Test(arguments: requests)
    func `answers are those of the listener without a certificate`(request: String) async throws {
        try await TLSFixture.with { fixture in
            let headOnly = request.hasPrefix("HEAD")
            let plain = try await EdgeFixture.answer(to: request, headOnly: headOnly)
            let client = try fixture.client()
            try await EdgeFixture.with(tls: try TLSSource(fixture.files)) { _, address in
                try await RawConnection.with(address, tls: client) { connection in
                    try await connection.send(request)
                    let answer = try #require(try await connection.answer(headOnly: headOnly))
                    #expect(answer.statusLine == plain.statusLine)
                    #expect(answer.timeless == plain.timeless)
                    #expect(answer.body == plain.body)
                    if plain["Connection"] == "close" { #expect(try await connection.rest() == "") }
                }
            }
        }
    }

    @Test(arguments: [
        ([], "http/1.1"), (["http/1.1"], "http/1.1"), (["h2", "http/1.1"], "h2"),
        (["http/1.1", "h2"], "h2"), (["spdy/3"], "http/1.1"),
    ])
    func `the client says what it speaks`(offer: [String], spoken: String) async throws {
        try await TLSFixture.with { fixture in
            let client = try fixture.client(speaking: offer)
            try await EdgeFixture.with(tls: try TLSSource(fixture.files)) { _, address in
                try await RawConnection.with(address, tls: client) { connection in
                    try await connection.send(EdgeFixture.request)
                    let bytes = try await connection.beginning()
                    // A frame of settings is what HTTP/2 begins with.
                    let isHTTP1 = bytes.starts(with: Array("HTTP/1.1 200".utf8))
                    #expect(isHTTP1 == (spoken == "http/1.1"))
                    #expect((bytes[3] == 4) == (spoken == "h2"))
                }
            }
        }
    }

    @Test func `an old version of the protocol is not spoken`() async throws {
        try await TLSFixture.with { fixture in
            let client = try fixture.client(newest: .tlsv11)
            try await EdgeFixture.with(tls: try TLSSource(fixture.files)) { _, address in
                _ = await #expect(throws: (any Error).self) {
                    try await RawConnection.with(address, tls: client) { connection in
                        try await connection.send(EdgeFixture.request)
                        _ = try #require(try await connection.answer())
                    }
                }
            }
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{0}\u{1}\u{2}", "\u{16}\u{3}\u{1}"])
    func `who does not greet gets no answer`(words: String) async throws {
        var limits = EdgeLimits()
        limits.tickInterval = .milliseconds(5)
        limits.headTimeout = .milliseconds(50)
        try await TLSFixture.with { [limits] fixture in
            let source = try TLSSource(fixture.files)
            try await EdgeFixture.with(limits: limits, tls: source) { _, address in
                try await RawConnection.with(address) { connection in
                    try await connection.send(words)
                    let rest = try await connection.rest()
                    // An alert at most; nothing that anybody could take for an answer.
                    #expect(rest.utf8.count < 16 && !rest.contains("HTTP"))
                }
            }
        }
    }

    @Test func `who says nothing is closed after the time for a head, and makes room`()
        async throws
    {
        var limits = EdgeLimits()
        limits.tickInterval = .milliseconds(5)
        limits.headTimeout = .milliseconds(200)
        limits.connectionsMaximum = 1
        try await TLSFixture.with { [limits] fixture in
            let (source, client) = (try TLSSource(fixture.files), try fixture.client())
            try await EdgeFixture.with(limits: limits, tls: source) { _, address in
                try await RawConnection.with(address) { silent in
                    // Nobody else is let in before it is gone.
                    let rest = try await silent.rest()
                    #expect(rest == "")
                }
                var isAnswered = false
                while !isAnswered {
                    isAnswered = (try? await answer(address, client)) ?? false
                }
            }
        }
    }

    @Test func `one connection too many is not answered, and the others live on`() async throws {
        var limits = EdgeLimits()
        limits.connectionsMaximum = 1
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await TLSFixture.with { [limits] fixture in
                let (source, client) = (try TLSSource(fixture.files), try fixture.client())
                try await EdgeFixture.with(limits: limits, tls: source) { _, address in
                    try await RawConnection.with(address, tls: client) { first in
                        // Who is turned away takes nobody's place along.
                        for _ in 0...3 {
                            try await first.send(EdgeFixture.request)
                            #expect(try await first.answer()?.status == 200)
                            let isAnswered = try? await answer(address, client)
                            #expect(isAnswered != true)
                        }
                    }
                }
            }
        }
        #expect(notebook["plimsoll.requests.answered status=503"] == 4)
    }

    private func answer(_ address: EdgeAddress, _ client: NIOSSLContext) async throws -> Bool {
        try await RawConnection.with(address, tls: client) { connection in
            try await connection.send(EdgeFixture.request)
            return try await connection.answer()?.status == 200
        }
    }

    @Test(arguments: [1, 20])
    func `who has said everything still gets every answer`(count: Int) async throws {
        try await TLSFixture.with { fixture in
            let (source, client) = (try TLSSource(fixture.files), try fixture.client())
            try await EdgeFixture.with(tls: source) { _, address in
                try await RawConnection.with(address, tls: client) { connection in
                    try await connection.send(String(repeating: EdgeFixture.request, count: count))
                    try await connection.finishSending()
                    for _ in 0..<count {
                        #expect(try await connection.answer()?.body == EdgeFixture.body)
                    }
                }
            }
        }
    }

    // Goal: a client that asks and never reads costs the server no memory, though what it is sent
    // is encrypted for it alone. Method: as without a certificate.
    @Test func `a reader that does not read is bounded and given up`() async throws {
        let body = [UInt8](repeating: 0x61, count: 20_000)
        var limits = EdgeLimits()
        limits.tickInterval = .milliseconds(5)
        limits.idleTimeout = .milliseconds(300)
        let table = try EdgeFixture.table([EdgeFixture.resource(body)])
        try await TLSFixture.with { [limits] fixture in
            let (source, client) = (try TLSSource(fixture.files), try fixture.client())
            try await EdgeFixture.with(table: table, limits: limits, tls: source) { _, address in
                try await RawConnection.with(address, tls: client) { connection in
                    #expect(await connection.askWithoutReading() < 200)
                }
            }
        }
    }
}
