import NIOHTTP2
import NIOSSL
import PlimsollTestSupport
import Testing

@testable import PlimsollEdge

/// Bodies as they come over the wire, and a marketplace's files on its domains.
@Suite(.timeLimit(.minutes(5))) struct DeviceListenerTests {
    /// How a client speaks.
    enum Carrying: CaseIterable {
        case plain, encrypted, streams
    }

    private static let sizes = [0, 1, 4096, 16_384, 70_000, 1 << 20]

    @Test(arguments: Carrying.allCases, sizes)
    func `a body of any size is answered, at once and later`(
        carrying: Carrying,
        size: Int
    ) async throws {
        let body = String(repeating: "b", count: size)
        try await serving(carrying) { post in
            for path in ["/restore", "/updates"] {
                let (status, text) = try await post(path, body, ["Authorization: Bearer x"])
                #expect(status == 200)
                let echo = size > 5000 ? "\(size)" : body
                #expect(text == "\(path.dropFirst()) Bearer x \(echo)")
            }
        }
    }

    @Test(arguments: Carrying.allCases)
    func `a body above 1 MiB is refused`(carrying: Carrying) async throws {
        let body = String(repeating: "b", count: 1 << 20 + 1)
        try await serving(carrying) { post in
            let (status, text) = try await post("/restore", body, [])
            #expect(status == 413)
            #expect(text == "The body is larger than 1 MiB.\n")
        }
    }

    @Test func `nothing that a device is answered is kept by caches`() async throws {
        try await answering { address in
            try await RawConnection.with(address) { connection in
                try await connection.send(DeviceFixture.post())
                let answer = try #require(try await connection.answer())
                #expect(answer["Cache-Control"] == "no-store")
                #expect(answer["Content-Type"] == "application/json")
                #expect(answer["X-Content-Type-Options"] == "nosniff")
                #expect(answer.has("Date") && !answer.has("ETag") && !answer.has("Connection"))
                try await connection.send(DeviceFixture.post(fields: ["Connection: close"]))
                #expect(try await connection.answer()?["Connection"] == "close")
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test func `answers that come later keep the order of requests`() async throws {
        try await answering { address in
            try await RawConnection.with(address) { connection in
                let paths = (0..<300).map { $0.isMultiple(of: 3) ? "/restore" : "/updates" }
                let posts = paths.enumerated().map { DeviceFixture.post($1, body: "\($0)") }
                try await connection.send(posts.joined(separator: EdgeFixture.request))
                for (number, path) in paths.enumerated() {
                    let answer = try #require(try await connection.answer())
                    #expect(answer.text == "\(path.dropFirst()) - \(number)")
                    guard number < 299 else { continue }
                    #expect(try await connection.answer()?.body == EdgeFixture.body)
                }
            }
        }
    }

    @Test(arguments: [Carrying.plain, .encrypted])
    func `who expects to be told to send a body is told`(carrying: Carrying) async throws {
        try await answering(carrying) { address, client in
            try await RawConnection.with(address, tls: client) { connection in
                let post = DeviceFixture.post(fields: ["Expect: 100-continue"])
                try await connection.send(String(post.dropLast("hello".count)))
                #expect(try await connection.answer()?.statusLine == "HTTP/1.1 100 Continue")
                try await connection.send("hello")
                #expect(try await connection.answer()?.text == "restore - hello")
            }
        }
    }

    @Test(arguments: [
        ("market.example.com", "installToken - x"), ("eu.market.example.com", "installToken - x"),
        ("example.com", "Documents are read with GET or HEAD.\n"),
    ])
    func `a marketplace's own app asks on any host of its domains`(
        host: String,
        text: String
    ) async throws {
        try await answering { address in
            try await RawConnection.with(address) { connection in
                let path = "/marketplace/install-token"
                try await connection.send(DeviceFixture.post(path, body: "x", host: host))
                #expect(try await connection.answer()?.text == text)
            }
        }
    }

    // MARK: Slow and hostile

    @Test func `a body that drips in is cut off`() async throws {
        var limits = EdgeLimits()
        limits.tickInterval = .milliseconds(5)
        limits.headTimeout = .milliseconds(50)
        try await answering(limits: limits) { address in
            try await RawConnection.with(address) { connection in
                let post = DeviceFixture.post(body: String(repeating: "b", count: 100_000))
                try await connection.send(String(post.prefix(1000)))
                let answer = try #require(try await connection.answer())
                #expect(answer.statusLine == "HTTP/1.1 408 Request Timeout")
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test func `a body that drips in on one stream takes nothing from the others`() async throws {
        var limits = EdgeLimits()
        limits.tickInterval = .milliseconds(5)
        // Time enough to connect over TLS on a slow machine, which counts too.
        limits.headTimeout = .seconds(3)
        try await answering(.streams, limits: limits) { address, client in
            let client = try #require(client)
            try await FrameConnection.with(address, tls: client) { connection in
                let slow = try await connection.ask(
                    "POST",
                    "/restore",
                    authority: DeviceFixture.host,
                    endStream: false,
                    body: [0x61]
                )
                #expect(try await connection.get()?.body == EdgeFixture.body)
                #expect(try await connection.answer(on: slow)?.status == "408")
                #expect(try await connection.reset(of: slow) == .noError)
                #expect(try await connection.get()?.body == EdgeFixture.body)
            }
        }
    }

    @Test func `a body over HTTP/2 may say how long it is, or not`() async throws {
        try await answering(.streams) { address, client in
            let client = try #require(client)
            try await FrameConnection.with(address, tls: client) { connection in
                for fields in [[], [("content-length", "5")]] {
                    let stream = try await connection.ask(
                        "POST",
                        "/updates",
                        authority: DeviceFixture.host,
                        fields: fields,
                        body: Array("hello".utf8)
                    )
                    let reply = try await connection.answer(on: stream)
                    #expect(reply?.body == Array("updates - hello".utf8))
                }
                let wrong = try await connection.ask(
                    "POST",
                    "/restore",
                    authority: DeviceFixture.host,
                    fields: [("content-length", "9")],
                    body: Array("hello".utf8)
                )
                #expect(try await connection.answer(on: wrong)?.status != "200")
                #expect(try await connection.get()?.body == EdgeFixture.body)
            }
        }
    }

    // MARK: Files of a domain

    @Test(
        arguments: [
            ("market.example.com", "tidewater"), ("eu.market.example.com", "tidewater"),
            ("MARKET.Example.com.:443", "tidewater"), ("quay.example.org", "quay"),
            ("inner.quay.example.org", "inner"), ("a.inner.quay.example.org", "inner"),
        ],
        ["marketplace-kit", "oauth-authorization-server"]
    )
    func `a marketplace's files are found on its domains and all hosts under them`(
        place: (host: String, app: String),
        file: String
    ) async throws {
        let request = "GET /.well-known/\(file) HTTP/1.1\r\nHost: \(place.host)\r\n\r\n"
        let answer = try await EdgeFixture.answer(to: request, table: try domains())
        #expect(answer.status == 200)
        #expect(answer.text == "\(place.app) \(file)")
        #expect(answer["Content-Type"] == "application/json")
        let tag = try #require(answer["ETag"])
        let again = request.replacing("\r\n\r\n", with: "\r\nIf-None-Match: \(tag)\r\n\r\n")
        #expect(try await EdgeFixture.answer(to: again, table: try domains()).status == 304)
        let head = try await EdgeFixture.answer(
            to: request.replacing("GET", with: "HEAD"),
            headOnly: true,
            table: try domains()
        )
        #expect(head.status == 200)
        #expect(head["Content-Length"] == String(answer.body.count))
    }

    @Test(arguments: [
        "example.com", "notmarket.example.com", "market.example.com.example.org", "edge.example",
        ".market.example.com.", "[::1]:80", "m", ":",
    ])
    func `on other hosts they are not found`(host: String) async throws {
        let request = "GET /.well-known/marketplace-kit HTTP/1.1\r\nHost: \(host)\r\n\r\n"
        let status = try await EdgeFixture.answer(to: request, table: try domains()).status
        #expect(status == (host == ".market.example.com." ? 200 : 404))
    }

    private func domains() throws -> EdgeTable {
        try DeviceFixture.table([
            DeviceFixture.marketplace(),
            DeviceFixture.marketplace("quay", sampleMarketplace(2, at: "quay.example.org")),
            DeviceFixture.marketplace("inner", sampleMarketplace(3, at: "inner.quay.example.org")),
        ])
    }

    // MARK: Steps

    private typealias Post =
        @Sendable (_ path: String, _ body: String, _ fields: [String]) async throws -> (
            status: Int, text: String
        )

    private func serving(
        _ carrying: Carrying,
        _ body: @Sendable (Post) async throws -> Void
    ) async throws {
        try await answering(carrying) { address, client in
            if carrying == .streams, let client {
                try await body { path, content, fields in
                    try await FrameConnection.with(address, tls: client) { connection in
                        let stream = try await connection.ask(
                            "POST",
                            path,
                            authority: DeviceFixture.host,
                            fields: fields.map(Self.pair),
                            body: Array(content.utf8)
                        )
                        let reply = try #require(try await connection.answer(on: stream))
                        let text = String(decoding: reply.body, as: UTF8.self)
                        return (Int(reply.status ?? "") ?? 0, text)
                    }
                }
            } else {
                try await body { path, content, fields in
                    try await RawConnection.with(address, tls: client) { connection in
                        let post = DeviceFixture.post(path, body: content, fields: fields)
                        // A refusal may come before all of it is sent.
                        try? await connection.send(post)
                        let answer = try #require(try await connection.answer())
                        return (answer.status, answer.text)
                    }
                }
            }
        }
    }

    private static func pair(_ field: String) -> (String, String) {
        let parts = field.split(separator: ":", maxSplits: 1)
        return (parts[0].lowercased(), String(parts[1].dropFirst()))
    }

    private func answering(
        limits: EdgeLimits = EdgeLimits(),
        _ body: @Sendable (EdgeAddress) async throws -> Void
    ) async throws {
        try await answering(.plain, limits: limits) { address, _ in try await body(address) }
    }

    private func answering(
        _ carrying: Carrying,
        limits: EdgeLimits = EdgeLimits(),
        _ body: @Sendable (EdgeAddress, NIOSSLContext?) async throws -> Void
    ) async throws {
        try await BothListeners.$devices.withValue(EchoResponder()) {
            guard carrying != .plain else {
                return try await EdgeFixture.with(limits: limits) { _, address in
                    try await body(address, nil)
                }
            }
            try await TLSFixture.with { fixture in
                let client = try fixture.client(speaking: carrying == .streams ? ["h2"] : [])
                let source = try TLSSource(fixture.files)
                try await EdgeFixture.with(limits: limits, tls: source) { _, address in
                    try await body(address, client)
                }
            }
        }
    }
}
