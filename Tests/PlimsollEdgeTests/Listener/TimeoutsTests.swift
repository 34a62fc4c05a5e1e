import NIOCore
import Testing

@testable import PlimsollEdge

/// What happens to those who take too long, come in crowds, or do not read.
@Suite(.onBothListeners, .timeLimit(.minutes(5))) struct TimeoutsTests {
    /// Short where a test waits for the end of it; the rest stays far away.
    private func limits(_ change: (inout EdgeLimits) -> Void) -> EdgeLimits {
        var limits = EdgeLimits()
        limits.tickInterval = .milliseconds(5)
        change(&limits)
        return limits
    }

    @Test(arguments: ["GET", "GET / HTTP/1.1\r\nHost: a\r\nX: y", "GET / HTTP/1.1\r\nHost: a\r\n"])
    func `a head that does not end is cut off`(part: String) async throws {
        let limits = limits { $0.headTimeout = .milliseconds(30) }
        try await EdgeFixture.with(limits: limits) { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(part)
                let answer = try #require(try await connection.answer())
                #expect(answer.statusLine == "HTTP/1.1 408 Request Timeout")
                #expect(answer["Connection"] == "close")
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test func `dripping does not stretch the time for a head`() async throws {
        let limits = limits { $0.headTimeout = .milliseconds(50) }
        try await EdgeFixture.with(limits: limits) { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(EdgeFixture.request + "GET / HTTP/1.1\r\nHost: a\r\nX: ")
                #expect(try await connection.answer()?.status == 200)
                // Drips until the server has enough; only then does a write fail.
                var drips = 0
                do {
                    while drips < 1_000_000 {
                        try await connection.send("y")
                        drips += 1
                    }
                } catch {}
                #expect(drips < 1_000_000)
            }
        }
    }

    @Test func `a silent connection is closed without a word`() async throws {
        let limits = limits { $0.idleTimeout = .milliseconds(30) }
        try await EdgeFixture.with(limits: limits) { _, address in
            let silence = try await RawConnection.with(address) { try await $0.rest() }
            #expect(silence == "")
            var wasAnswered = false
            while !wasAnswered {
                wasAnswered = try await RawConnection.with(address) { connection in
                    // On a busy machine the time may be over before the request is there.
                    try? await connection.send(EdgeFixture.request)
                    let answer = try? await connection.answer()
                    let rest = try await connection.rest()
                    #expect(rest == "")
                    return answer?.status == 200
                }
            }
        }
    }

    @Test func `who does not close after the last answer is closed`() async throws {
        let limits = limits { $0.lingerTimeout = .milliseconds(30) }
        try await EdgeFixture.with(limits: limits) { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(EdgeFixture.get(fields: ["Connection: close"]))
                #expect(try await connection.answer()?.status == 200)
                // What is sent meanwhile is thrown away; then nobody takes it any more.
                var sent = 0
                do {
                    while sent < 1_000_000 {
                        try await connection.send("more")
                        sent += 1
                    }
                } catch {}
                #expect(sent < 1_000_000)
            }
        }
    }

    @Test func `one connection too many is told so and the others live on`() async throws {
        let limits = limits { $0.connectionsMaximum = 2 }
        try await EdgeFixture.with(limits: limits) { _, address in
            try await RawConnection.with(address) { first in
                try await first.send(EdgeFixture.request)
                #expect(try await first.answer()?.status == 200)
                try await RawConnection.with(address) { second in
                    try await second.send(EdgeFixture.request)
                    #expect(try await second.answer()?.status == 200)
                    try await RawConnection.with(address) { third in
                        let answer = try #require(try await third.answer())
                        #expect(answer.statusLine == "HTTP/1.1 503 Service Unavailable")
                        #expect(answer["Retry-After"] == "2")
                        #expect(try await third.rest() == "")
                    }
                }
                try await first.send(EdgeFixture.request)
                #expect(try await first.answer()?.status == 200)
            }
        }
    }

    @Test func `a closed connection makes room`() async throws {
        let limits = limits { $0.connectionsMaximum = 1 }
        try await EdgeFixture.with(limits: limits) { _, address in
            for _ in 0..<5 {
                var status: Int? = 503
                while status == 503 {
                    status = try await RawConnection.with(address) { connection in
                        // The write may meet a connection that was refused already.
                        try? await connection.send(EdgeFixture.request)
                        return try? await connection.answer()?.status
                    }
                    // A reset may have destroyed the refusal.
                    if status == nil { status = 503 }
                }
                #expect(status == 200)
            }
        }
    }

    // Goal: a client that asks and never reads costs the server no memory. Method: ask for far
    // more than the system's buffers hold, until the server gives the client up; what was taken
    // from it, and what the process grew by, must stay small.
    @Test func `a reader that does not read is bounded and given up`() async throws {
        let body = [UInt8](repeating: 0x61, count: 20_000)
        let limits = limits { $0.idleTimeout = .milliseconds(300) }
        let table = try EdgeFixture.table([EdgeFixture.resource(body)])
        try await EdgeFixture.with(table: table, limits: limits) { _, address in
            let before = try Memory.resident()
            try await RawConnection.with(address) { connection in
                // 160 MB of requests would have asked for 40 GB.
                #expect(await connection.askWithoutReading() < 200)
            }
            // Other tests grow meanwhile too; the answers to a hundred batches would be twice this.
            #expect(try Memory.resident() - before < 1 << 30)
        }
    }

    // Goal: who does not read in time is not blamed for a head that he sent in time. Method: his
    // requests reach the server in pieces that end within a head while it waits for him; that the
    // time for a head is over is shown by another client's.
    @Test func `a slow reader's next head is not too slow`() async throws {
        let limits = limits { $0.headTimeout = .seconds(2) }
        let body = [UInt8](repeating: 0x61, count: 20_000)
        let table = try EdgeFixture.table([EdgeFixture.resource(body)])
        try await EdgeFixture.with(table: table, limits: limits) { _, address in
            try await RawConnection.with(address) { slow in
                try await slow.send(String(repeating: EdgeFixture.request, count: 500))
                for _ in 0..<2 {
                    try await RawConnection.with(address) { connection in
                        try await connection.send("GET")
                        #expect(try await connection.answer()?.status == 408)
                    }
                }
                for _ in 0..<500 { #expect(try await slow.answer()?.body == body) }
            }
        }
    }

    @Test func `other clients are answered while one does not read`() async throws {
        let body = [UInt8](repeating: 0x61, count: 20_000)
        try await EdgeFixture.with(table: try EdgeFixture.table([EdgeFixture.resource(body)])) {
            _,
            address in
            try await RawConnection.with(address) { stubborn in
                try await stubborn.send(String(repeating: EdgeFixture.request, count: 500))
                try await RawConnection.with(address) { polite in
                    for _ in 0..<10 {
                        try await polite.send(EdgeFixture.request)
                        #expect(try await polite.answer()?.body == body)
                    }
                }
                for _ in 0..<500 { #expect(try await stubborn.answer()?.body == body) }
            }
        }
    }
}
