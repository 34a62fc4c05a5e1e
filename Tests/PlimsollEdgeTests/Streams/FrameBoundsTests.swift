import Metrics
import PlimsollTestSupport
import Testing

@testable import PlimsollEdge

/// Frames of HTTP/2 that begin and do not end.
@Suite(.timeLimit(.minutes(5))) struct FrameBoundsTests {
    private static let greeting = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let settings = frame(4, 0, on: 0, 0)
    private static let ping = frame(6, 0, on: 0, 8)
    private static let wholeHead = frame(1, 4, on: 1, 3)
    private static let openHead = frame(1, 0, on: 1, 3)
    private static let continuation = frame(9, 0, on: 1, 2)
    private static let lastContinuation = frame(9, 4, on: 1, 2)
    private static let data = frame(0, 0, on: 1, 300)

    private static func frame(
        _ kind: UInt8,
        _ flags: UInt8,
        on stream: UInt8,
        _ count: Int
    ) -> [UInt8] {
        [0, UInt8(count >> 8), UInt8(count & 255), kind, flags, 0, 0, 0, stream]
            + [UInt8](repeating: 0, count: count)
    }

    /// What comes, how many bytes of it are missing at the end, and whether they are waited for.
    private static let cases: [(frames: [[UInt8]], missing: Int, isWithin: Bool)] = [
        ([], 0, false), ([greeting], 0, false), ([greeting], 1, true),
        ([greeting, settings], 0, false), ([greeting, settings], 1, true),
        ([greeting, ping], 0, false), ([greeting, ping], 1, true), ([greeting, ping], 8, true),
        ([greeting, wholeHead], 0, false), ([greeting, wholeHead], 1, true),
        ([greeting, openHead], 0, true), ([greeting, openHead, continuation], 0, true),
        ([greeting, openHead, continuation, lastContinuation], 1, true),
        ([greeting, openHead, continuation, lastContinuation], 0, false),
        ([greeting, wholeHead, data], 0, false), ([greeting, wholeHead, data], 1, false),
        ([greeting, wholeHead, data], 300, false), ([greeting, wholeHead, data], 301, true),
    ]

    @Test(arguments: cases)
    func `what has begun and not ended is known, however it comes`(
        frames: [[UInt8]],
        missing: Int,
        isWithin: Bool
    ) {
        let bytes = Array(frames.joined().dropLast(missing))
        var bounds = FrameBounds()
        _ = bounds.take(bytes.span)
        #expect(bounds.isWithin == isWithin)
        var slow = FrameBounds()
        for byte in bytes {
            let piece = [byte]
            _ = slow.take(piece.span)
        }
        #expect(slow.isWithin == isWithin)
    }

    @Test func `a head that goes on has not ended, and one behind it begins anew`() {
        var bounds = FrameBounds()
        let begin = Self.greeting + Self.openHead
        let next = Self.lastContinuation + Self.openHead
        let ends = [begin, Self.continuation, next].map { bounds.take($0.span) }
        #expect(ends == [true, false, true])
        #expect(bounds.isWithin)
    }

    private static let heads = [
        openHead, openHead + continuation.dropLast(), Array(wholeHead.dropLast()),
    ]

    // Goal: what a client says of a head is kept no longer than over HTTP/1.1. Method: the time
    // without a request is that of everybody, and far too long for the test.
    @Test(arguments: heads)
    func `a head that does not end costs the connection in the time for a head`(
        head: [UInt8]
    ) async throws {
        var limits = EdgeLimits()
        limits.tickInterval = .milliseconds(5)
        // On a busy machine the handshake takes its part of the same time.
        limits.headTimeout = .seconds(3)
        let notebook = MetricsNotebook()
        let start = ContinuousClock.now
        try await withMetricsFactory(notebook) {
            try await TLSFixture.with { [limits] fixture in
                let client = try fixture.client(speaking: ["h2"])
                let source = try TLSSource(fixture.files)
                try await EdgeFixture.with(limits: limits, tls: source) { _, address in
                    try await RawConnection.with(address, tls: client) { connection in
                        try await connection.send(bytes: Self.greeting + Self.settings + head)
                        _ = try? await connection.rest()
                    }
                }
            }
        }
        #expect(ContinuousClock.now - start < limits.idleTimeout)
        #expect(notebook["plimsoll.requests.answered status=408"] == 1)
    }
}
