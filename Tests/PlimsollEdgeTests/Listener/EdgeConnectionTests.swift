import PlimsollSystem
import Testing

@testable import PlimsollEdge

/// What one connection decides, without a socket and without a clock.
@Suite(.onBothListeners) struct EdgeConnectionTests {
    private static let request = EdgeFixture.request
    private static let closing = EdgeFixture.get(fields: ["Connection: close"])
    private static let half = "GET / HTTP/1.1\r\nHost: a\r\nX: "
    private static let tile = EdgeFixture.get("/distribution/log/tile/0/000")
    /// What follows a last answer that the client takes.
    private static let ending: [Step] = [.flushed, .renewed(.idle), .endedOutput]

    // MARK: Requests

    @Test func `a request is answered and the client has time for the next`() throws {
        let carrier = try Carrier()
        #expect(carrier.receive(Self.request) == [.sent(200), .flushed, .renewed(.idle)])
        #expect(carrier.receive(Self.request) == [.sent(200), .flushed, .renewed(.idle)])
        #expect(carrier.canRead)
    }

    @Test func `requests that come together go out together`() throws {
        let carrier = try Carrier()
        let bytes = Self.request + EdgeFixture.get("/none") + Self.request
        #expect(
            carrier.receive(bytes) == [
                .sent(200), .sent(404), .sent(200), .flushed, .renewed(.idle),
            ]
        )
    }

    @Test func `the time for a head begins with its first byte`() throws {
        let carrier = try Carrier()
        let bytes = Self.request.map(String.init)
        #expect(carrier.receive(bytes[0]) == [.renewed(.head)])
        for byte in bytes[1..<(bytes.count - 1)] { #expect(carrier.receive(byte) == []) }
        #expect(carrier.receive(bytes[bytes.count - 1]) == [.sent(200), .flushed, .renewed(.idle)])
        // Another head has its own time, also one that comes with the end of the last.
        #expect(carrier.receive("GET ") == [.renewed(.head)])
        let rest = String(Self.request.dropFirst(4))
        #expect(carrier.receive(rest + "GET") == [.sent(200), .flushed, .renewed(.head)])
        #expect(carrier.receive(" ") == [])
    }

    @Test(arguments: [
        "Connection: close", "Content-Length: 5", "Transfer-Encoding: chunked", "Content-Length: x",
        "Host: b", "Expect: more",
    ])
    func `nothing is answered after a last answer`(field: String) throws {
        let carrier = try Carrier()
        let steps = carrier.receive(EdgeFixture.get(fields: [field]) + Self.request)
        #expect(steps.count == 1 + Self.ending.count && Array(steps.dropFirst()) == Self.ending)
        #expect(steps.first?.isLast == true)
        // It is read, since the client's end is behind it.
        #expect(carrier.canRead)
        #expect(carrier.receive(Self.request) == [])
        #expect(carrier.endInput() == [.closed])
    }

    // Goal: where reads and pauses fall never shows. Method: every cut of a pipeline into three.
    @Test func `answers do not depend on where the bytes are cut`() throws {
        let bytes = Array(
            (Self.request + "\r\n" + Self.tile + EdgeFixture.get("/none") + "GET\n").utf8
        )
        for first in stride(from: 0, to: bytes.count, by: 3) {
            for second in stride(from: first, through: bytes.count, by: 7) {
                let carrier = try Carrier()
                for part in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    carrier.receive(Array(part))
                    if carrier.isFetching { carrier.deliver(.found) }
                }
                #expect(
                    carrier.sent == [.sent(200), .sent(200), .sent(404), .sent(400, isLast: true)],
                    "\(first), \(second)"
                )
            }
        }
    }

    // MARK: Output

    @Test func `while answers are not taken nothing is read or answered`() throws {
        let carrier = try Carrier()
        carrier.isTaking = false
        // The head that has begun is not the client's to end now.
        let bytes = Self.request + Self.half
        #expect(carrier.receive(bytes) == [.sent(200), .flushed, .renewed(.idle)])
        #expect(!carrier.canRead)
        #expect(carrier.resume() == [])
        #expect(carrier.expire() == nil)
        carrier.isTaking = true
        #expect(carrier.resume() == [.renewed(.head)])
        #expect(carrier.receive("\r\n\r\n") == [.sent(404), .flushed, .renewed(.idle)])
    }

    @Test func `what comes all the same is answered later`() throws {
        let carrier = try Carrier()
        carrier.isTaking = false
        carrier.receive(Self.request)
        #expect(carrier.receive(Self.request + Self.half) == [])
        #expect(carrier.receive("y\r\n\r\n" + Self.closing) == [])
        carrier.isTaking = true
        #expect(
            carrier.resume() == [.sent(200), .sent(404), .sent(200, isLast: true)] + Self.ending
        )
    }

    @Test func `a flush that finds room lets the batch go on`() throws {
        let carrier = try Carrier()
        carrier.answersMaximum = 2
        #expect(
            carrier.receive(String(repeating: Self.request, count: 5)) == [
                .sent(200), .sent(200), .flushed, .sent(200), .sent(200), .flushed, .sent(200),
                .flushed, .renewed(.idle),
            ]
        )
    }

    @Test func `the output ends when the last answer is taken`() throws {
        let carrier = try Carrier()
        carrier.isTaking = false
        #expect(
            carrier.receive(Self.closing) == [.sent(200, isLast: true), .flushed, .renewed(.idle)]
        )
        #expect(carrier.canRead)
        #expect(carrier.receive(Self.request) == [])
        #expect(carrier.resume() == [])
        carrier.isTaking = true
        #expect(carrier.resume() == [.endedOutput])
        #expect(carrier.resume() == [])
    }

    // MARK: Tiles

    @Test(arguments: [(Carrier.Tile.found, 200), (.missing, 404), (.refused, 503)])
    func `a tile keeps its place among the answers`(tile: Carrier.Tile, status: Int) throws {
        let carrier = try Carrier()
        carrier.refusesTiles = tile == .refused
        let bytes = Self.request + Self.tile + Self.request
        guard tile != .refused else {
            #expect(
                carrier.receive(bytes) == [
                    .sent(200), .fetched, .sent(status), .sent(200), .flushed, .renewed(.idle),
                ]
            )
            return
        }
        #expect(carrier.receive(bytes) == [.sent(200), .fetched, .flushed, .renewed(.idle)])
        #expect(!carrier.canRead)
        #expect(carrier.resume() == [])
        #expect(carrier.expire() == nil)
        let steps: [Step] = [.sent(status), .sent(200), .flushed, .renewed(.idle)]
        #expect(carrier.deliver(tile) == steps)
        #expect(carrier.deliver(tile) == nil)
        #expect(carrier.canRead)
    }

    @Test func `a tile that comes after closing is nobody's`() throws {
        let carrier = try Carrier()
        carrier.receive(Self.tile + Self.request)
        carrier.close()
        #expect(carrier.deliver(.found) == nil)
        #expect(carrier.resume() == [])
        #expect(carrier.receive(Self.request) == [])
    }

    @Test func `a tile may come while answers are not taken`() throws {
        let carrier = try Carrier()
        carrier.isTaking = false
        carrier.receive(Self.request + Self.tile + Self.request)
        // It is put behind them, and gives the client no more time.
        #expect(carrier.deliver(.found) == [.sent(200), .flushed])
        #expect(carrier.resume() == [])
        carrier.isTaking = true
        #expect(carrier.resume() == [.sent(200), .flushed, .renewed(.idle)])
    }

    @Test func `a tile may be the last answer`() throws {
        let carrier = try Carrier()
        let bytes = EdgeFixture.get("/distribution/log/tile/0/000", fields: ["Connection: close"])
        #expect(carrier.receive(bytes + Self.request) == [.fetched, .renewed(.idle)])
        #expect(
            carrier.deliver(.found) == [.sent(200, isLast: true)] + Self.ending
        )
    }

    // MARK: Files

    // Goal: room that a client makes before the next flush lets no answer in between. Method: what
    // waited goes out when the head of the file is sent, as where both are too much for one buffer.
    @Test func `no answer comes between the head of a file and its bytes`() async throws {
        try await PackageFixture.with { fixture in
            let names = "\(PackageFixture.place)/signature".split(separator: "/").map(String.init)
            let file = try #require(try ServedFile(names, below: fixture.folder))
            let workers = FileWorkers(
                "test",
                FileWorkers.Limits(waiting: 1, downloads: 1, threads: 1),
                descriptors: Admission(maximum: 1),
                busy: .packagesBusy
            )
            let facts = FileFacts([1, 2, 3], "application/octet-stream")
            let carrier = try Carrier()
            carrier.isTaking = false
            carrier.receive(Self.request + Self.tile + Self.request)
            (carrier.isTaking, carrier.flushesEarly) = (true, true)
            #expect(
                carrier.deliver(OpenFile(file, facts, holding: [], readBy: workers)) == [
                    .sent(200), .flushed, .sent(200), .flushed, .renewed(.idle),
                ]
            )
        }
    }

    // MARK: End of input

    @Test(arguments: ["", half, request, request + half, "GET"])
    func `who sends no more is closed when all is answered`(bytes: String) throws {
        let carrier = try Carrier()
        carrier.receive(bytes)
        #expect(carrier.endInput() == [.renewed(.idle), .closed])
        #expect(!carrier.canRead)
        #expect(carrier.endInput() == [])
    }

    @Test func `who sends no more still takes the last answer`() throws {
        let carrier = try Carrier()
        carrier.isTaking = false
        carrier.receive(Self.closing)
        #expect(carrier.endInput() == [])
        #expect(!carrier.canRead)
        carrier.isTaking = true
        #expect(carrier.resume() == [.closed])
    }

    // MARK: Draining

    @Test func `an idle connection drains at once`() throws {
        let carrier = try Carrier()
        #expect(carrier.drain() == [.renewed(.idle), .endedOutput])
        #expect(carrier.drain() == [])
        #expect(carrier.receive(Self.request) == [])
        #expect(carrier.endInput() == [.closed])
        #expect(carrier.drain() == [])
    }

    @Test func `a head that has begun is answered before a connection drains`() throws {
        let carrier = try Carrier()
        #expect(carrier.receive(Self.half) == [.renewed(.head)])
        #expect(carrier.drain() == [])
        #expect(carrier.receive("y") == [])
        #expect(
            carrier.receive("\r\n\r\n" + Self.request)
                == [.sent(404, isLast: true)] + Self.ending
        )
    }

    @Test func `a head that has begun may take too long while a connection drains`() throws {
        let carrier = try Carrier()
        carrier.receive(Self.half)
        carrier.drain()
        #expect(carrier.expire() == [.sent(408, isLast: true)] + Self.ending)
    }

    @Test func `answers are taken before a connection drains`() throws {
        let carrier = try Carrier()
        carrier.isTaking = false
        carrier.receive(Self.request)
        #expect(carrier.drain() == [])
        carrier.isTaking = true
        #expect(carrier.resume() == [.renewed(.idle), .endedOutput])
    }

    @Test func `a tile is answered before a connection drains`() throws {
        let carrier = try Carrier()
        carrier.receive(Self.tile)
        #expect(carrier.drain() == [])
        #expect(
            carrier.deliver(.found) == [.sent(200)] + Self.ending
        )
        // What was asked behind it is told that it is the last.
        let other = try Carrier()
        other.receive(Self.tile + Self.request + Self.request)
        #expect(other.drain() == [])
        #expect(
            other.deliver(.found) == [.sent(200), .sent(200, isLast: true)] + Self.ending
        )
    }

    @Test func `a lingering connection and one that is closed have nothing to drain`() throws {
        let carrier = try Carrier()
        carrier.receive(Self.closing)
        #expect(carrier.drain() == [])
        carrier.close()
        #expect(carrier.drain() == [])
    }

    // MARK: Time

    @Test(arguments: [half, request + half, "\r\n", "G"])
    func `a head that takes too long is told so`(bytes: String) throws {
        let carrier = try Carrier()
        carrier.receive(bytes)
        #expect(carrier.expire() == [.sent(408, isLast: true)] + Self.ending)
        #expect(carrier.expire() == nil)
        #expect(carrier.receive("\r\n\r\n") == [])
    }

    @Test(arguments: ["", request, half + "\r\n\r\n", closing, tile, half + "\r\n\r\n" + tile])
    func `whose time is over otherwise is closed without a word`(bytes: String) throws {
        let carrier = try Carrier()
        carrier.receive(bytes)
        #expect(carrier.expire() == nil)
        carrier.close()
        #expect(carrier.expire() == nil)
    }

    @Test func `a connection is closed once`() throws {
        var connection = EdgeConnection()
        var wasOpen = connection.close()
        #expect(wasOpen)
        wasOpen = connection.close()
        #expect(!wasOpen)
    }
}
