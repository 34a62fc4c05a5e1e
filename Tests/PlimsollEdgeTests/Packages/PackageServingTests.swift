import NIOHTTP2
import NIOSSL
import PlimsollTestSupport
import Testing

@testable import PlimsollEdge

/// Packages are handed out byte for byte, whole or in parts, over every protocol.
@Suite(.timeLimit(.minutes(5))) struct PackageServingTests {
    private static let large = SampleDistribution(
        variants: ["Variant-A": 3_000_000, "variant-b": 4096],
        deltas: ["delta-1": 1],
        chunkSize: 1 << 20
    )

    private func serving<Result: Sendable>(
        _ sample: SampleDistribution = large,
        _ body: @Sendable (PackageFixture, inout RawConnection) async throws -> Result
    ) async throws -> Result {
        try await PackageFixture.with(sample) { fixture in
            try await EdgeFixture.with(packages: fixture.settings) { _, address in
                try await RawConnection.with(address) { connection in
                    try await body(fixture, &connection)
                }
            }
        }
    }

    @Test func `every file comes as it lies there, with what caches need`() async throws {
        let sample = Self.large
        var files = sample.files
        files["manifest.json"] = sample.manifest
        files["signature"] = sample.signature
        let expected = files
        try await serving { fixture, connection in
            for (path, bytes) in expected {
                try await connection.send(fixture.get("/\(path)"))
                let answer = try #require(try await connection.answer())
                #expect(answer.status == 200, "\(path)")
                #expect(answer.body == bytes, "\(path)")
                #expect(answer["Content-Length"] == "\(bytes.count)")
                #expect(answer["Accept-Ranges"] == "bytes")
                #expect(answer["Cache-Control"] == "public, max-age=31536000, immutable")
                let kind =
                    path == "manifest.json" ? "application/json" : "application/octet-stream"
                #expect(answer["Content-Type"] == kind)
                let tag = try #require(answer["ETag"])
                try await connection.send(
                    fixture.get("/\(path)", fields: ["If-None-Match: \"x\", W/\(tag)"])
                        + fixture.get("/\(path)", "HEAD")
                )
                let known = try #require(try await connection.answer())
                #expect(known.status == 304 && known["ETag"] == tag)
                let head = try #require(try await connection.answer(headOnly: true))
                #expect(head.status == 200)
                #expect(head.timeless == answer.timeless)
            }
        }
    }

    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=5-9", 5..<10), ("BYTES=4090-", 4090..<4096),
        ("bytes=-6", 4090..<4096), ("bytes=-99999", 0..<4096),
        ("bytes=0-99999999999999999999", 0..<4096),
        ("bytes=4095-4095", 4095..<4096),
    ])
    func `a part is answered as a part`(range: String, part: Range<Int>) async throws {
        let bytes = try #require(Self.large.files["variant/variant-b.ipa"])
        try await serving { fixture, connection in
            let path = "/variant/variant-b.ipa"
            try await connection.send(fixture.get(path, fields: ["Range: \(range)"]))
            let answer = try #require(try await connection.answer())
            #expect(answer.status == 206)
            #expect(answer.body == Array(bytes[part]))
            let place = "bytes \(part.lowerBound)-\(part.upperBound - 1)/4096"
            #expect(answer["Content-Range"] == place)
            #expect(answer["Content-Length"] == "\(part.count)")
            #expect(answer["ETag"] != nil)
        }
    }

    @Test(arguments: [
        ["Range: bytes=0-1,3-4"], ["Range: bytes=5-3"], ["Range: bytes=-"], ["Range: bytes"],
        ["Range: lines=0-1"], ["Range: bytes=a-b"], ["Range: bytes= 0-1"], ["Range: bytes=0x1-2"],
        ["Range: bytes=0-1", "Range: bytes=0-1"], ["Range: bytes=0-1", "If-Range: \"other\""],
        ["Range: bytes=0-1", "If-Range: Sun, 06 Nov 1994 08:49:37 GMT"], ["Range: "],
        ["Range: bytes=--1"], ["Range: bytes=0-1-2"],
    ])
    func `what is no single part is answered whole`(fields: [String]) async throws {
        try await serving { fixture, connection in
            try await connection.send(fixture.get("/variant/variant-b.ipa", fields: fields))
            let answer = try #require(try await connection.answer())
            #expect(answer.status == 200)
            #expect(answer.body.count == 4096)
        }
    }

    @Test func `a part goes on only with the file that it was begun with`() async throws {
        try await serving { fixture, connection in
            let path = "/variant/variant-b.ipa"
            try await connection.send(fixture.get(path, "HEAD"))
            let tag = try #require(try await connection.answer(headOnly: true)?["ETag"])
            let ask = { (condition: String) in
                fixture.get(path, fields: ["Range: bytes=1-2", "If-Range: \(condition)"])
            }
            // A weak tag promises nothing about bytes (RFC 9110, section 13.1.5).
            for (condition, status) in [(tag, 206), ("W/\(tag)", 200), ("*", 200)] {
                try await connection.send(ask(condition))
                #expect(try await connection.answer()?.status == status, "\(condition)")
            }
        }
    }

    @Test(arguments: ["bytes=4096-", "bytes=99999-100000", "bytes=-0"])
    func `a part behind the end is refused with the size`(range: String) async throws {
        try await serving { fixture, connection in
            let fields = ["Range: \(range)"]
            try await connection.send(fixture.get("/variant/variant-b.ipa", fields: fields))
            let answer = try #require(try await connection.answer())
            #expect(answer.status == 416)
            #expect(answer["Content-Range"] == "bytes */4096")
            try await connection.send(fixture.get("/variant/variant-b.ipa", "HEAD", fields: fields))
            #expect(try await connection.answer(headOnly: true)?.status == 200)
        }
    }

    @Test func `answers keep the order of the requests`() async throws {
        let sample = Self.large
        try await serving { fixture, connection in
            let paths = ["/variant/Variant-A.ipa", "/signature", "/variant/Variant-A.ipa", "/none"]
            try await connection.send(
                paths.map { fixture.get($0) }.joined() + EdgeFixture.request
                    + fixture.get("/manifest.json")
            )
            for path in paths.dropLast() {
                let answer = try #require(try await connection.answer())
                let expected = sample.files[String(path.dropFirst())] ?? sample.signature
                #expect(answer.body == expected, "\(path)")
            }
            #expect(try await connection.answer()?.status == 404)
            #expect(try await connection.answer()?.body == EdgeFixture.body)
            #expect(try await connection.answer()?.body == sample.manifest)
        }
    }

    @Test(arguments: ["Connection: close", nil])
    func `the last answer may be a package`(ending: String?) async throws {
        let sample = Self.large
        try await serving { fixture, connection in
            let fields = ending.map { [$0] } ?? []
            try await connection.send(fixture.get("/variant/Variant-A.ipa", fields: fields))
            if ending == nil { try await connection.finishSending() }
            let answer = try #require(try await connection.answer())
            #expect(answer.body == sample.files["variant/Variant-A.ipa"])
            #expect(try await connection.answer() == nil)
        }
    }

    @Test func `over TLS and HTTP/2 the same comes`() async throws {
        let sample = Self.large
        try await PackageFixture.with(sample) { fixture in
            try await TLSFixture.with { tls in
                let source = try TLSSource(tls.files)
                let path = "/variant/Variant-A.ipa"
                let bytes = try #require(sample.files["variant/Variant-A.ipa"])
                let (old, new) = (try tls.client(), try tls.client(speaking: ["h2"]))
                try await EdgeFixture.with(tls: source, packages: fixture.settings) { _, address in
                    try await RawConnection.with(address, tls: old) { connection in
                        let fields = ["Range: bytes=100000-2000000"]
                        try await connection.send(
                            fixture.get(path) + fixture.get(path, fields: fields)
                                + fixture.get("/signature")
                        )
                        #expect(try await connection.answer()?.body == bytes)
                        let part = try #require(try await connection.answer())
                        #expect(
                            part.status == 206 && part.body == Array(bytes[100_000...2_000_000])
                        )
                        #expect(try await connection.answer()?.body == sample.signature)
                    }
                    try await FrameConnection.with(
                        address,
                        tls: new,
                        settings: [HTTP2Setting(parameter: .initialWindowSize, value: 1 << 24)]
                    ) { connection in
                        let small = try await connection.ask(
                            "GET",
                            PackageFixture.path + "/signature"
                        )
                        #expect(try await connection.answer(on: small)?.body == sample.signature)
                        let part = try await connection.ask(
                            "GET",
                            PackageFixture.path + path,
                            fields: [("range", "bytes=0-60000")]
                        )
                        let reply = try #require(try await connection.answer(on: part))
                        #expect(reply.status == "206" && reply.body == Array(bytes[0...60_000]))
                    }
                }
            }
        }
    }
}
