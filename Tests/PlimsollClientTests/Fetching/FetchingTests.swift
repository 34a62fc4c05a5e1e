import Foundation
import PlimsollDomain
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollClient

/// Every answer comes over a real socket.
@Suite(.timeLimit(.minutes(5))) struct FetchingTests {
    @Test func `a document is fetched, and asked for again by its entity tag`() async throws {
        try await Harbour.with { harbour in
            let answer = try harbour.publisher.answer(DocumentDraft().body)
            try await ScriptedServer.with { request in
                request["If-None-Match"] == "\"1\""
                    ? .bytes(Publisher.unsigned("304 Not Modified")) : .bytes(answer)
            } _: { server, port in
                let client = try harbour.client(port: port)
                #expect(await client.state().decision == .open)
                let first = await client.refresh()
                #expect(first.refreshError == nil)
                #expect(first.decision.verdict == .appTooOld)
                #expect(first.decision.description == "Too old.")
                #expect(first.checkedAt == harbour.clock.now)
                let second = await client.refresh()
                #expect(second.refreshError == nil)
                #expect(second.document == first.document)
                #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\""])
                #expect(
                    server.requests[0].text.hasPrefix("GET /distribution/harbour/availability-ios ")
                )
                // A new start knows it too, before it has asked.
                let again = try harbour.client(port: port)
                #expect(await again.state().document == first.document)
                #expect(await again.refresh().refreshError == nil)
                #expect(server.requests.last?["If-None-Match"] == "\"1\"")
            }
        }
    }

    @Test func `a tag of a newer document holds nobody on the older one that came with it`()
        async throws
    {
        try await Harbour.with { harbour in
            var newer = DocumentDraft()
            newer.sequence += 1
            let tag = ["ETag": "\"2\""]
            let headers = try harbour.publisher.headers(for: newer.body)
            let known = tag.merging(
                [
                    SignedDocument.signatureHeader: headers.signature,
                    SignedDocument.dateHeader: headers.date,
                ]
            ) { first, _ in first }
            try await ScriptedServer.answering([
                // Whoever was on the way, once.
                try harbour.publisher.answer(DocumentDraft().body, fields: tag),
                Publisher.unsigned("304 Not Modified", fields: known),
                try harbour.publisher.answer(newer.body, fields: tag),
            ]) { server, port in
                let client = try harbour.client(port: port)
                #expect(await client.refresh().document?.stamp.sequence == 113)
                let held = await client.refresh()
                #expect(held.refreshError?.code == .signatureWrong)
                #expect(held.document?.stamp.sequence == 113)
                // A new start has forgotten the tag as well.
                let again = try harbour.client(port: port)
                #expect(await again.refresh().document?.stamp.sequence == 114)
                #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"2\"", nil])
            }
        }
    }

    @Test(arguments: [
        ("302 Found", AvailabilityError.Code.redirected), ("301 Moved", .redirected),
        ("404 Not Found", .unexpectedStatus), ("403 Forbidden", .unexpectedStatus),
        ("500 Internal Server Error", .unexpectedStatus), ("304 Not Modified", .unexpectedStatus),
        ("206 Partial Content", .unexpectedStatus), ("204 No Content", .unexpectedStatus),
    ])
    func `an answer other than 200 and an expected 304 changes nothing`(
        _ status: String,
        _ code: AvailabilityError.Code
    ) async throws {
        try await Harbour.with { harbour in
            let body = DocumentDraft().body
            let fields = status.hasPrefix("30") ? ["Location": "/elsewhere"] : [:]
            let answer = try harbour.publisher.answer(body, status: status, fields: fields)
            try await ScriptedServer.with { _ in
                .bytes(answer)
            } _: { server, port in
                let state = await (try harbour.client(port: port)).refresh()
                #expect(state.refreshError?.code == code)
                #expect(state.document == nil)
                #expect(state.decision == .open)
                #expect(server.requests.count == 1)
                #expect(harbour.files.isEmpty)
            }
        }
    }

    @Test func `an answer that nobody signed changes nothing`() async throws {
        try await Harbour.with { harbour in
            let body = DocumentDraft().body
            let answer = Publisher.unsigned("200 OK", body: body)
            try await ScriptedServer.with { _ in
                .bytes(answer)
            } _: { _, port in
                let state = await (try harbour.client(port: port)).refresh()
                #expect(state.refreshError?.code == .signatureMissing)
                #expect(state.document == nil)
            }
        }
    }

    @Test func `a huge body is given up before it is all there`() async throws {
        try await Harbour.with { harbour in
            let body = Data(repeating: 0x20, count: 3 << 20)
            let answer = try harbour.publisher.answer(body)
            try await ScriptedServer.with { _ in
                .bytes(answer)
            } _: { _, port in
                let client = try harbour.client(port: port) { $0.bodyMaximum = 1 << 20 }
                #expect(await client.refresh().refreshError?.code == .tooLarge)
            }
        }
    }

    @Test func `a server that stops in the middle, or never begins, costs the time limit`()
        async throws
    {
        try await Harbour.with { harbour in
            let answer = try harbour.publisher.answer(DocumentDraft().body)
            for length in [answer.count - 1, 20, 0] {
                try await ScriptedServer.with { _ in
                    .part(Array(answer.prefix(length)))
                } _: { _, port in
                    let client = try harbour.client(port: port) { $0.timeLimit = 0.3 }
                    let state = await client.refresh()
                    #expect(state.refreshError?.code == .timedOut)
                    #expect(state.decision == .open)
                }
            }
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nX: ", "a"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", " "),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"),
    ])
    func `a server that drips without end costs the time limit`(
        beginning: String,
        drop: String
    ) async throws {
        try await Harbour.with { harbour in
            try await ScriptedServer.with { _ in
                .drip(Array(beginning.utf8), then: Array(drop.utf8))
            } _: { _, port in
                let client = try harbour.client(port: port) { $0.timeLimit = 0.3 }
                let start = ContinuousClock.now
                let state = await client.refresh()
                #expect(state.refreshError?.code == .timedOut)
                #expect(state.decision == .open)
                #expect(ContinuousClock.now - start < .seconds(30))
            }
        }
    }

    @Test func `a connection that breaks, and a port where nobody listens, are unreachable`()
        async throws
    {
        try await Harbour.with { harbour in
            let answer = try harbour.publisher.answer(DocumentDraft().body)
            try await ScriptedServer.with { _ in
                .hangUp
            } _: { _, port in
                let state = await (try harbour.client(port: port)).refresh()
                #expect(state.refreshError?.code == .unreachable)
            }
            try await ScriptedServer.with { _ in
                .bytes(answer.dropLast(10))
            } _: { _, port in
                let state = await (try harbour.client(port: port)).refresh()
                #expect(state.refreshError != nil)
                #expect(state.document == nil)
            }
            let state = await (try harbour.client(port: 1)).refresh()
            #expect(state.refreshError?.code == .unreachable)
            #expect(state.decision == .open)
        }
    }

    @Test func `a failure leaves the last good document in force`() async throws {
        try await Harbour.with { harbour in
            try harbour.documentFolder.keep(harbour.kept())
            let state = await (try harbour.client()).refresh()
            #expect(state.refreshError?.code == .unreachable)
            #expect(state.decision.verdict == .appTooOld)
            #expect(state.freshness == .fresh(until: try harbour.kept().document.stamp.expiresAt))
        }
    }

    @Test(arguments: ["ftp://example.org", "example.org", "/distribution", "http:"])
    func `an address that is none of HTTP is refused`(_ text: String) async throws {
        try await Harbour.with { harbour in
            let url = try #require(URL(string: text))
            let found = try code {
                _ = try AvailabilityClient.Configuration(
                    service: url,
                    app: "harbour",
                    device: harbour.device,
                    keys: try harbour.keys,
                    folder: nil
                )
            }
            #expect(found == .configurationWrong)
        }
    }

    @Test(arguments: [
        "", "Harbour", "../harbour", "a b", "2go", "-", "-a", "a-", "keys", "log", "a_b", "äpp",
        "a1", "a-1", "key", "logs", String(repeating: "a", count: 63),
        String(repeating: "a", count: 64),
    ])
    func `an app that the service would not register is refused`(_ app: String) async throws {
        try await Harbour.with { harbour in
            let url = try #require(URL(string: "https://updates.example.org"))
            let found = try code {
                _ = try AvailabilityClient.Configuration(
                    service: url,
                    app: app,
                    device: harbour.device,
                    keys: try harbour.keys,
                    folder: nil
                )
            }
            #expect(found == (AppSlug(app) == nil ? .configurationWrong : nil))
        }
    }
}
