import Dispatch
import PlimsollLog
import Synchronization
import Testing

@testable import PlimsollEdge

/// Tiles of the transparency log, which come from the disk.
@Suite(.timeLimit(.minutes(5))) struct TileTests {
    private let prefix = "/distribution/log/"

    @Test func `a tile has what caches need, and who has it is told so`() async throws {
        try await serving(size: 300) { connection in
            let path = prefix + "tile/0/001.p/44"
            try await connection.send(request(path))
            let whole = try #require(try await connection.answer())
            #expect(whole.status == 200)
            #expect(whole.body == bytes(of: "tile/0/001.p/44"))
            #expect(whole["Content-Type"] == "application/octet-stream")
            #expect(whole["Cache-Control"] == "public, max-age=31536000, immutable")
            #expect(whole["Date"]?.hasSuffix(" GMT") == true)
            let tag = try #require(whole["ETag"])
            try await connection.send(request(path, "If-None-Match: \"x\", \(tag)"))
            #expect(try await connection.answer()?.status == 304)
            try await connection.send(request(path).replacing("GET", with: "HEAD"))
            let head = try #require(try await connection.answer(headOnly: true))
            #expect(head.status == 200)
            #expect(head["Content-Length"] == String(whole.body.count))
        }
    }

    @Test func `answers come in the order of the requests`() async throws {
        try await serving(size: 300) { connection in
            let paths = [
                EdgeFixture.path, prefix + "tile/0/000", EdgeFixture.path,
                prefix + "tile/0/001.p/44", prefix + "tile/1/000.p/1", "/none", EdgeFixture.path,
            ]
            try await connection.send(paths.map { request($0) }.joined())
            for path in paths {
                let answer = try #require(try await connection.answer())
                guard path != "/none" else {
                    #expect(answer.status == 404)
                    continue
                }
                let isTile = path.hasPrefix(prefix)
                let expected =
                    isTile ? bytes(of: String(path.dropFirst(prefix.count))) : EdgeFixture.body
                #expect(answer.body == expected, "\(path)")
            }
        }
    }

    @Test func `the last answer of a connection may be a tile`() async throws {
        for ending in ["Connection: close", nil] {
            try await serving(size: 300) { connection in
                try await connection.send(request(prefix + "tile/0/000", ending))
                if ending == nil { try await connection.finishSending() }
                #expect(try await connection.answer()?.body == bytes(of: "tile/0/000"))
                #expect(try await connection.answer() == nil)
            }
        }
    }

    @Test(arguments: [
        "tile/0/002", "tile/0/001", "tile/0/001.p/45", "tile/1/000.p/2", "tile/2/000",
        "tile/entries/000", "tile/0/0", "tile/0/x000/000", "tile/0/x001/x234/x567/000", "tile/0",
        "tile/0/000/", "tile/0/000?x", "tile/../key", "tile/0/%30%30%30", "tile", "",
        "tile/0/" + String(repeating: "x000/", count: 200) + "000",
    ])
    func `what the checkpoint does not cover is not there`(_ path: String) async throws {
        try await serving(size: 300) { connection in
            try await connection.send(request(prefix + path))
            #expect(try await connection.answer()?.status == 404)
        }
    }

    @Test func `a tile that is lost, or has another width, is not there`() async throws {
        let spoilt = PublishedTiles(size: 600) { address in
            address.index == 0 ? nil : [1, 2, 3]
        }
        try await serving(spoilt) { connection in
            for path in ["tile/0/000", "tile/0/001"] {
                try await connection.send(request(prefix + path))
                #expect(try await connection.answer()?.status == 404)
            }
        }
    }

    // Goal: a disk that hangs under the tiles never hangs a phone, and who asks for more tiles
    // than may wait is told so. Method: the disk answers when the test lets it.
    @Test func `while the disk hangs phones are served`() async throws {
        let disk = DispatchSemaphore(value: 0)
        let hung = PublishedTiles(size: 300) { address in
            disk.wait()
            disk.signal()
            return bytes(of: address.path)
        }
        let table = EdgeTable(
            placing: try EdgeFixture.table().places,
            publications: [],
            tiles: hung
        )
        try await EdgeFixture.with(table: table) { _, address in
            try await withThrowingTaskGroup(of: Int?.self) { group in
                let (asked, ask) = AsyncStream.makeStream(of: Void.self)
                for _ in 0..<TileResponder.waitingMaximum + 10 {
                    group.addTask {
                        try await RawConnection.with(address) { connection in
                            try await connection.send(request(prefix + "tile/0/000"))
                            ask.yield()
                            return try await connection.answer()?.status
                        }
                    }
                }
                var waiting = asked.makeAsyncIterator()
                for _ in 0..<TileResponder.waitingMaximum + 10 { await waiting.next() }
                try await RawConnection.with(address) { connection in
                    try await connection.send(EdgeFixture.request)
                    #expect(try await connection.answer()?.body == EdgeFixture.body)
                }
                for _ in 0..<10 { #expect(try await group.next() == 503) }
                disk.signal()
                for try await status in group { #expect(status == 200) }
            }
        }
    }

    private func serving(
        size: Int,
        _ body: @Sendable (inout RawConnection) async throws -> Void
    ) async throws {
        try await serving(PublishedTiles(size: size) { bytes(of: $0.path) }, body)
    }

    private func serving(
        _ tiles: PublishedTiles,
        _ body: @Sendable (inout RawConnection) async throws -> Void
    ) async throws {
        let table = EdgeTable(
            placing: try EdgeFixture.table().places,
            publications: [],
            tiles: tiles
        )
        try await EdgeFixture.with(table: table) { _, address in
            try await RawConnection.with(address) { try await body(&$0) }
        }
    }

    private func request(_ path: String, _ field: String? = nil) -> String {
        "GET \(path) HTTP/1.1\r\nHost: edge.example\r\n" + (field.map { "\($0)\r\n" } ?? "")
            + "\r\n"
    }
}

/// A tile as no other address has it.
private func bytes(of path: String) -> [UInt8] {
    let width = TileAddress(path: path)?.width ?? 0
    let pattern = Array(path.utf8)
    return (0..<width * MerkleHash.byteCount).map { pattern[$0 % pattern.count] }
}

extension EdgeTable {
    /// What was placed, for a table with tiles beside it.
    fileprivate var places: [EdgePlace] {
        resources.map { EdgePlace($0, at: [EdgeFixture.path]) }
    }
}
